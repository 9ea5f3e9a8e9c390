import { join } from "node:path";
import { type Clock, every } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { isAbortError, toError, systemCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { scenesOf } from "../../clip/clipLength.ts";
import { clipBaseName } from "../download/videoFileName.ts";
import { findNamed, nameClip, preparePart } from "../download/clipFile.ts";
import type { StoryboardEvent } from "../job/jobTransitions.ts";
import { type VideoJob, isDrawnClip, isUnfinished } from "../job/videoJob.ts";
import type { JoinClips } from "../join/joinThread.ts";
import type { Submissions } from "../requests/submissions.ts";
import {
	type FoundLease,
	isDead,
	type LeaseHolder,
	releaseLease,
	silenceOf,
	takeLease,
} from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import type { JobTable } from "../store/jobTable.ts";
import type { VideoJobStore } from "../store/videoJobStore.ts";

interface StoryboardsDependencies {
	readonly store: VideoJobStore;
	readonly table: JobTable;
	readonly submissions: Submissions;
	readonly joinClips: JoinClips;
	/** Folder of the records and of the join locks. Absolute path. */
	readonly recordsFolder: string;
	/** Folder of joined clips. Absolute path. */
	readonly clipsFolder: () => string;
	readonly holder: LeaseHolder;
	readonly clock: Clock;
	readonly log: Log;
}

/** Interval for finding storyboards that another window left unfinished, in milliseconds. */
const rescanMs = 15_000;

/** A join takes at most ten minutes, so an older lock belongs to a window that has ended. */
const longestJoinMs = 15 * 60_000;

type JoinEnding = Extract<StoryboardEvent, { type: "joinEnded" }>["ending"];

/**
 * Creates storyboards, sends their scenes as separate jobs on one click, and joins the clips once all are ready. A storyboard's record is written
 * before those of its scenes, and each of these before its request, so that a crash loses no scene. A scene is sent again only by a click.
 */
export class Storyboards extends Disposable {
	private readonly dependencies: StoryboardsDependencies;
	private readonly ending = new AbortController();
	/** Storyboards whose scenes this window is sending; `joining` has those whose clips it joins. */
	private readonly sending = new Set<string>();
	private readonly joining = new Set<string>();

	constructor(dependencies: StoryboardsDependencies) {
		super();
		this.dependencies = dependencies;
		this.register(dependencies.table.onDidChange(id => this.consider(id)));
	}

	/** Creates records that a crash prevented, and joins clips that are ready. Never sends a request. */
	async start(): Promise<void> {
		await this.rescan();
		this.register(every(rescanMs, () => void this.rescan(), this.dependencies.clock));
	}

	/** Whether this window is sending a storyboard's scenes or joining its clips. */
	isBusy(id: string): boolean {
		return this.sending.has(id) || this.joining.has(id);
	}

	/**
	 * Records a storyboard and all its scenes, then sends the scenes one after the other. Resolves once everything is on disk. Throws `VideoStoreError`
	 * if it can't be written; then nothing was sent.
	 */
	async begin(storyboard: VideoJob): Promise<void> {
		const { store, table } = this.dependencies;
		await store.create(storyboard);
		this.sending.add(storyboard.id);
		table.add(storyboard);
		try {
			await this.makeScenes(storyboard);
		} finally {
			this.sending.delete(storyboard.id);
		}
		void this.send(storyboard.id);
	}

	/**
	 * Sends the scenes that were never sent or were rejected, in order, each once. Stops if a failure would affect the other scenes, too; these wait for
	 * the next click.
	 */
	async send(id: string): Promise<void> {
		const { table, submissions, log } = this.dependencies;
		const storyboard = table.get(id);
		if (!storyboard || this.sending.has(id)) {
			return;
		}
		this.sending.add(id);
		table.tell(id);
		try {
			for (const scene of scenesToSend(storyboard, table.all())) {
				if (this.isDisposed || table.get(id)?.removedAt !== undefined) {
					return;
				}
				await (
					await submissions.again(scene.id)
				)?.sent;
				if (!isWorthGoingOn(table.get(scene.id))) {
					return;
				}
			}
		} catch (error) {
			log.warn("The scenes of a storyboard could not all be sent", { id, error: String(error) });
		} finally {
			this.sending.delete(id);
			table.tell(id);
		}
	}

	async joinAgain(id: string): Promise<void> {
		await this.dependencies.table.apply(id, { type: "joinRequested" });
	}

	override dispose(): void {
		this.ending.abort();
		super.dispose();
	}

	private async rescan(): Promise<void> {
		for (const job of this.dependencies.table.all()) {
			if (job.request.kind !== "storyboard" || job.removedAt !== undefined) {
				continue;
			}
			try {
				await this.makeScenes(job);
				this.consider(job.id);
			} catch (error) {
				this.dependencies.log.warn("A storyboard is not whole", { error: String(error) });
			}
		}
	}

	/**
	 * Records the scenes that have no record: all of a new storyboard, or some after a crash. Does nothing after that, because a missing record may be
	 * of a scene that was paid for. Scene ids derive from the storyboard's id, so that two windows create the same ones.
	 */
	private async makeScenes(storyboard: VideoJob): Promise<void> {
		const { store, table } = this.dependencies;
		const { id, endpoint, createdAt, source, chat, state } = storyboard;
		if (state.name !== "recording") {
			return;
		}
		for (const [index, { number, ...scene }] of sentScenes(storyboard).entries()) {
			const sceneId = `${id}-${index}`;
			if (table.get(sceneId)) {
				continue;
			}
			const job: VideoJob = {
				id: sceneId,
				request: { kind: "text", ...scene },
				source,
				chat,
				scene: { storyboard: id, index, ...(number !== index && { number }) },
				endpoint,
				createdAt,
				submissions: 0,
				state: { name: "waiting" },
				watch: { watchedMs: 0, round: 0 },
				ignoresSizeLimit: false,
			};
			await store.createMissing(job);
			await table.refresh(sceneId);
		}
		await table.apply(id, { type: "scenesRecorded" });
	}

	/** Joins a storyboard's clips if all are ready and this window may. */
	private consider(changed: string): void {
		const { table, log } = this.dependencies;
		const id = table.get(changed)?.scene?.storyboard ?? changed;
		const storyboard = table.get(id);
		if (
			this.isDisposed ||
			storyboard?.request.kind !== "storyboard" ||
			storyboard.removedAt !== undefined ||
			table.isReadOnly(id) ||
			this.joining.has(id)
		) {
			return;
		}
		const scenes = scenesToJoin(storyboard, table.all());
		if (scenes) {
			this.joining.add(id);
			this.join(storyboard, scenes)
				.catch((error: unknown) => log.warn("Clips were not joined", { error: String(error) }))
				.finally(() => {
					this.joining.delete(id);
					table.tell(id);
				});
		}
	}

	private async join(storyboard: VideoJob, scenes: readonly string[]): Promise<void> {
		const { table, recordsFolder, holder, clock } = this.dependencies;
		const { id } = storyboard;
		const place = { files: nodeFileSystem, path: join(recordsFolder, `${id}.join`), clock };
		const isGone = (found: FoundLease): boolean =>
			isDead(found) || silenceOf(found, clock) > longestJoinMs;
		// Only one window joins. The others check again when it has finished or ended.
		if (!(await takeLease(place, holder, isGone))) {
			return;
		}
		try {
			await table.refresh(id);
			const now = table.get(id);
			if (now && scenesToJoin(now, table.all())?.join(" ") === scenes.join(" ")) {
				const ending = await this.joined(now, scenes);
				await table.apply(id, { type: "joinEnded", scenes, ending });
			}
		} finally {
			await releaseLease(place, holder);
		}
	}

	private async joined(storyboard: VideoJob, scenes: readonly string[]): Promise<JoinEnding> {
		const { clock, clipsFolder } = this.dependencies;
		const { id, target, joined } = storyboard;
		const folder = clipsFolder();
		try {
			// After a crash, the file may have its name although the record isn't complete.
			const named =
				target && joined?.join(" ") === scenes.join(" ") ? await findNamed(target, id) : undefined;
			const made = named ?? (await this.make(storyboard, scenes, folder));
			return "reason" in made ? made : { name: "ready", ...made, savedAt: clock.now() };
		} catch (error) {
			if (isAbortError(error)) {
				throw error;
			}
			const code = systemCode(error);
			const detail = code === "" ? toError(error).message.slice(0, 200) : `${code} ${folder}`;
			return { name: "notJoined", reason: "failed", detail };
		}
	}

	private async make(storyboard: VideoJob, scenes: readonly string[], folder: string) {
		const { table, joinClips } = this.dependencies;
		const { id } = storyboard;
		const files = scenes.flatMap(scene => {
			const state = table.get(scene)?.state;
			return state?.name === "ready" ? [state.file] : [];
		});
		await table.apply(id, { type: "joinStarted", scenes });
		const part = await preparePart(folder, id);
		const result = await joinClips({ files, target: part }, this.ending.signal);
		if (result.type === "refused") {
			const { reason, detail } = result;
			return { name: "notJoined", reason, detail: detail.slice(0, 500) } as const;
		}
		return await nameClip({
			folder,
			jobId: id,
			baseName: clipBaseName(storyboard),
			format: result.format,
			size: result.size,
			onNamed: async named => {
				await table.apply(id, { type: "joinNamed", scenes, target: named });
			},
		});
	}
}

/** Whether to send the next scene: this one was accepted, or rejected only for its own content. */
function isWorthGoingOn(scene: VideoJob | undefined): boolean {
	const state = scene?.state;
	return state?.name === "notSubmitted"
		? state.failure.kind === "badRequest"
		: state?.name !== "submissionUnknown";
}

/** Returns the scenes as they are sent, with their number from 0. A long scene that the local renderer draws has several parts. */
function sentScenes({ request, endpoint }: VideoJob) {
	const scenes = request.kind === "storyboard" ? request.scenes : [];
	return scenes.flatMap((scene, number) => {
		const { prompt, duration } = scene;
		const parts = isDrawnClip(endpoint) ? scenesOf(prompt, duration) : [scene];
		return parts.map(part => ({ ...scene, ...part, number }));
	});
}

/** Groups what belongs to a storyboard's videos, in order, by the scenes that the user wrote. */
export function byScene<Item>(
	storyboard: VideoJob,
	items: readonly Item[],
): readonly (readonly Item[])[] {
	const numbers = sentScenes(storyboard).map(({ number }) => number);
	return [...Map.groupBy(items, (_, index) => numbers[index]).values()];
}

/**
 * Returns the relevant job for each video of a storyboard, in order: the newest that is ready or running, or else the newest. It is undefined if the
 * scene has no record yet. Ignores removed jobs.
 */
export function sceneJobs(
	storyboard: VideoJob,
	jobs: readonly VideoJob[],
): readonly (VideoJob | undefined)[] {
	const members = jobs
		.filter(
			({ scene, removedAt }) => scene?.storyboard === storyboard.id && removedAt === undefined,
		)
		.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	return sentScenes(storyboard).map((_, index) => {
		const takes = members.filter(({ scene }) => scene?.index === index);
		return takes.find(job => isUnfinished(job) || job.state.name === "ready") ?? takes[0];
	});
}

/** Returns the ids of the jobs whose clips are to be joined, or undefined if one isn't ready or their clip exists. */
function scenesToJoin(
	storyboard: VideoJob,
	jobs: readonly VideoJob[],
): readonly string[] | undefined {
	const scenes = sceneJobs(storyboard, jobs);
	const ids = scenes.flatMap(job => (job?.state.name === "ready" ? [job.id] : []));
	const isWhole = ids.length === scenes.length && ids.length > 0;
	const isDone =
		["ready", "notJoined"].includes(storyboard.state.name) &&
		storyboard.joined?.join(" ") === ids.join(" ");
	return isWhole && !isDone ? ids : undefined;
}

/** Returns the scenes that can be sent without a second charge: never sent or rejected. */
function scenesToSend(storyboard: VideoJob, jobs: readonly VideoJob[]): readonly VideoJob[] {
	return sceneJobs(storyboard, jobs)
		.filter(job => job !== undefined)
		.filter(({ state }) => state.name === "waiting" || state.name === "notSubmitted");
}
