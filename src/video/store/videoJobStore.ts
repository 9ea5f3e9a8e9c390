import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { delay, systemClock } from "../../common/async.ts";
import {
	type FoundLease,
	isDead,
	type LeaseHolder,
	releaseLease,
	takeLease,
} from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import { systemCode, writeAtomically } from "../../storage/atomicFile.ts";
import type { VideoJob } from "../job/videoJob.ts";
import { decodeRecord, encodeRecord } from "./videoRecord.ts";

/** A record that could not be kept or changed (faults L6, L7, L9); `code` is the system's own, such as `ENOSPC`. */
export class VideoStoreError extends Error {
	override readonly name = "VideoStoreError";
	readonly kind: "full" | "readOnly" | "denied" | "newer" | "failed";
	readonly code: string;
	/** The file or folder concerned. */
	readonly path: string;

	constructor(kind: VideoStoreError["kind"], path: string, code: string, cause?: unknown) {
		super(`${kind}: ${path}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
		this.code = code;
		this.path = path;
	}
}

/** A job's record as it is on the disk. */
export interface StoredJob {
	readonly job: VideoJob;
	/** A newer version wrote it: it is shown, never changed. */
	readonly isReadOnly: boolean;
}

/** Files found in the folder. */
export interface StoredJobs {
	readonly jobs: readonly StoredJob[];
	/** Names of records set aside as damaged, or left alone because they are from a newer version. */
	readonly unreadable: readonly string[];
}

/** Dependencies of a store. */
export interface VideoJobStoreDependencies {
	/** Absolute path; made when needed. */
	readonly folder: string;
	readonly holder: LeaseHolder;
	/** Writes a file as a whole; for tests that make a disk fail. */
	readonly write?: (path: string, text: string) => Promise<void>;
}

const suffix = ".json";
const lockTriesMs = 20;
/** A lock is held for a few milliseconds; one that stays the same for this many tries is forgotten. */
const maxLockTries = 500;
/** No file is written for so long, in milliseconds. */
const draftLifeMs = 60 * 60_000;
/** How many records are read at the same time. */
const readersAtOnce = 32;

/** The id of the job that a file is the record of; undefined for any other file. */
export function recordIdOf(fileName: string): string | undefined {
	const id = fileName.endsWith(suffix) ? fileName.slice(0, -suffix.length) : "";
	return /^[a-z0-9-]{1,64}$/.test(id) ? id : undefined;
}

/** The records of all jobs: one file each, replaced as a whole, shared by all windows. Methods throw `VideoStoreError`. */
export class VideoJobStore {
	private readonly dependencies: VideoJobStoreDependencies;
	private readonly write: (path: string, text: string) => Promise<void>;
	private readonly tails = new Map<string, Promise<unknown>>();

	/** Makes a store; nothing touches the disk yet. */
	constructor(dependencies: VideoJobStoreDependencies) {
		this.dependencies = dependencies;
		this.write = dependencies.write ?? writeAtomically;
	}

	/** Writes the record of another job; when this resolves it survives a power cut. */
	create(job: VideoJob): Promise<void> {
		return this.guarded(this.pathOf(job.id), async path => {
			await fs.mkdir(this.dependencies.folder, { recursive: true });
			await this.write(path, encodeRecord(job));
		});
	}

	/** Writes the record of a job unless there is one of its id, in whatever window it was written. */
	createMissing(job: VideoJob): Promise<void> {
		const { id } = job;
		return this.inTurn(id, () =>
			this.guarded(this.pathOf(id), path =>
				this.locked(id, async () => {
					if ((await this.decode(path, id)) === undefined) {
						await this.write(path, encodeRecord(job));
					}
				}),
			),
		);
	}

	/**
	 * Reads a record afresh, lets `change` make the next one and writes it, with every other window kept out meanwhile. An
	 * equal result writes nothing. Undefined when there is no such record.
	 */
	update(id: string, change: (job: VideoJob) => VideoJob): Promise<VideoJob | undefined> {
		return this.inTurn(id, () =>
			this.guarded(this.pathOf(id), path => this.locked(id, () => this.change(id, path, change))),
		);
	}

	read(id: string): Promise<StoredJob | undefined> {
		return this.guarded(this.pathOf(id), async path => {
			const record = await this.decode(path, id);
			return record?.kind === "job" ? { job: record.job, isReadOnly: record.isNewer } : undefined;
		});
	}

	/** Reads everything and sets damaged records aside. */
	async readAll(): Promise<StoredJobs> {
		const jobs: StoredJob[] = [];
		const unreadable: string[] = [];
		const ids = [...(await this.ids())];
		const readOne = async (id: string): Promise<void> => {
			const path = this.pathOf(id);
			try {
				const record = await this.decode(path, id);
				if (record?.kind === "job") {
					jobs.push({ job: record.job, isReadOnly: record.isNewer });
					return;
				}
				if (!record) {
					return;
				}
				unreadable.push(`${id}${suffix}`);
				if (record.kind === "damaged") {
					await fs.rename(path, `${path}.${randomUUID()}.damaged`);
				}
			} catch {
				// One record that the system refuses keeps nobody from the others; it is named among the unreadable.
				unreadable.push(`${id}${suffix}`);
			}
		};
		while (ids.length > 0) {
			await Promise.all(ids.splice(0, readersAtOnce).map(readOne));
		}
		await this.sweep();
		return { jobs, unreadable: [...new Set(unreadable)] };
	}

	/** Ids of the records that are there. */
	ids(): Promise<readonly string[]> {
		return this.guarded(this.dependencies.folder, async folder => {
			try {
				const names = await fs.readdir(folder);
				return names.map(recordIdOf).filter(id => id !== undefined);
			} catch (error) {
				if (systemCode(error) === "ENOENT") {
					return [];
				}
				throw error;
			}
		});
	}

	/** Deletes a record for good. */
	erase(id: string): Promise<void> {
		return this.inTurn(id, () =>
			this.guarded(this.pathOf(id), path => this.locked(id, () => fs.rm(path, { force: true }))),
		);
	}

	/** Removes the drafts of windows that were killed; one that cannot be removed does no harm. */
	private async sweep(): Promise<void> {
		const { folder } = this.dependencies;
		try {
			const drafts = (await fs.readdir(folder)).filter(name => name.endsWith(".tmp"));
			for (const path of drafts.map(name => join(folder, name))) {
				const { mtimeMs } = await fs.stat(path);
				if (systemClock.now() - mtimeMs > draftLifeMs) {
					await fs.rm(path, { force: true });
				}
			}
		} catch (error) {
			if (systemCode(error) === "") {
				throw error;
			}
		}
	}

	private async change(
		id: string,
		path: string,
		change: (job: VideoJob) => VideoJob,
	): Promise<VideoJob | undefined> {
		const record = await this.decode(path, id);
		if (record?.kind !== "job") {
			return undefined;
		}
		const next = change(record.job);
		if (next !== record.job) {
			if (record.isNewer) {
				throw new VideoStoreError("newer", path, "");
			}
			await this.write(path, encodeRecord(next));
		}
		return next;
	}

	private async decode(
		path: string,
		id: string,
	): Promise<ReturnType<typeof decodeRecord> | undefined> {
		try {
			return decodeRecord(await fs.readFile(path, "utf8"), id);
		} catch (error) {
			if (systemCode(error) === "ENOENT") {
				return undefined;
			}
			throw error;
		}
	}

	private async locked<T>(id: string, step: () => Promise<T>): Promise<T> {
		const { holder, folder } = this.dependencies;
		const place = { files: nodeFileSystem, path: join(folder, `${id}.lock`), clock: systemClock };
		let tries = 0;
		let seen: string | undefined;
		const isGone = (found: FoundLease): boolean => {
			const mark = `${found.holder?.session} ${found.modifiedAt}`;
			tries = mark === seen ? tries + 1 : 1;
			seen = mark;
			return isDead(found) || tries > maxLockTries;
		};
		while (!(await takeLease(place, holder, isGone))) {
			// By the machine's own clock: what is waited for is another process at work on the disk.
			await delay(lockTriesMs);
		}
		try {
			return await step();
		} finally {
			await releaseLease(place, holder);
		}
	}

	/** One change of a job at a time within this window, in the order they were asked for. */
	private inTurn<T>(id: string, task: () => Promise<T>): Promise<T> {
		const tail = this.tails.get(id) ?? Promise.resolve();
		const result = tail.then(task, task);
		this.tails.set(id, result);
		const forget = (): void => {
			if (this.tails.get(id) === result) {
				this.tails.delete(id);
			}
		};
		result.then(forget, forget);
		return result;
	}

	private async guarded<T>(path: string, step: (path: string) => Promise<T>): Promise<T> {
		try {
			return await step(path);
		} catch (error) {
			throw error instanceof VideoStoreError
				? error
				: new VideoStoreError(
						kindOfCode[systemCode(error)] ?? "failed",
						path,
						systemCode(error),
						error,
					);
		}
	}

	private pathOf(id: string): string {
		return join(this.dependencies.folder, `${id}${suffix}`);
	}
}

const kindOfCode: Readonly<Record<string, VideoStoreError["kind"]>> = {
	ENOSPC: "full",
	EDQUOT: "full",
	EROFS: "readOnly",
	EACCES: "denied",
	EPERM: "denied",
};
