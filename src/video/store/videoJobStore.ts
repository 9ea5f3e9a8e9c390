import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../common/errors.ts";
import { delay, systemClock } from "../../common/async.ts";
import { parseJson } from "../../common/json.ts";
import {
	type FoundLease,
	isDead,
	type LeaseHolder,
	releaseLease,
	takeLease,
} from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import { ifThere, writeAtomically } from "../../storage/atomicFile.ts";
import { type VideoJob, videoJobSchema } from "../job/videoJob.ts";
import * as z from "zod/mini";

/** Format version of records. Records of a newer version are shown if possible, and never written. */
const recordFormat = 1;

const recordSchema = z.object({ format: z.int(), job: videoJobSchema });
const versionSchema = z.object({ format: z.int() });

type ReadRecord =
	| { readonly kind: "job"; readonly job: VideoJob; readonly isNewer: boolean }
	/** Written by a newer version, and this version can't show it. */
	| { readonly kind: "newer" }
	| { readonly kind: "damaged" };

export function encodeRecord(job: VideoJob): string {
	return `${JSON.stringify({ format: recordFormat, job })}\n`;
}

/** Parses a record. `id` is the id in the file name, which the job's own id must match. */
export function decodeRecord(record: string, id: string): ReadRecord {
	const body = parseJson(record);
	const version = z.safeParse(versionSchema, body);
	const isNewer = version.success && version.data.format > recordFormat;
	const parsed = z.safeParse(recordSchema, body);
	if (parsed.success && parsed.data.job.id === id) {
		return { kind: "job", job: parsed.data.job, isNewer };
	}
	return { kind: isNewer ? "newer" : "damaged" };
}

/** A record could not be written. `code` is the system's error code, such as `ENOSPC`. */
export class VideoStoreError extends Error {
	override readonly name = "VideoStoreError";
	readonly kind: "full" | "readOnly" | "denied" | "newer" | "failed";
	readonly code: string;
	readonly path: string;

	constructor(kind: VideoStoreError["kind"], path: string, code: string, cause?: unknown) {
		super(`${kind}: ${path}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
		this.code = code;
		this.path = path;
	}
}

export interface StoredJob {
	readonly job: VideoJob;
	/** Written by a newer version, so it is shown but never changed. */
	readonly isReadOnly: boolean;
}

/** The records found in the folder. */
export interface StoredJobs {
	readonly jobs: readonly StoredJob[];
	/** Names of records that were set aside as damaged, or skipped because a newer version wrote them. */
	readonly unreadable: readonly string[];
}

export interface VideoJobStoreDependencies {
	/** Absolute path; created if needed. */
	readonly folder: string;
	readonly holder: LeaseHolder;
	/** Replaces a file. Tests override it to simulate disk failures. */
	readonly write?: (path: string, text: string) => Promise<void>;
}

const suffix = ".json";
const lockTriesMs = 20;
/** Locks are held for milliseconds. After this many tries, an unchanged lock is removed. */
const maxLockTries = 500;
/** Age at which a temporary file counts as abandoned, in milliseconds. */
const draftLifeMs = 60 * 60_000;
const readersAtOnce = 32;

/** Returns the job id of a record's file name, or undefined for other files. */
export function recordIdOf(fileName: string): string | undefined {
	const id = fileName.endsWith(suffix) ? fileName.slice(0, -suffix.length) : "";
	return /^[a-z0-9-]{1,64}$/.test(id) ? id : undefined;
}

/** The records of all jobs, shared by all windows. Each is a file that is replaced atomically. Methods throw `VideoStoreError`. */
export class VideoJobStore {
	private readonly dependencies: VideoJobStoreDependencies;
	private readonly write: (path: string, text: string) => Promise<void>;
	private readonly tails = new Map<string, Promise<unknown>>();

	constructor(dependencies: VideoJobStoreDependencies) {
		this.dependencies = dependencies;
		this.write = dependencies.write ?? writeAtomically;
	}

	/** Writes the record of a new job. When it resolves, the record survives a power cut. */
	create(job: VideoJob): Promise<void> {
		return this.guarded(this.pathOf(job.id), async path => {
			await fs.mkdir(this.dependencies.folder, { recursive: true });
			await this.write(path, encodeRecord(job));
		});
	}

	/** Writes the record of a job unless one exists, also by another window. */
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

	/** Reads a record, applies `change` and writes a different result, under a lock. Undefined if there is no record. */
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

	/** Reads all records and sets damaged ones aside. */
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
				// An inaccessible record is reported as unreadable and doesn't affect the others.
				unreadable.push(`${id}${suffix}`);
			}
		};
		while (ids.length > 0) {
			await Promise.all(ids.splice(0, readersAtOnce).map(readOne));
		}
		await this.sweep();
		return { jobs, unreadable: [...new Set(unreadable)] };
	}

	ids(): Promise<readonly string[]> {
		return this.guarded(this.dependencies.folder, async folder => {
			const names = (await ifThere(fs.readdir(folder))) ?? [];
			return names.map(recordIdOf).filter(id => id !== undefined);
		});
	}

	erase(id: string): Promise<void> {
		return this.inTurn(id, () =>
			this.guarded(this.pathOf(id), path => this.locked(id, () => fs.rm(path, { force: true }))),
		);
	}

	/** Removes temporary files of killed windows. Failures are harmless. */
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
		const text = await ifThere(fs.readFile(path, "utf8"));
		return text === undefined ? undefined : decodeRecord(text, id);
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
			// Uses the system clock, because another process on this machine is being waited for.
			await delay(lockTriesMs);
		}
		try {
			return await step();
		} finally {
			await releaseLease(place, holder);
		}
	}

	/** Runs the changes of a job one at a time, in the order they were requested. */
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
