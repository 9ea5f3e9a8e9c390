import { dirname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { untilAborted } from "../../../common/async.ts";
import type { ChosenLook } from "../../../common/clipLooks.ts";
import { Disposable, Emitter, type Event, type IDisposable } from "../../../common/disposable.ts";
import { toError } from "../../../common/errors.ts";
import type { Log } from "../../../common/log.ts";
import { plainLabel } from "../../../common/plainMarkdown.ts";
import type { RequestHandlers } from "../../../shared/rpc.ts";
import {
	type ClipExport,
	type DrawnFrames,
	framesPerSecond,
	hasTransparency,
	videoMemorySchema,
	type VideoPushes,
	type VideoRequests,
	videoRequests,
	type VideoViewState,
} from "../../../shared/video.ts";
import type { VideoAction } from "../../../shared/videoCard.ts";
import { formatSize } from "../../base/amounts.ts";
import type { StoredValue } from "../../base/keptValue.ts";
import { pageHtml, webviewRoot } from "../../webview/chatHtml.ts";
import { WebviewHost } from "../../webview/webviewHost.ts";
import { oneLine } from "../../../video/job/clipName.ts";
import { type ClipDrawings, hasAacSound, undrawnIn } from "./clipDrawings.ts";
import { ClipExports } from "./clipExports.ts";
import type { VideoJobView } from "./videoJobView.ts";

/** The panel's type, which VS Code stores across reloads. */
export const videoPreviewType = "cutaway.videoPreview";

/** A clip's frames by how they were drawn, for exporting it again. */
export type KeptDrawings = Map<string, DrawnFrames>;

/** The longest title of a tab, in characters. */
const maxTabCharacters = 30;

export interface VideoPreviewDependencies {
	readonly extensionUri: vscode.Uri;
	readonly job: (id: string) => VideoJobView | undefined;
	/** Runs an action that the job offers. Throws an error with a message for the user if it doesn't. */
	readonly run: (id: string, action: VideoAction, look?: Partial<ChosenLook>) => Promise<void>;
	/** Shows the actions of a job that aren't `shown` already, and runs the chosen one. */
	readonly choose: (id: string, shown: readonly VideoAction[]) => Promise<void>;
	/** Stores a thumbnail of a job's clip from its page. */
	readonly keepPicture: (id: string, address: string) => Promise<void>;
	readonly hasPicture: (id: string) => boolean;
	/** Name of the document to insert a job's clip into; undefined if the user would be asked. */
	readonly insertTarget: (id: string) => Promise<string | undefined>;
	readonly captionMemory: StoredValue;
	readonly drawings: Pick<ClipDrawings, "draw" | "drawLook" | "lookOf">;
	/** Saves parts of a look for new clips. */
	readonly keepLook: (look: Partial<ChosenLook>) => Promise<void>;
	/** Whether the local renderer makes a clip that is started now. */
	readonly isDrawnHere: () => boolean;
	readonly log: Log;
}

interface PreviewPanel {
	readonly id: string;
	readonly panel: vscode.WebviewPanel;
	readonly host: WebviewHost<VideoRequests, VideoPushes>;
	/** Resolves when the page has loaded. Rejects if the panel is closed first. VS Code destroys the page of a hidden panel. */
	loaded: PromiseWithResolvers<void>;
	/** Aborts with a message for the user when the panel is hidden or closed. */
	gone: AbortController;
	clipWidth?: number;
	/** Stops the drawing of a look. */
	stopLook?: AbortController;
}

/**
 * The panels that play videos, one per job. A panel only shows its job's state: it can be reloaded at any time and requests everything with `ready`.
 * It plays the local file and loads nothing else (docs/security.md).
 */
export class VideoPreviews extends Disposable {
	private readonly dependencies: VideoPreviewDependencies;
	private readonly previews = new Map<string, PreviewPanel>();
	private readonly exports: ClipExports;
	private copying = new AbortController();
	private readonly shown = this.register(new Emitter<string>());
	/** Fires with a job's id when its panel is activated or closed. */
	readonly onDidShow: Event<string> = this.shown.event;

	constructor(dependencies: VideoPreviewDependencies) {
		super();
		this.dependencies = dependencies;
		this.exports = new ClipExports(dependencies.log);
	}

	/** Stops a copy that is still being made, because the clipboard holds one thing. Returns the signal of the next copy. */
	startCopy(): AbortSignal {
		this.copying.abort();
		this.copying = new AbortController();
		return this.copying.signal;
	}

	/**
	 * Exports a job's clip in its panel, which is shown. Draws it unless `drawings` has its frames, and adds them there. Throws an error with a message
	 * for the user if that fails, and the signal's reason if it aborts.
	 */
	async exportClip(
		id: string,
		{
			hasGround: wantsGround,
			...request
		}: Omit<ClipExport, "id" | "drawn"> & { readonly hasGround: boolean },
		signal: AbortSignal,
		onProgress: (share: number) => void,
		drawings: KeptDrawings = new Map(),
	): Promise<Buffer> {
		if (!this.isInSight(id)) {
			this.open(id);
		}
		const preview = this.previewOf(id);
		const { loaded, gone } = preview;
		const hasGround = wantsGround || !hasTransparency(request.format);
		const rate = request.format === "png" ? undefined : framesPerSecond;
		const key = `${rate} ${hasGround}`;
		const drawn =
			drawings.get(key) ??
			(await this.drawn(id, { rate, isWhole: rate === undefined, hasGround }, gone.signal, signal));
		if (drawn) {
			drawings.set(key, drawn);
		}
		await untilAborted(loaded.promise, signal);
		const asked = { ...request, ...(drawn && { drawn }) };
		return await this.exports.run(preview, asked, signal, onProgress);
	}

	/** Draws a clip, unless its page is gone before. Rejects with that as the reason. */
	private async drawn(
		id: string,
		how: Parameters<ClipDrawings["draw"]>[1],
		gone: AbortSignal,
		signal: AbortSignal,
	): Promise<DrawnFrames | undefined> {
		const { drawings } = this.dependencies;
		try {
			return await drawings.draw(id, how, AbortSignal.any([signal, gone]));
		} catch (error) {
			gone.throwIfAborted();
			throw error;
		}
	}

	/** Shows and focuses a job's panel. Creates it if necessary. */
	open(id: string): void {
		const existing = this.previews.get(id);
		if (existing) {
			existing.panel.reveal();
			return;
		}
		this.create(id, vscode.ViewColumn.Active);
	}

	/** Shows a job's panel without taking the focus: where another panel is, otherwise in a group beside the active one. */
	openBeside(id: string): void {
		const shown = [...this.previews.values()].find(({ panel }) => panel.visible);
		const viewColumn = shown?.panel.viewColumn ?? vscode.ViewColumn.Beside;
		this.create(id, { viewColumn, preserveFocus: true });
	}

	private create(id: string, place: Parameters<typeof vscode.window.createWebviewPanel>[2]): void {
		const job = this.jobOf(id);
		this.fill(
			id,
			vscode.window.createWebviewPanel(
				videoPreviewType,
				oneLine(job.shortTitle, maxTabCharacters),
				place,
			),
		);
	}

	/** Fills a panel restored after a reload. Closes it if its job no longer exists. */
	restore(panel: vscode.WebviewPanel, memory: unknown): void {
		const kept = z.safeParse(videoMemorySchema, memory);
		const id = kept.success ? kept.data.jobId : "";
		if (!this.dependencies.job(id) || this.previews.has(id)) {
			panel.dispose();
			return;
		}
		this.fill(id, panel);
	}

	/** Updates a job's panel, if there is one. Closes the panel of a deleted job. */
	async update(id: string): Promise<void> {
		const preview = this.previews.get(id);
		const job = this.dependencies.job(id);
		if (!preview) {
			return;
		}
		if (!job) {
			preview.panel.dispose();
			return;
		}
		this.allowClip(preview.panel, job);
		await preview.host.push("state", await this.stateOf(preview.panel, job));
	}

	/** Updates every panel, because the document to insert into or the engine has changed. */
	async updateAll(): Promise<void> {
		await Promise.all([...this.previews.keys()].map(id => this.update(id)));
	}

	/** Returns a clip's width in pixels; undefined before its panel has loaded it. */
	clipWidth(id: string): number | undefined {
		return this.previews.get(id)?.clipWidth;
	}

	/** Whether a clip's frames can be drawn again, with or without a background. */
	async isDrawn(id: string): Promise<boolean> {
		return (await this.dependencies.drawings.lookOf(id)) !== null;
	}

	/** Whether the job's panel is visible; another application may cover the window. */
	isInSight(id: string): boolean {
		return this.previews.get(id)?.panel.visible ?? false;
	}

	override dispose(): void {
		for (const { host } of this.previews.values()) {
			host.dispose();
		}
		super.dispose();
	}

	private fill(id: string, panel: vscode.WebviewPanel): void {
		const job = this.dependencies.job(id);
		const host = new WebviewHost<VideoRequests, VideoPushes>(
			panel.webview,
			videoRequests,
			{
				ready: () => {
					this.previews.get(id)?.loaded.resolve();
					return this.stateOf(panel, this.jobOf(id));
				},
				...this.exports.handlers,
				runAction: ({ action, look }) => told(panel, this.dependencies.run(id, action, look)),
				chooseAction: ({ shown }) => told(panel, this.dependencies.choose(id, shown)),
				keepPicture: async ({ address }) => {
					await this.dependencies.keepPicture(id, address);
					return {};
				},
				keepCaptions: ({ isShown }) => {
					this.dependencies.captionMemory.set(isShown);
					return {};
				},
				...this.drawingHandlers(id),
				clipWidth: ({ width }) => {
					preview.clipWidth = width;
					return {};
				},
				cannotPlay: ({ reason }) => {
					this.dependencies.log.warn("A clip cannot be played in the editor", { job: id, reason });
					return {};
				},
			},
			this.dependencies.log,
		);
		const loaded = Promise.withResolvers<void>();
		const preview: PreviewPanel = { id, panel, host, loaded, gone: new AbortController() };
		this.previews.set(id, preview);
		const watching = this.watch(id, panel);
		panel.onDidDispose(() => {
			watching.dispose();
			host.dispose();
			preview.stopLook?.abort();
			this.pageGone(preview);
			this.previews.delete(id);
			this.shown.fire(id);
		});
		panel.iconPath = vscode.Uri.joinPath(
			this.dependencies.extensionUri,
			"media",
			"icons",
			"cutaway.png",
		);
		if (job) {
			this.allowClip(panel, job);
		}
		panel.webview.html = pageHtml(panel.webview, this.dependencies.extensionUri, {
			name: "video",
			title: l10n.t("Cutaway Video"),
		});
		this.tellIfShown(id, panel);
	}

	private drawingHandlers(
		id: string,
	): Pick<RequestHandlers<VideoRequests>, "drawPicture" | "drawLook" | "stopLook" | "keepLook"> {
		const { drawings, keepLook } = this.dependencies;
		return {
			drawPicture: async () => {
				const { gone } = this.previewOf(id);
				const signal = this.startCopy();
				try {
					const either = AbortSignal.any([signal, gone.signal]);
					const drawn =
						(await drawings.draw(id, { isWhole: true, hasGround: true }, either)) ?? null;
					return { drawn, isStopped: false };
				} catch (error) {
					if (signal.aborted) {
						return { drawn: null, isStopped: true };
					}
					throw error;
				}
			},
			drawLook: async look => {
				const stopper = new AbortController();
				const preview = this.previewOf(id);
				preview.stopLook?.abort();
				preview.stopLook = stopper;
				return { drawn: await drawings.drawLook(id, look, stopper.signal) };
			},
			stopLook: () => {
				this.previewOf(id).stopLook?.abort();
				return {};
			},
			keepLook: async look => {
				await keepLook(look);
				return {};
			},
		};
	}

	/** Handles that a panel's page is gone. The next one has to load. */
	private pageGone(preview: PreviewPanel): void {
		const gone = new Error(
			l10n.t("The video's tab was closed or hidden before the file was made."),
		);
		this.exports.fail(preview, gone);
		// Only exports await it.
		preview.loaded.promise.catch(() => undefined);
		preview.loaded.reject(gone);
		preview.loaded = Promise.withResolvers();
		preview.gone.abort(gone);
		preview.gone = new AbortController();
	}

	/** Observes when the panel or its window becomes active. */
	private watch(id: string, panel: vscode.WebviewPanel): IDisposable {
		const subscriptions = [
			panel.onDidChangeViewState(() => {
				const preview = this.previews.get(id);
				if (preview && !panel.visible) {
					this.pageGone(preview);
				}
				this.tellIfShown(id, panel);
			}),
			vscode.window.onDidChangeWindowState(() => this.tellIfShown(id, panel)),
		];
		return { dispose: () => subscriptions.forEach(subscription => subscription.dispose()) };
	}

	private tellIfShown(id: string, panel: vscode.WebviewPanel): void {
		// A panel opened beside a text counts as active until the user focuses something; its group doesn't.
		const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
		const isGroupActive =
			input instanceof vscode.TabInputWebview && input.viewType.includes(videoPreviewType);
		if (panel.active && isGroupActive && vscode.window.state.focused) {
			this.shown.fire(id);
		}
	}

	private previewOf(id: string): PreviewPanel {
		const preview = this.previews.get(id);
		if (!preview) {
			throw new Error(l10n.t("This video is no longer in the list."));
		}
		return preview;
	}

	private jobOf(id: string): VideoJobView {
		const job = this.dependencies.job(id);
		if (!job) {
			throw new Error(l10n.t("This video is no longer in the list."));
		}
		return job;
	}

	/** Allows the page to load from the clip's folder besides Cutaway's own files. Skips equal folders, because a change reloads the page. */
	private allowClip({ webview }: vscode.WebviewPanel, job: VideoJobView): void {
		const roots = [
			webviewRoot(this.dependencies.extensionUri),
			...(job.clip ? [vscode.Uri.file(dirname(job.clip.file))] : []),
		];
		const now = webview.options.localResourceRoots?.map(String).join(" ");
		if (now !== roots.map(String).join(" ")) {
			webview.options = {
				enableScripts: true,
				enableForms: false,
				enableCommandUris: false,
				localResourceRoots: roots,
			};
		}
	}

	private async stateOf(panel: vscode.WebviewPanel, job: VideoJobView): Promise<VideoViewState> {
		const { clip } = job;
		return {
			jobId: job.id,
			title: job.title,
			kind: job.kind,
			prompt: job.prompt,
			parameters: [...job.parameters],
			service: job.service,
			provenance: job.provenance,
			insertInto: (clip && (await this.dependencies.insertTarget(job.id))) ?? null,
			createdAt: job.createdAt,
			startedAt: job.startedAt,
			source: job.source?.label ?? null,
			tone: job.tone,
			label: job.label,
			sentence: job.sentence,
			serviceMessage: job.serviceMessage,
			downloaded: job.downloaded,
			actions: [...job.actions],
			look: clip ? await this.dependencies.drawings.lookOf(job.id) : null,
			hasNewLook: this.dependencies.isDrawnHere(),
			captions: [...job.captions],
			showsCaptions: this.dependencies.captionMemory.get() === true,
			wantsPicture: clip !== undefined && !this.dependencies.hasPicture(job.id),
			clip: clip
				? {
						url: panel.webview.asWebviewUri(vscode.Uri.file(clip.file)).toString(),
						fileName: clip.name,
						size: formatSize(clip.size),
						hasAacSound: await hasAacSound(clip.file),
						undrawn: await undrawnIn(clip.file),
					}
				: null,
		};
	}
}

/** Waits for the page's request. If another editor covers the page meanwhile, it can't show a failure. */
async function told(
	panel: vscode.WebviewPanel,
	work: Promise<void>,
): Promise<Record<string, never>> {
	try {
		await work;
	} catch (error) {
		if (!panel.visible) {
			const sentence = plainLabel(l10n.t("Cutaway: {0}", toError(error).message));
			void vscode.window.showErrorMessage(sentence);
		}
		throw error;
	}
	return {};
}
