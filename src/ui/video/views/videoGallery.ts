import { dirname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock } from "../../../common/async.ts";
import { Disposable, type IDisposable } from "../../../common/disposable.ts";
import type { Log } from "../../../common/log.ts";
import {
	type GalleryPushes,
	type GalleryRequests,
	galleryRequests,
	type GalleryState,
	type GalleryVideo,
	maxPicturedClipBytes,
} from "../../../shared/gallery.ts";
import { formatSize } from "../../base/amounts.ts";
import { pageHtml, webviewRoot } from "../../webview/chatHtml.ts";
import { WebviewHost } from "../../webview/webviewHost.ts";
import {
	filterMessage,
	matchesFilter,
	type VideoFilter,
	fullMessage,
	shortDateOf,
	type VideoJobView,
} from "./videoJobView.ts";
import { promptText } from "../../../video/job/clipName.ts";

/** The most characters of a prompt in a tooltip. */
const maxTooltipCharacters = 300;

/** How long changes are collected before they are sent to the page, in milliseconds; sending more often wouldn't render faster. */
const gatherMs = 50;

const everything: VideoFilter = { tone: undefined, text: "" };

export interface VideoGalleryDependencies {
	readonly extensionUri: vscode.Uri;
	/** All jobs, newest first, with storyboards instead of their scenes. */
	readonly jobs: () => readonly VideoJobView[];
	/** Returns the file of a thumbnail of a job's clip, if there is one. */
	readonly pictureFile: (id: string) => string | undefined;
	readonly keepPicture: (id: string, address: string) => Promise<void>;
	/** Folders that the page may load files from: those of thumbnails and of clips. */
	readonly folders: () => readonly string[];
	readonly open: (id: string) => void;
	readonly choose: (id: string) => Promise<void>;
	readonly showScenes: (id: string) => void;
	/** Removes a job from the list; can be undone. */
	readonly delete: (id: string) => void;
	/** Marks all jobs as seen. */
	readonly onSeen: () => void;
	readonly clock: Clock;
	readonly log: Log;
}

/** The Videos view: all jobs with thumbnails, newest first. Its page refers to jobs only; unknown ids are rejected. */
export class VideoGallery extends Disposable {
	private readonly dependencies: VideoGalleryDependencies;
	private filter: VideoFilter = everything;
	private shown:
		| {
				readonly view: vscode.WebviewView;
				readonly host: WebviewHost<GalleryRequests, GalleryPushes>;
				/** Folders that this page may load from. Fixed at its start, because a change would reload the page. */
				readonly folders: ReadonlySet<string>;
		  }
		| undefined;
	private gathering: IDisposable | undefined;

	constructor(dependencies: VideoGalleryDependencies) {
		super();
		this.dependencies = dependencies;
	}

	/** Fills the view, which VS Code recreates after it was hidden. */
	resolve(view: vscode.WebviewView): void {
		const { extensionUri, log, onSeen } = this.dependencies;
		const folders = this.dependencies.folders();
		this.shown?.host.dispose();
		const host = new WebviewHost<GalleryRequests, GalleryPushes>(
			view.webview,
			galleryRequests,
			this.handlers(),
			log,
		);
		const shown = { view, host, folders: new Set(folders) };
		this.shown = shown;
		view.onDidChangeVisibility(() => {
			if (view.visible) {
				onSeen();
			}
		});
		view.onDidDispose(() => {
			host.dispose();
			if (this.shown === shown) {
				this.shown = undefined;
			}
		});
		view.webview.options = {
			enableScripts: true,
			enableForms: false,
			enableCommandUris: false,
			localResourceRoots: [webviewRoot(extensionUri), ...folders.map(vscode.Uri.file)],
		};
		view.webview.html = pageHtml(view.webview, extensionUri, {
			name: "gallery",
			title: l10n.t("Videos"),
		});
		onSeen();
	}

	setFilter(filter: VideoFilter): void {
		this.filter = filter;
		this.update();
	}

	/** Schedules an update of the page, together with other changes in the meantime. */
	update(): void {
		this.gathering ??= this.dependencies.clock.setTimer(gatherMs, () => {
			this.gathering = undefined;
			void this.shown?.host.push("state", this.state());
		});
	}

	state(): GalleryState {
		const jobs = this.dependencies.jobs().filter(job => matchesFilter(job, this.filter));
		return {
			videos: jobs.map(job => this.video(job)),
			filter: filterMessage(this.filter, jobs.length) ?? null,
		};
	}

	override dispose(): void {
		this.gathering?.dispose();
		this.shown?.host.dispose();
		super.dispose();
	}

	private handlers() {
		const { open, choose, showScenes, keepPicture } = this.dependencies;
		const done = {} as const;
		const withJob =
			(use: (id: string) => unknown) =>
			async ({ jobId }: { readonly jobId: string }) => {
				if (!this.dependencies.jobs().some(({ id }) => id === jobId)) {
					throw new Error(l10n.t("This video is no longer in the list."));
				}
				await use(jobId);
				return done;
			};
		return {
			ready: () => this.state(),
			open: withJob(open),
			choose: withJob(choose),
			showScenes: withJob(showScenes),
			remove: withJob(this.dependencies.delete),
			showAll: () => {
				this.setFilter(everything);
				return done;
			},
			generate: async ({ from }: { readonly from: "selection" | "words" }) => {
				const command = from === "selection" ? "generateVideoFromSelection" : "generateVideo";
				await vscode.commands.executeCommand(`cutaway.${command}`);
				return done;
			},
			keepPicture: async ({
				jobId,
				address,
			}: {
				readonly jobId: string;
				readonly address: string;
			}) => await withJob(id => keepPicture(id, address))({ jobId }),
		};
	}

	private video(job: VideoJobView): GalleryVideo {
		const { clip, duration } = job;
		const picture = clip && this.dependencies.pictureFile(job.id);
		const address = (file: string): string | null =>
			this.shown?.folders.has(dirname(file))
				? this.shown.view.webview.asWebviewUri(vscode.Uri.file(file)).toString()
				: null;
		return {
			jobId: job.id,
			name: job.shortTitle,
			tooltip: tooltipOf(job),
			tone: job.tone,
			state: job.label,
			length: duration ?? null,
			date: shortDateOf(job, this.dependencies.clock.now()),
			picture: picture === undefined ? null : address(picture),
			clip:
				clip && picture === undefined && clip.size <= maxPicturedClipBytes
					? address(clip.file)
					: null,
			isDeletable: !job.isUnfinished,
			hasScenes: job.actions.includes("showScenes"),
		};
	}
}

/** Returns a job's details as plain text. */
function tooltipOf(job: VideoJobView): string {
	const facts = [...job.parameters, job.service, ...(job.clip ? [formatSize(job.clip.size)] : [])];
	const text = promptText(job.prompt, maxTooltipCharacters);
	return [...new Set([job.title, text, fullMessage(job), facts.join(" · ")])]
		.filter(part => part !== "")
		.join("\n");
}
