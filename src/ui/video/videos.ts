import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../common/async.ts";
import type { ChosenLook } from "../../common/clipLooks.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { maxCardClipBytes, type VideoAction } from "../../shared/videoCard.ts";
import type { VideoEndpoint, VideoJob } from "../../video/job/videoJob.ts";
import { sceneJobs } from "../../video/storyboard/storyboards.ts";
import type { VideoJobs } from "../../video/videoJobs.ts";
import type { StoredValue } from "../base/keptValue.ts";
import { keepLook, type Settings } from "../base/settings.ts";
import { isDrawnHere } from "./request/videoGenerate.ts";
import { SpendingNotices } from "./request/videoRequest.ts";
import { LastDocuments } from "./share/documentTarget.ts";
import type { VideoShareDependencies } from "./share/exportVideo.ts";
import type { StoryboardDependencies } from "./storyboard/generateStoryboard.ts";
import { revealFile, runVideoAction } from "./videoActions.ts";
import { VideoDeletion } from "./videoDeletion.ts";
import { endingOf, NoticeClaims, tellerOf, VideoSeen } from "./videoNotices.ts";
import { ClipDrawings, type ClipDrawingsDependencies } from "./views/clipDrawings.ts";
import { storyboardView } from "./views/storyboardView.ts";
import { VideoGallery } from "./views/videoGallery.ts";
import { endingNotice, type VideoJobView, videoJobView } from "./views/videoJobView.ts";
import { chooseVideoAction, showScenes } from "./views/videoPicks.ts";
import { VideoPictures } from "./views/videoPictures.ts";
import { VideoPreviews } from "./views/videoPreview.ts";
import { VideoStatusBar } from "./views/videoStatusBar.ts";

export interface VideosDependencies {
	readonly extensionUri: vscode.Uri;
	/** Absolute path of Cutaway's own folder for videos. */
	readonly folder: string;
	readonly settings: Settings;
	readonly seenMemory: StoredValue;
	/** Stores the last export options. */
	readonly exportMemory: VideoShareDependencies["exportMemory"];
	readonly captionMemory: StoredValue;
	readonly clock: Clock;
	readonly log: Log;
	/** The chat view, which contains cards of videos. */
	readonly chatView: {
		showsVideo(jobId: string): boolean;
		announce(text: string): void;
	};
	readonly endpoint: () => VideoEndpoint;
	/** Returns information about the engine behind the local service; absent without one. */
	readonly engine?: StoryboardDependencies["engine"];
	readonly drawFrames: ClipDrawingsDependencies["drawFrames"];
	readonly prepareClip: NonNullable<StoryboardDependencies["prepareClip"]>;
	readonly askModel: StoryboardDependencies["askModel"];
	readonly hasModel: StoryboardDependencies["hasModel"];
	/** Creates the jobs. Their clips are saved in the folder that `clipsFolder` returns at that time. */
	readonly createJobs: (clipsFolder: () => string) => VideoJobs;
}

/** Connects video jobs to the status bar, tree view, preview and notifications. */
export class Videos extends Disposable {
	readonly jobs: VideoJobs;
	readonly gallery: VideoGallery;
	readonly previews: VideoPreviews;
	readonly generating: StoryboardDependencies;
	private readonly dependencies: VideosDependencies;
	private readonly views = new Map<string, VideoJobView>();
	private list: readonly VideoJobView[] = [];
	private readonly changed = this.register(new Emitter<string>());
	private readonly documents = this.register(new LastDocuments());
	private readonly seen: VideoSeen;
	private readonly claims: NoticeClaims;
	private readonly deletion: VideoDeletion;
	private readonly pictures: VideoPictures;
	private readonly statusBar: VideoStatusBar;
	/** Fires with a job's id when it was added, changed or removed. */
	readonly onDidChange: Event<string> = this.changed.event;

	/** Reads the records, resumes unfinished jobs and shows them. */
	static async create(dependencies: VideosDependencies): Promise<Videos> {
		const pictures = await VideoPictures.open(
			join(dependencies.folder, "pictures"),
			dependencies.log,
		);
		const videos = new Videos(dependencies, pictures);
		await videos.jobs.start();
		videos.showAll();
		return videos;
	}

	private constructor(dependencies: VideosDependencies, pictures: VideoPictures) {
		super();
		const { settings, clock, log, extensionUri, folder } = dependencies;
		this.dependencies = dependencies;
		this.jobs = this.register(dependencies.createJobs(() => this.clipsFolder()));
		this.pictures = pictures;
		const spending = new SpendingNotices(() => clock.now());
		const spendingNotice = () => spending.next(this.jobs.jobs, dependencies.endpoint());
		const { endpoint, engine, prepareClip, askModel, hasModel } = dependencies;
		this.generating = {
			jobs: this.jobs,
			settings,
			spendingNotice,
			endpoint,
			askModel,
			hasModel,
			engine,
			prepareClip,
		};
		this.seen = new VideoSeen(dependencies.seenMemory);
		this.claims = new NoticeClaims({
			folder: join(folder, "notices"),
			isFocused: () => vscode.window.state.focused,
			clock,
			log,
		});
		this.deletion = new VideoDeletion(this.jobs, clock, log);
		const job = (id: string): VideoJobView | undefined => this.views.get(id);
		this.gallery = this.register(this.createGallery(pictures));
		this.previews = this.register(
			new VideoPreviews({
				extensionUri,
				job,
				run: (id, action, look) => this.run(id, action, look),
				keepPicture: (id, address) => this.keepPicture(id, address),
				choose: (id, shown) => this.choose(id, shown),
				captionMemory: dependencies.captionMemory,
				drawings: new ClipDrawings({
					job: id => this.jobs.job(id),
					drawFrames: dependencies.drawFrames,
					log,
				}),
				keepLook: look => keepLook(settings, look),
				isDrawnHere: () => isDrawnHere(this.generating),
				insertTarget: async id => {
					const uri = this.views.get(id)?.source?.uri;
					return await this.documents.nameFor(
						uri === undefined ? undefined : vscode.Uri.parse(uri),
					);
				},
				hasPicture: id => pictures.file(id) !== undefined,
				log,
			}),
		);
		this.statusBar = this.register(
			new VideoStatusBar({ jobs: () => this.list, unseen: () => this.seen.unseen }, clock),
		);
		this.register(this.jobs.onDidChangeJob(id => this.show(id)));
		this.register(this.previews.onDidShow(id => this.markSeen(id)));
		this.keepPreviewsCurrent();
	}

	view(id: string): VideoJobView | undefined {
		return this.views.get(id);
	}

	/** All jobs, newest first, with storyboards instead of their scenes. */
	get all(): readonly VideoJobView[] {
		return this.list;
	}

	/** Returns a thumbnail of a job's clip as a `data:` URL, if it has been read. */
	picture(id: string): string | undefined {
		return this.pictures.address(id);
	}

	/** Returns a job's clip as base64; null if there is none or it is too large for a card. */
	async clip(id: string): Promise<string | null> {
		const { clip } = this.views.get(id) ?? {};
		const isPlayed = clip !== undefined && clip.size <= maxCardClipBytes;
		return isPlayed ? (await readFile(clip.file)).toString("base64") : null;
	}

	async choose(id: string, shown: readonly VideoAction[] = []): Promise<void> {
		const view = this.views.get(id);
		const action = view && (await chooseVideoAction(view, shown));
		if (action) {
			await this.run(id, action);
		}
	}

	/** Runs an action that the job offers. The options of a new clip start with the look, if given. */
	async run(id: string, action: VideoAction, look?: Partial<ChosenLook>): Promise<void> {
		this.markSeen(id);
		await runVideoAction(
			{
				...this.generating,
				look,
				jobs: this.jobs,
				documents: this.documents,
				previews: this.previews,
				exportMemory: this.dependencies.exportMemory,
				view: job => this.views.get(job),
				showScenes: storyboard => this.pickScene(storyboard),
			},
			id,
			action,
		);
	}

	/** Runs an action and shows its failure, for callers that can't. */
	runAndSay(id: string, action: VideoAction): void {
		sayFailure(this.run(id, action));
	}

	open(id: string): void {
		this.markSeen(id);
		this.previews.open(id);
	}

	markAllSeen(): void {
		this.list.forEach(({ id }) => this.seen.markSeen(id));
		this.statusBar.update();
	}

	private pickScene(storyboard: string): void {
		showScenes({
			title: this.views.get(storyboard)?.shortTitle ?? "",
			jobs: () => this.scenesOf(storyboard),
			onDidChange: this.onDidChange,
			now: () => this.dependencies.clock.now(),
			open: id => this.open(id),
			run: (id, action) => this.runAndSay(id, action),
		});
	}

	/** Removes a job from the list; can be undone. */
	async delete(id: string): Promise<void> {
		const view = this.views.get(id);
		if (view && !view.isUnfinished && !view.scene) {
			await this.deletion.delete(view, this.scenesOf(id));
		}
	}

	async openFolder(): Promise<void> {
		const folder = this.clipsFolder();
		await vscode.workspace.fs.createDirectory(vscode.Uri.file(folder));
		await revealFile(folder);
	}

	/** Moves deleted files to the trash and disposes everything. */
	async close(): Promise<void> {
		await this.deletion.close();
		this.dispose();
	}

	/** Returns the configured folder, or Cutaway's own. */
	private clipsFolder(): string {
		const folder = this.dependencies.settings.get("video.folder");
		return folder === ""
			? join(this.dependencies.folder, "clips")
			: folder.replace(/^~/, homedir());
	}

	/** Updates the previews when the document to insert into or the engine for videos changes. */
	private keepPreviewsCurrent(): void {
		const update = (): void => void this.previews.updateAll();
		this.register(this.documents.onDidChange(update));
		this.register(
			this.dependencies.settings.onDidChange(names => {
				if (names.includes("endpoint") || names.includes("localService.video.engine")) {
					update();
				}
			}),
		);
	}

	private createGallery(pictures: VideoPictures): VideoGallery {
		const { extensionUri, clock, log } = this.dependencies;
		return new VideoGallery({
			extensionUri,
			jobs: () => this.list,
			pictureFile: id => pictures.file(id),
			keepPicture: (id, address) => this.keepPicture(id, address),
			folders: () => [pictures.folder, this.clipsFolder(), ...this.clipFolders()],
			open: id => this.open(id),
			choose: id => this.choose(id),
			showScenes: id => this.pickScene(id),
			delete: id => sayFailure(this.delete(id)),
			onSeen: () => this.markAllSeen(),
			clock,
			log,
		});
	}

	private clipFolders(): readonly string[] {
		return [...new Set(this.list.flatMap(({ clip }) => (clip ? [dirname(clip.file)] : [])))];
	}

	/** Shows existing jobs on startup without notifications. */
	private showAll(): void {
		for (const job of this.jobs.jobs) {
			const view = this.describe(job);
			this.views.set(job.id, view);
			if (!view.scene) {
				this.seen.note(job.id, view);
			}
		}
		this.refresh();
		this.gallery.update();
		const ids = new Set(this.views.keys());
		void Promise.all([this.claims.tidy(ids), this.pictures.tidy(ids), this.readPictures()]);
	}

	/** Reads the thumbnails for cards. The Videos view loads its own from disk. */
	private async readPictures(): Promise<void> {
		for (const { id, chat } of this.list) {
			if (chat && (await this.pictures.read(id))) {
				this.changed.fire(id);
			}
		}
	}

	private async keepPicture(id: string, address: string): Promise<void> {
		if (this.views.has(id) && (await this.pictures.keep(id, address))) {
			this.gallery.update();
			this.changed.fire(id);
		}
	}

	private show(id: string): void {
		const job = this.jobs.job(id);
		const before = this.views.get(id);
		const view = job && this.describe(job);
		if (view) {
			this.views.set(id, view);
		} else {
			this.views.delete(id);
		}
		const storyboard = (view ?? before)?.scene?.storyboard;
		if (storyboard === undefined) {
			this.seen.note(id, view);
			if (job && view && before?.isUnfinished && !view.isUnfinished) {
				void this.tellEnding(this.endingOf(job), view);
			}
		} else if (this.views.has(storyboard)) {
			// A scene's changes are reported once, for its storyboard.
			this.show(storyboard);
		}
		this.refresh();
		this.gallery.update();
		void this.previews.update(id);
		this.changed.fire(id);
	}

	private describe(job: VideoJob): VideoJobView {
		return job.request.kind === "storyboard"
			? storyboardView(job, sceneJobs(job, this.jobs.jobs), this.jobs.isBusy(job.id))
			: videoJobView(job);
	}

	/** Returns the scenes of a storyboard in order, repeated ones after older ones. */
	private scenesOf(id: string): readonly VideoJobView[] {
		return this.jobs.jobs
			.filter(({ scene }) => scene?.storyboard === id)
			.flatMap(job => this.views.get(job.id) ?? [])
			.toSorted(
				(a, b) => (a.scene?.index ?? 0) - (b.scene?.index ?? 0) || a.createdAt - b.createdAt,
			);
	}

	/** A storyboard ends again after one of its scenes was sent or checked again. */
	private endingOf(job: VideoJob): string {
		const scenes = this.jobs.jobs.filter(({ scene }) => scene?.storyboard === job.id);
		const sum = (count: (scene: VideoJob) => number): number =>
			scenes.reduce((total, scene) => total + count(scene), 0);
		return scenes.length === 0
			? endingOf(job)
			: endingOf({
					...job,
					submissions: sum(({ submissions }) => submissions),
					watch: { round: sum(({ watch }) => watch.round) },
				});
	}

	private refresh(): void {
		this.list = this.jobs.jobs
			.flatMap(({ id }) => this.views.get(id) ?? [])
			.filter(({ scene }) => scene === undefined);
		this.statusBar.update();
	}

	private markSeen(id: string): void {
		this.seen.markSeen(id);
		this.statusBar.update();
	}

	/** Reports an ending once, in one window. */
	private async tellEnding(ending: string, view: VideoJobView): Promise<void> {
		const { chatView } = this.dependencies;
		const { teller, isSeen } = tellerOf({
			isOwnDoing: view.tone === "stopped",
			isReady: view.tone === "ready",
			hasOthers: this.list.some(({ id, isUnfinished }) => isUnfinished && id !== view.id),
			isFocused: vscode.window.state.focused,
			isPreviewInSight: this.previews.isInSight(view.id),
			isCardInSight: chatView.showsVideo(view.id),
		});
		if (isSeen) {
			this.markSeen(view.id);
		}
		if (teller === "nobody" || !(await this.claims.claim(ending))) {
			return;
		}
		const notice = endingNotice(view);
		if (teller === "card") {
			chatView.announce(notice);
		}
		if (teller === "opening") {
			this.previews.openBeside(view.id);
		}
		if (teller !== "notification") {
			return;
		}
		const choice = await (view.tone === "ready"
			? vscode.window.showInformationMessage(notice, l10n.t("Open"))
			: vscode.window.showWarningMessage(notice, l10n.t("Show")));
		if (choice && this.views.has(view.id)) {
			this.open(view.id);
		}
	}
}

function sayFailure(work: Promise<void>): void {
	work.catch((error: unknown) => {
		void vscode.window.showErrorMessage(plainLabel(l10n.t("Cutaway: {0}", toError(error).message)));
	});
}
