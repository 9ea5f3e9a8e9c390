import * as fs from "node:fs/promises";
import { join, dirname } from "node:path";
import * as z from "zod/mini";
import { systemCode } from "../../common/errors.ts";
import { type Clock, delay } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { writeReplaceable } from "../../storage/atomicFile.ts";
import {
	createLease,
	currentHolder,
	isDead,
	type FoundLease,
	Lease,
	type LeaseHolder,
	type LeaseDependencies,
	silenceOf,
	takeLease,
} from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";

const recordSchema = z.object({ version: z.literal(1), fileId: z.string().check(z.minLength(1)) });

/**
 * Records on disk which files a service has, so that the same content is never sent twice. Each record is a file, in a folder accessible only to this
 * user. The first write removes records that are unused for long or beyond the limit.
 */
export class UploadRecords {
	private readonly folder: string;
	private readonly log: Log;
	private readonly clock: Clock;
	private readonly limits: RecordLimits;
	private isPruned = false;

	constructor(folder: string, log: Log, clock: Clock, limits: RecordLimits = defaultRecordLimits) {
		this.folder = folder;
		this.log = log;
		this.clock = clock;
		this.limits = limits;
	}

	/** Returns the service's id of a content, or undefined if there is no record. */
	async find(account: string, hash: string): Promise<string | undefined> {
		try {
			const path = this.pathOf(account, hash);
			const { fileId } = recordSchema.parse(JSON.parse(await fs.readFile(path, "utf8")));
			// Marks the record as used.
			const now = this.clock.now() / 1000;
			await fs.utimes(path, now, now).catch(error => this.refused(error));
			return fileId;
		} catch (error) {
			if (systemCode(error) !== "ENOENT") {
				this.log.warn("The record of an upload could not be read", { code: systemCode(error) });
			}
			return undefined;
		}
	}

	/** Records an id. Only logs a failure, which costs at most another upload. */
	remember(account: string, hash: string, fileId: string): Promise<void> {
		return writeRecord(this.pathOf(account, hash), fileId)
			.then(() => this.prune())
			.catch((error: unknown) => this.refused(error));
	}

	/** Runs `task` while no other window uploads the same content to the same service, like the function `whileClaimed`. */
	whileClaimed<T>(
		account: string,
		hash: string,
		options: Omit<ClaimOptions, "clock">,
		task: () => Promise<T>,
	): Promise<T> {
		const { clock } = this;
		return whileClaimed(this.pathOf(account, hash, "claim"), { ...options, clock }, task);
	}

	/** Deletes the record of content that the service no longer has, unless it has another id. */
	async forget(account: string, hash: string, fileId: string): Promise<void> {
		if ((await this.find(account, hash)) === fileId) {
			const path = this.pathOf(account, hash);
			await fs.rm(path, { force: true }).catch(error => this.refused(error));
		}
	}

	private pathOf(account: string, hash: string, ending = "json"): string {
		if (!/^[0-9a-f]+$/.test(account) || !/^[0-9a-f]{64}$/.test(hash)) {
			throw new RangeError("An upload is recorded by hex digits only");
		}
		return join(this.folder, account, `${hash}.${ending}`);
	}

	private async prune(): Promise<void> {
		if (!this.isPruned) {
			this.isPruned = true;
			await pruneRecords(this.folder, this.limits, this.clock.now());
		}
	}

	private refused(error: unknown): void {
		this.log.warn("The record of an upload was not kept", { code: systemCode(error) });
	}
}

/** Doesn't wait for the disk, because a broken record costs only another upload. */
async function writeRecord(path: string, fileId: string): Promise<void> {
	const record: z.infer<typeof recordSchema> = { version: 1, fileId };
	await inFolderOf(path, () => writeReplaceable(path, JSON.stringify(record)));
}

/** Runs a step that creates a file. Creates the folder and tries again if it is missing. */
async function inFolderOf<T>(path: string, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		if (systemCode(error) !== "ENOENT") {
			throw error;
		}
		await nodeFileSystem.makeFolder(dirname(path));
		return await step();
	}
}

/** Heartbeat interval of a claim, in milliseconds. */
const renewMs = 5_000;

/** Age after which a claim without heartbeat counts as abandoned, in milliseconds. */
const staleMs = 20_000;

/** Interval for checking another window's claim, in milliseconds. */
const lookMs = 300;

interface ClaimOptions {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly onWait: () => void;
}

/**
 * Runs `task` under a lock file at `path` that excludes other windows; creates its folder. Waits for another window, or at most 20 seconds if that
 * has crashed. Runs the task without the lock if the disk refuses it. Throws the task's errors and `AbortError`.
 */
async function whileClaimed<T>(
	path: string,
	{ clock, signal, onWait }: ClaimOptions,
	task: () => Promise<T>,
): Promise<T> {
	const dependencies: LeaseDependencies = { files: nodeFileSystem, path, clock };
	const holder = currentHolder();
	for (let isFirst = true; !(await claim(dependencies, holder)); isFirst = false) {
		if (isFirst) {
			onWait();
		}
		await delay(lookMs, signal, clock);
	}
	const lease = new Lease(dependencies, holder, renewMs);
	try {
		return await task();
	} finally {
		await lease.release();
	}
}

/** Whether this window has the claim, or the lock file can't be created. */
async function claim(dependencies: LeaseDependencies, holder: LeaseHolder): Promise<boolean> {
	const { path, clock } = dependencies;
	const isGone = (found: FoundLease): boolean => isDead(found) || silenceOf(found, clock) > staleMs;
	try {
		return (
			(await inFolderOf(path, () => createLease(dependencies, holder))) ||
			(await takeLease(dependencies, holder, isGone))
		);
	} catch {
		// Without the lock, there may be one upload more.
		return true;
	}
}

interface RecordLimits {
	/** Limit for all services together. The least recently used are removed first. */
	readonly maxRecords: number;
	/** Time since the last use, in milliseconds. */
	readonly maxAgeMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A removed record costs at most another upload. */
const defaultRecordLimits: RecordLimits = { maxRecords: 5_000, maxAgeMs: 180 * dayMs };

/** Age at which an incomplete record counts as abandoned, in milliseconds. */
const unfinishedMs = dayMs;

interface UploadRecordFile {
	readonly path: string;
	/** Time of the last use, in milliseconds since 1970. */
	readonly usedAt: number;
	readonly isWhole: boolean;
}

/** Removes records that are unused for long, beyond the limit or incomplete. Several windows may do this at once. Throws the system's errors. */
async function pruneRecords(
	folder: string,
	{ maxRecords, maxAgeMs }: RecordLimits,
	nowMs: number,
): Promise<void> {
	const files = await keptFiles(folder);
	const isOld = ({ usedAt, isWhole }: UploadRecordFile): boolean =>
		nowMs - usedAt > (isWhole ? maxAgeMs : unfinishedMs);
	const old = files.filter(isOld);
	const beyond = files
		.filter(file => file.isWhole && !isOld(file))
		.toSorted((one, other) => other.usedAt - one.usedAt)
		.slice(maxRecords);
	for (const { path } of [...old, ...beyond]) {
		await fs.rm(path, { force: true });
	}
}

async function keptFiles(folder: string): Promise<readonly UploadRecordFile[]> {
	const files: UploadRecordFile[] = [];
	for (const account of await fs.readdir(folder)) {
		for (const name of await fs.readdir(join(folder, account)).catch(() => [])) {
			const path = join(folder, account, name);
			const found = await fs.lstat(path).catch(() => undefined);
			if (found?.isFile()) {
				files.push({ path, usedAt: found.mtimeMs, isWhole: name.endsWith(".json") });
			}
		}
	}
	return files;
}
