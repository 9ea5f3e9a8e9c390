import * as fs from "node:fs";
import { type Clock, Coalescer, every } from "../../common/async.ts";
import { Disposable, toDisposable, Emitter, type Event } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { transition, type VideoJobEvent } from "../job/jobTransitions.ts";
import { isUnfinished, type VideoJob } from "../job/videoJob.ts";
import {
	recordIdOf,
	type StoredJob,
	type VideoJobStore,
	VideoStoreError,
} from "./videoJobStore.ts";

export interface JobTableDependencies {
	readonly store: VideoJobStore;
	readonly folder: string;
	readonly clock: Clock;
	readonly log: Log;
}

/** Interval for retrying changes that could not be written. */
const retryMs = 30_000;

/** Interval for scanning the folder on file systems that don't report changes. */
const rescanMs = 10_000;

/** The most records read at once, and the most resting records per scan. */
const batchSize = 32;

/** All jobs as known to this window. Matches the records, except while writing fails. */
export class JobTable extends Disposable {
	private readonly dependencies: JobTableDependencies;
	private readonly known = new Map<string, VideoJob>();
	private readonly readOnly = new Set<string>();
	private readonly unwritten = new Map<string, VideoJobEvent[]>();
	private readonly touched = new Set<string>();
	private readonly reloads: Coalescer;
	private readonly retries: Coalescer;
	private readonly changed = this.register(new Emitter<string>(error => this.report(error)));
	readonly onDidChange: Event<string> = this.changed.event;
	private unreadableNames: readonly string[] = [];
	/** The folder's modification time at the last two scans. */
	private lookedAt: readonly [number, number] = [0, 0];
	private turn = 0;

	constructor(dependencies: JobTableDependencies) {
		super();
		this.dependencies = dependencies;
		this.reloads = this.register(
			new Coalescer(30, () => void this.reloadTouched(), dependencies.clock),
		);
		this.retries = this.register(
			new Coalescer(retryMs, () => void this.writeUnwritten(), dependencies.clock),
		);
	}

	get unreadable(): readonly string[] {
		return this.unreadableNames;
	}

	all(): VideoJob[] {
		return [...this.known.values()];
	}

	get(id: string): VideoJob | undefined {
		return this.known.get(id);
	}

	/** Whether a newer version of Cutaway wrote the record. */
	isReadOnly(id: string): boolean {
		return this.readOnly.has(id);
	}

	/** Reads all records and starts watching for changes by other windows. */
	async load(): Promise<void> {
		const { store, folder, clock } = this.dependencies;
		await fs.promises.mkdir(folder, { recursive: true }).catch(error => this.report(error));
		this.listen();
		this.register(every(rescanMs, () => void this.rescan(), clock));
		const { jobs, unreadable } = await store.readAll();
		this.unreadableNames = unreadable;
		jobs.forEach(stored => this.take(stored));
	}

	/** Adds a job whose record was just written. */
	add(job: VideoJob): void {
		this.set(job);
	}

	/** Fires a change event for a change that isn't recorded. */
	tell(id: string): void {
		if (!this.isDisposed) {
			this.changed.fire(id);
		}
	}

	/** Applies an event to the record and in this window. Retries failed writes; the event applies here anyway. */
	async apply(id: string, event: VideoJobEvent): Promise<VideoJob | undefined> {
		const waiting = this.unwritten.get(id);
		if (waiting) {
			waiting.push(event);
			return this.applyHere(id, event);
		}
		try {
			return (await this.applyOnDisk(id, event)).job;
		} catch (error) {
			this.report(error);
			if (error instanceof VideoStoreError && error.kind !== "newer") {
				this.unwritten.set(id, [...(this.unwritten.get(id) ?? []), event]);
				this.retries.schedule();
				return this.applyHere(id, event);
			}
			return this.get(id);
		}
	}

	/** Applies an event to the record and returns whether it changed anything. Throws `VideoStoreError`. */
	async applyOnDisk(
		id: string,
		event: VideoJobEvent,
	): Promise<{ readonly job: VideoJob | undefined; readonly isChanged: boolean }> {
		let isChanged = false;
		const job = await this.dependencies.store.update(id, before => {
			const next = transition(before, event);
			isChanged = next !== before;
			return next;
		});
		if (job) {
			this.set(job);
		} else {
			this.forget(id);
		}
		return { job, isChanged };
	}

	/** Applies an event that needn't be recorded, such as progress. */
	applyHere(id: string, event: VideoJobEvent): VideoJob | undefined {
		const job = this.get(id);
		if (!job) {
			return undefined;
		}
		const next = transition(job, event);
		this.set(next);
		return next;
	}

	async erase(id: string): Promise<void> {
		await this.dependencies.store.erase(id);
		this.forget(id);
	}

	private take({ job, isReadOnly }: StoredJob): void {
		if (isReadOnly) {
			this.readOnly.add(job.id);
		}
		if (!this.unwritten.has(job.id)) {
			this.set(job);
		}
	}

	private set(job: VideoJob): void {
		const before = this.known.get(job.id);
		if (this.isDisposed || before === job || (before && isStale(before, job))) {
			return;
		}
		if (before && JSON.stringify(before) === JSON.stringify(job)) {
			return;
		}
		this.known.set(job.id, job);
		this.changed.fire(job.id);
	}

	private forget(id: string): void {
		if (this.known.delete(id) && !this.isDisposed) {
			this.changed.fire(id);
		}
	}

	private listen(): void {
		try {
			const watcher = fs.watch(this.dependencies.folder, { persistent: false }, (_type, name) => {
				const id = name === null ? undefined : recordIdOf(name);
				if (id !== undefined) {
					this.touched.add(id);
					this.reloads.schedule();
				}
			});
			watcher.on("error", error => this.report(error));
			this.register(toDisposable(() => watcher.close()));
		} catch (error) {
			this.report(error);
		}
	}

	private async reloadTouched(): Promise<void> {
		const ids = [...this.touched];
		this.touched.clear();
		for (const some of batches(ids)) {
			await Promise.all(some.map(id => this.reload(id)));
		}
	}

	/** Reads a record again, in case another window wrote it. Throws `VideoStoreError`. */
	async refresh(id: string): Promise<void> {
		const stored = await this.dependencies.store.read(id);
		if (stored) {
			this.take(stored);
		} else if (!this.unwritten.has(id)) {
			this.forget(id);
		}
	}

	private async reload(id: string): Promise<void> {
		try {
			await this.refresh(id);
		} catch (error) {
			this.report(error);
		}
	}

	/** Finds added, removed and unfinished records on file systems that don't report changes. */
	private async rescan(): Promise<void> {
		try {
			if (!(await this.hasFolderChanged())) {
				return;
			}
			const ids = await this.dependencies.store.ids();
			const present = new Set(ids);
			const gone = [...this.known.keys()].filter(id => !present.has(id));
			const fresh = ids.filter(
				id => !this.known.has(id) && !this.unreadableNames.includes(`${id}.json`),
			);
			for (const some of batches([...new Set([...gone, ...fresh, ...this.nextOpen()])])) {
				await Promise.all(some.map(id => this.reload(id)));
			}
		} catch (error) {
			this.report(error);
		}
	}

	/** Every write of a record changes the folder. Scans once more after a change, because a simultaneous change can be missed. */
	private async hasFolderChanged(): Promise<boolean> {
		const { mtimeMs } = await fs.promises.stat(this.dependencies.folder);
		const isSame = this.lookedAt[0] === mtimeMs && this.lookedAt[1] === mtimeMs;
		this.lookedAt = [mtimeMs, this.lookedAt[0]];
		return !isSame;
	}

	/** Returns the running jobs, and by turns some of the others that may still change. */
	private nextOpen(): string[] {
		const open = this.all().filter(isOpen);
		const running = open.filter(isUnfinished).map(({ id }) => id);
		const waiting = open.filter(job => !isUnfinished(job)).map(({ id }) => id);
		const turn = this.turn < waiting.length ? this.turn : 0;
		this.turn = turn + batchSize;
		return [...running, ...waiting.slice(turn, this.turn)];
	}

	private async writeUnwritten(): Promise<void> {
		for (const [id, events] of this.unwritten) {
			this.unwritten.delete(id);
			for (const event of events) {
				await this.apply(id, event);
			}
		}
	}

	private report(error: unknown): void {
		const { name, message } = toError(error);
		const code = error instanceof VideoStoreError ? error.code : undefined;
		this.dependencies.log.warn("A video record could not be kept or read", { name, code, message });
	}
}

/** Whether a record was read that is older than the progress of its download. */
function isStale(before: VideoJob, job: VideoJob): boolean {
	return (
		before.state.name === "downloading" &&
		job.state.name === "downloading" &&
		before.watch.round === job.watch.round &&
		job.removedAt === before.removedAt &&
		job.state.received < before.state.received &&
		job.state.received === 0
	);
}

function isOpen({ state }: VideoJob): boolean {
	return !["ready", "notSubmitted", "failedByService", "goneAtService"].includes(state.name);
}

function batches(ids: readonly string[]): string[][] {
	return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
		ids.slice(index * batchSize, (index + 1) * batchSize),
	);
}
