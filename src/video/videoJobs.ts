import type { Connection } from "../client/contract/serviceClient.ts";
import { type Clock, every, systemClock } from "../common/async.ts";
import { Disposable, type Event } from "../common/disposable.ts";
import { type Log, silentLog } from "../common/log.ts";
import type { AccountDependencies } from "./job/account.ts";
import type { VideoJobEvent } from "./job/jobTransitions.ts";
import type { VideoEndpoint, VideoJob, VideoRequest } from "./job/videoJob.ts";
import { currentHolder } from "../storage/lease.ts";
import { ClipFetcher } from "./download/clipFetcher.ts";
import type { Resolve } from "./download/clipAddress.ts";
import { discardPart, discardParts } from "./download/clipFile.ts";
import { JobTable } from "./store/jobTable.ts";
import { JobOwners } from "./store/jobOwners.ts";
import { VideoJobStore } from "./store/videoJobStore.ts";
import type { JoinClips } from "./join/joinThread.ts";
import { Storyboards } from "./storyboard/storyboards.ts";
import { Poller } from "./requests/poller.ts";
import { newJobId, Submissions } from "./requests/submissions.ts";

export interface VideoJobsDependencies {
	/** Folder of the records, shared by all windows; created if needed. Absolute path. */
	readonly recordsFolder: string;
	/** Folder of clips, read when a download starts. Absolute path. */
	readonly clipsFolder: () => string;
	readonly endpoint: () => VideoEndpoint;
	/** Returns URL and key of a service, regardless of the current settings. Throws an error with a message for the user if there is none. */
	readonly connection: (endpoint: VideoEndpoint) => Promise<Connection>;
	/** Joins the clips of a storyboard. If absent, each scene keeps its own clip. */
	readonly joinClips?: JoinClips;
	readonly clock?: Clock;
	readonly log?: Log;
	/** Returns a number between 0 and 1, for jitter. */
	readonly random?: () => number;
	/** The largest clip to download, in bytes; 2 GiB by default. */
	readonly maxClipBytes?: number;
	/** System operations: look up a host, return a folder's free bytes, write a record. Tests override them. */
	readonly resolve?: Resolve;
	readonly freeBytes?: (folder: string) => Promise<number>;
	readonly writeRecord?: (path: string, text: string) => Promise<void>;
}

const defaultMaxClipBytes = 2 * 1024 ** 3;

/** How long a removed job can be restored, in milliseconds. */
const undoMs = 24 * 60 * 60_000;

/** Interval for detecting requests and jobs of windows that are gone, in milliseconds. */
const lostWindowsMs = 15_000;

export class VideoJobs extends Disposable {
	private readonly dependencies: VideoJobsDependencies;
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly store: VideoJobStore;
	private readonly table: JobTable;
	private readonly poller: Poller;
	private readonly submissions: Submissions;
	private readonly storyboards: Storyboards;
	/** Fires with the id of a job that was added, changed or removed in any window. */
	readonly onDidChangeJob: Event<string>;

	/** Does nothing before `start`. */
	constructor(dependencies: VideoJobsDependencies) {
		super();
		const { clock = systemClock, log = silentLog, random = Math.random } = dependencies;
		const { recordsFolder: folder, connection, resolve, freeBytes, writeRecord } = dependencies;
		this.dependencies = dependencies;
		this.clock = clock;
		this.log = log;
		const accounts: AccountDependencies = { connection, clock, log, random };
		const holder = currentHolder();
		const write = writeRecord ? { write: writeRecord } : {};
		this.store = new VideoJobStore({ folder, holder, ...write });
		const table = this.register(new JobTable({ store: this.store, folder, clock, log }));
		this.table = table;
		this.onDidChangeJob = table.onDidChange;
		const { store } = this;
		this.submissions = new Submissions({
			store,
			table,
			accounts,
			endpoint: dependencies.endpoint,
			holder,
			clock,
			log,
		});
		const { clipsFolder, joinClips = cannotJoin } = dependencies;
		const shared = { store, table, submissions: this.submissions, holder, clock, log };
		this.storyboards = this.register(
			new Storyboards({ ...shared, joinClips, clipsFolder, recordsFolder: folder }),
		);
		const owners = this.register(new JobOwners(holder, clock));
		const clips = new ClipFetcher({
			table,
			owners,
			accounts,
			folder: dependencies.clipsFolder,
			maxBytes: dependencies.maxClipBytes ?? defaultMaxClipBytes,
			clock,
			random,
			resolve,
			freeBytes,
		});
		this.poller = this.register(
			new Poller({ table, holder, owners, accounts, clips, clock, log, random }),
		);
	}

	/** Newest first, without removed jobs. */
	get jobs(): readonly VideoJob[] {
		return this.table
			.all()
			.filter(job => job.removedAt === undefined)
			.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	}

	/** File names of records that can't be read or are from a newer version. */
	get unreadable(): readonly string[] {
		return this.table.unreadable;
	}

	job(id: string): VideoJob | undefined {
		const job = this.table.get(id);
		return job?.removedAt === undefined ? job : undefined;
	}

	/** Reads the records and resumes unfinished jobs. Never sends a request that may cost money. */
	async start(): Promise<void> {
		await this.table.load();
		await this.submissions.findLost();
		await this.eraseRemoved();
		await this.tidyClips();
		this.connectionsChanged();
		this.poller.sync();
		await this.storyboards.start();
		this.register(every(lostWindowsMs, () => this.takeOver(), this.clock));
	}

	/**
	 * Writes the record, then sends the request once. Resolves to the job's id as soon as the record is on disk. Throws `VideoStoreError` if it can't be
	 * written; then nothing was sent. The outcome is the job's state. With `chat`, a card below that question shows the job; with `scene`, it is another
	 * attempt of a storyboard's scene.
	 */
	async submit(
		request: VideoRequest,
		origin: Pick<VideoJob, "source" | "chat" | "scene"> = {},
	): Promise<string> {
		if (request.kind === "storyboard") {
			return await this.submitStoryboard(request, origin);
		}
		const submitter = this.submissions.begin();
		const job: VideoJob = {
			...this.newJob(request, origin),
			submissions: 1,
			submitter,
			state: { name: "submitting" },
		};
		try {
			await this.store.create(job);
		} catch (error) {
			this.submissions.giveUp(submitter);
			throw error;
		}
		this.table.add(job);
		void this.submissions.send(job, submitter);
		return job.id;
	}

	/**
	 * Records a storyboard and its scenes, then sends the scenes one after the other, each once. Resolves to the storyboard's id as soon as everything
	 * is on disk. Throws `VideoStoreError` if it can't be written; then nothing was sent.
	 */
	private async submitStoryboard(
		request: Extract<VideoRequest, { kind: "storyboard" }>,
		origin: Pick<VideoJob, "source" | "chat">,
	): Promise<string> {
		const job = this.newJob(request, origin);
		await this.storyboards.begin({ ...job, submissions: 0, state: { name: "recording" } });
		return job.id;
	}

	private newJob(
		request: VideoRequest,
		{ source, chat, scene }: Pick<VideoJob, "source" | "chat" | "scene">,
	): Omit<VideoJob, "state" | "submissions"> {
		const createdAt = this.clock.now();
		return {
			id: newJobId(createdAt),
			request,
			source,
			chat,
			scene,
			endpoint: this.dependencies.endpoint(),
			createdAt,
			watch: { watchedMs: 0, round: 0 },
			ignoresSizeLimit: false,
		};
	}

	/** Sends the scenes of a storyboard that were never sent or were rejected, each once. Call it only on a click. */
	submitScenes(id: string): Promise<void> {
		return this.storyboards.send(id);
	}

	joinAgain(id: string): Promise<void> {
		return this.storyboards.joinAgain(id);
	}

	/** Whether this window is sending a storyboard's scenes or joining their clips. */
	isBusy(id: string): boolean {
		return this.storyboards.isBusy(id);
	}

	/** Sends a job's request again. Call it only on a click. Does nothing unless the request wasn't sent or possibly wasn't. */
	async submitAgain(id: string): Promise<void> {
		void (await this.submissions.again(id))?.sent;
	}

	/** Checks a job again and continues from the result. Works for every job with a generation id. */
	checkAgain(id: string): Promise<void> {
		return this.change(id, { type: "watchRequested" });
	}

	stopWatching(id: string): Promise<void> {
		return this.change(id, { type: "watchStopped" });
	}

	/** Downloads the clip even if it exceeds the size limit. */
	downloadAnyway(id: string): Promise<void> {
		return this.change(id, { type: "watchRequested", ignoresSizeLimit: true });
	}

	/** Removes a job, with its scenes if it is a storyboard. Files are kept. `restore` undoes this for a day. */
	async remove(id: string): Promise<void> {
		const at = this.clock.now();
		await Promise.all(this.withScenes(id).map(job => this.change(job, { type: "removed", at })));
	}

	async restore(id: string): Promise<void> {
		await Promise.all(this.withScenes(id).map(job => this.change(job, { type: "restored" })));
	}

	/** Retries jobs that need a key. Call it when the key or the settings have changed. */
	connectionsChanged(): void {
		for (const { id, state } of this.table.all()) {
			if (state.name === "needsKey") {
				void this.table.apply(id, { type: "watchRequested" });
			}
		}
	}

	private takeOver(): void {
		void this.submissions.findLost();
		this.poller.sync();
	}

	private withScenes(id: string): string[] {
		const scenes = this.table.all().filter(({ scene }) => scene?.storyboard === id);
		return [id, ...scenes.map(job => job.id)];
	}

	private async change(id: string, event: VideoJobEvent): Promise<void> {
		await this.table.apply(id, event);
	}

	private async eraseRemoved(): Promise<void> {
		for (const { id, removedAt, target } of this.table.all()) {
			if (removedAt === undefined || this.clock.now() - removedAt <= undoMs) {
				continue;
			}
			try {
				// The record is deleted last, because only it refers to the partial file.
				await (target && discardPart(target.folder, id));
				await this.table.erase(id);
			} catch (error) {
				this.log.warn("A removed video's record stays", { error: String(error) });
			}
		}
	}

	/** Removes partial files that a crash left for finished jobs. */
	private async tidyClips(): Promise<void> {
		const over = this.table.all().filter(({ state }) => isOver(state));
		try {
			await discardParts(
				over.flatMap(({ id, target }) => (target ? [{ id, folder: target.folder }] : [])),
			);
		} catch (error) {
			this.log.warn("What a crash left beside a clip stays", { error: String(error) });
		}
	}
}

const cannotJoin: JoinClips = () => Promise.reject(new Error("noJoiner"));

/** Whether no download is running or can continue: the clip is there, or will never be. */
function isOver({ name }: VideoJob["state"]): boolean {
	return name === "ready" || name === "failedByService" || name === "goneAtService";
}
