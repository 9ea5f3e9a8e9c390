import { basename, extname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbortError } from "../../../common/errors.ts";
import { type ExportFormat, clipWidths } from "../../../shared/index.ts";
import type { VideoJob } from "../../../video/job/index.ts";
import { formatSize } from "../../base/amounts.ts";
import { type VideoJobView, videoJobView, type VideoPreviews } from "../views/index.ts";
import {
	type ChoiceMemory,
	type ExportChoice,
	fileNameOf,
	formatName,
	lastChoice,
} from "./exportFormat.ts";

/** Dependencies of sharing a clip. */
export interface VideoShareDependencies {
	readonly previews: Pick<VideoPreviews, "exportClip">;
	readonly exportMemory: ChoiceMemory;
}

/**
 * Asks for a format, makes the file, and saves it where the user says, with its size in sight before it is written. `copyClip` saves
 * the clip's own file.
 */
export async function exportVideo(
	dependencies: VideoShareDependencies,
	job: VideoJob,
	copyClip: (file: string) => Promise<void>,
): Promise<void> {
	const { clip, captions } = videoJobView(job);
	if (!clip) {
		return;
	}
	const choice = await chooseExport(dependencies.exportMemory, clip, captions.length > 0);
	if (choice === "as it is") {
		return await copyClip(clip.file);
	}
	const bytes = choice && (await makeFile(dependencies, job, choice));
	if (!bytes) {
		return;
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = fileNameOf(clip.name, choice);
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save {0} ({1})", formatName(choice.format), formatSize(bytes.length)),
		saveLabel: l10n.t("Save {0}", formatSize(bytes.length)),
		filters: { [formatName(choice.format)]: [choice.format] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes);
		const saved = l10n.t("Saved {0} ({1})", basename(target.path), formatSize(bytes.length));
		void vscode.window.setStatusBarMessage(saved, 5000);
	}
}

/** Makes the file in the clip's preview, with progress and Cancel. Undefined when the user cancels. */
export async function makeFile(
	{ previews }: VideoShareDependencies,
	{ id }: VideoJob,
	choice: ExportChoice,
): Promise<Buffer | undefined> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t("Exporting as {0}", formatName(choice.format)),
		cancellable: true,
	};
	return await vscode.window.withProgress(options, async (progress, token) => {
		const stopper = new AbortController();
		token.onCancellationRequested(() => stopper.abort());
		let shown = 0;
		try {
			return await previews.exportClip(id, choice, stopper.signal, share => {
				progress.report({ increment: 100 * (share - shown) });
				shown = share;
			});
		} catch (error) {
			if (isAbortError(error)) {
				return undefined;
			}
			throw error;
		}
	});
}

const formats: readonly ExportFormat[] = ["webp", "gif", "mp4", "png"];

function formatDetail(format: ExportFormat): string {
	return {
		webp: l10n.t("Small. Plays in a README, a pull request or a chat."),
		gif: l10n.t("Plays everywhere. Larger, with at most 255 colors."),
		mp4: l10n.t("H.264, for slides and video editors."),
		png: l10n.t("The first frame."),
	}[format];
}

/**
 * Asks for the format, then for width, looping and captions in one list; remembers all of it. The clip's own file has no such step.
 * Undefined when the user leaves.
 */
async function chooseExport(
	memory: ChoiceMemory,
	{ file, size }: NonNullable<VideoJobView["clip"]>,
	hasWords: boolean,
): Promise<ExportChoice | "as it is" | undefined> {
	const last = lastChoice(memory);
	const made = [last.format, ...formats.filter(format => format !== last.format)].map(format => ({
		label: formatName(format),
		detail: formatDetail(format),
		format,
	}));
	const own = {
		label: l10n.t("The Clip's Own File ({0})", extname(file).slice(1)),
		detail: l10n.t("As it is, {0}. Without captions.", formatSize(size)),
		format: undefined,
	};
	const picked = await vscode.window.showQuickPick([...made, own], {
		title: l10n.t("Export Video"),
		placeHolder: l10n.t("Choose a format"),
	});
	if (!picked?.format) {
		return picked && "as it is";
	}
	const look = await chooseLook(picked.format, last, hasWords);
	if (!look) {
		return undefined;
	}
	const choice = { format: picked.format, ...look };
	memory.set(choice);
	return choice;
}

type Look = Omit<ExportChoice, "format">;

/** A line of the step: makes the file in this size, or switches captions and stays. */
interface LookItem extends vscode.QuickPickItem {
	readonly size?: Omit<Look, "hasCaptions">;
}

function chooseLook(
	format: ExportFormat,
	last: Look,
	hasWords: boolean,
): Promise<Look | undefined> {
	const pick = vscode.window.createQuickPick<LookItem>();
	let { hasCaptions } = last;
	const draw = (): void => {
		pick.items = [
			...sizeItems(format, last),
			...(hasWords ? [{ label: "", kind: vscode.QuickPickItemKind.Separator }] : []),
			...(hasWords ? [captionsItem(hasCaptions)] : []),
		];
	};
	pick.title = l10n.t("Export {0}", formatName(format));
	pick.placeholder = l10n.t("Choose a width");
	pick.matchOnDescription = true;
	// The preview gets the focus back when the step before closes, which must not close this one.
	pick.ignoreFocusOut = true;
	draw();
	return new Promise(resolve => {
		pick.onDidAccept(() => {
			const [chosen] = pick.selectedItems;
			if (chosen?.size) {
				resolve({ ...chosen.size, hasCaptions });
				pick.dispose();
			} else if (chosen) {
				hasCaptions = !hasCaptions;
				pick.value = "";
				draw();
			}
		});
		pick.onDidHide(() => {
			resolve(undefined);
			pick.dispose();
		});
		pick.show();
	});
}

/** The widths, each looping and not where the format can, the last choice first. */
function sizeItems(format: ExportFormat, last: Look): LookItem[] {
	const canLoop = format === "webp" || format === "gif";
	const sizes = (canLoop ? [true, false] : [last.isLooping]).flatMap(isLooping =>
		clipWidths.map(width => ({ width, isLooping })),
	);
	const isLast = (size: (typeof sizes)[number]): boolean =>
		size.width === last.width && size.isLooping === last.isLooping;
	return [...sizes.filter(isLast), ...sizes.filter(size => !isLast(size))].map(size => ({
		label: l10n.t("{0} px wide", size.width),
		description: canLoop ? (size.isLooping ? l10n.t("loops") : l10n.t("plays once")) : "",
		size,
	}));
}

function captionsItem(hasCaptions: boolean): LookItem {
	return {
		label: `${hasCaptions ? "$(check)" : "$(blank)"} ${l10n.t("Captions")}`,
		description: hasCaptions
			? l10n.t("the prompt's words are drawn into the pictures")
			: l10n.t("off; choose to draw the prompt's words into the pictures"),
		alwaysShow: true,
	};
}
