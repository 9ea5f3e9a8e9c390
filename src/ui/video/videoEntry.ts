import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Clock, Coalescer } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import { Disposable } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import type { CommandId, CommandTable } from "../base/commands.ts";
import type { Videos } from "./videos.ts";

/** Delay between activation and looking for unfinished videos, in milliseconds, because activation reads no files and the window is busy starting. */
const startupDelayMs = 1000;

/** Dependencies of the registrations. `videos` creates everything else on first use. */
export interface VideoEntryDependencies {
	readonly videos: () => Promise<Videos>;
	readonly recordsFolder: string;
	readonly clock: Clock;
	readonly log: Log;
}

export type VideoCommandId = Extract<
	CommandId,
	`cutaway.${"generateVideo" | "generateStoryboard" | "showVideos" | "videos."}${string}`
>;

/** Registers the Videos view, its commands and the restoring of previews at activation. Looks for unfinished videos a moment later. */
export class VideoEntry extends Disposable {
	readonly commands: Pick<CommandTable, VideoCommandId>;

	constructor({ videos, recordsFolder, clock, log }: VideoEntryDependencies) {
		super();
		this.register(
			vscode.window.registerWebviewViewProvider("cutaway.videos", {
				resolveWebviewView: async view => (await videos()).gallery.resolve(view),
			}),
		);
		this.commands = commandsOf(videos);
		this.register(
			clock.setTimer(startupDelayMs, () => {
				resumeVideos(recordsFolder, videos).catch((error: unknown) => {
					log.error("Unfinished videos could not be taken up", { error: toError(error).message });
				});
			}),
		);
		this.register(new ImageAddressKey(clock));
		this.register(
			vscode.window.registerWebviewPanelSerializer("cutaway.videoPreview", {
				deserializeWebviewPanel: async (panel, memory) =>
					(await videos()).previews.restore(panel, memory),
			}),
		);
	}
}

/** Returns Cutaway's own folder for videos, shared by all windows. */
export function videosFolder(globalStorage: vscode.Uri): string {
	return join(globalStorage.fsPath, "videos");
}

export function videoRecordsFolder(globalStorage: vscode.Uri): string {
	return join(videosFolder(globalStorage), "records");
}

/** Loads the videos if there are records. Otherwise only reads one folder. */
async function resumeVideos(recordsFolder: string, videos: () => Promise<Videos>): Promise<void> {
	const names = await readdir(recordsFolder).catch(() => []);
	if (names.length > 0) {
		await videos();
	}
}

function generatingCommands(
	videos: () => Promise<Videos>,
): Pick<VideoEntry["commands"], Extract<VideoCommandId, `cutaway.generate${string}`>> {
	const generating = async () => {
		const [generate, { generating }] = await Promise.all([
			import("./request/videoGenerate.ts"),
			videos(),
		]);
		return { generate, generating };
	};
	return {
		"cutaway.generateVideoFromSelection": async () => {
			const { generate, generating: context } = await generating();
			await generate.generateFromSelection(context);
		},
		"cutaway.generateVideo": async () => {
			const { generate, generating: context } = await generating();
			await generate.generateFromPrompt(context);
		},
		"cutaway.generateVideoFromImage": async () => {
			const { generate, generating: context } = await generating();
			await generate.generateFromImage(context);
		},
		"cutaway.generateVideoOfChange": async (clicked?: unknown) => {
			const [{ generateFromChange }, { generating: context }] = await Promise.all([
				import("./request/videoChange.ts"),
				videos(),
			]);
			await generateFromChange(context, clicked);
		},
		"cutaway.generateStoryboard": async () => {
			const [{ generateStoryboard }, { generating: context }] = await Promise.all([
				import("./storyboard/generateStoryboard.ts"),
				videos(),
			]);
			await generateStoryboard(context);
		},
	};
}

function commandsOf(videos: () => Promise<Videos>): VideoEntry["commands"] {
	return {
		...generatingCommands(videos),
		"cutaway.showVideos": async (id?: unknown) => {
			const current = await videos();
			if (typeof id === "string" && current.view(id)) {
				current.open(id);
			} else {
				await vscode.commands.executeCommand("cutaway.videos.focus");
			}
		},
		"cutaway.videos.filter": async () => {
			const [{ chooseVideoFilter }, current] = await Promise.all([
				import("./views/videoPicks.ts"),
				videos(),
			]);
			const filter = await chooseVideoFilter(current.all);
			if (filter) {
				current.gallery.setFilter(filter);
			}
		},
		"cutaway.videos.openFolder": async () => (await videos()).openFolder(),
	};
}

/** Delay between a document's last change and examining it, in milliseconds. */
const restMs = 400;

/** The part of a document to examine, in characters. */
const maxSearchedCharacters = 200_000;

/** Sets `cutaway.hasImageAddress` while the active Markdown document contains an https image, for the context menu. */
export class ImageAddressKey extends Disposable {
	private isSet = false;

	constructor(clock: Clock) {
		super();
		const look = this.register(new Coalescer(restMs, () => this.look(), clock));
		this.register(vscode.window.onDidChangeActiveTextEditor(() => look.schedule()));
		this.register(
			vscode.workspace.onDidChangeTextDocument(({ document }) => {
				if (document === vscode.window.activeTextEditor?.document) {
					look.schedule();
				}
			}),
		);
		look.schedule();
	}

	private look(): void {
		const document = vscode.window.activeTextEditor?.document;
		const has = document?.languageId === "markdown" && showsImage(document.getText());
		if (has !== this.isSet) {
			this.isSet = has;
			void vscode.commands.executeCommand("setContext", "cutaway.hasImageAddress", has);
		}
	}
}

function showsImage(text: string): boolean {
	return /\]\(\s{0,9}<?https:\/\/|<img\s|https:\/\/\S{1,500}\.(?:png|jpe?g|webp|gif)\b/i.test(
		text.slice(0, maxSearchedCharacters),
	);
}
