import * as fs from "node:fs/promises";
import { join, dirname } from "node:path";
import * as z from "zod/mini";
import { type Clock, delay } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { systemCode, writeReplaceable } from "../../storage/atomicFile.ts";
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

const recordSchema = z.object({
	version: z.literal(1),
	fileId: z.string().check(z.minLength(1)),
});

/**
 * Remembers on disk which bytes a service holds, so that the same bytes are never sent twice: one file for each, in a folder
 * which is created for this user alone on first need. With the first record that is kept, those that nobody used for long
 * and those beyond the limit go.
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

	/** The id the service gave these bytes; undefined when it is not known to hold them. */
	async find(account: string, hash: string): Promise<string | undefined> {
		try {
			const path = this.pathOf(account, hash);
			const { fileId } = recordSchema.parse(JSON.parse(await fs.readFile(path, "utf8")));
			// What is used stays.
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

	/** Keeps an id. A disk that refuses costs one more upload some day, so that is only logged. */
	remember(account: string, hash: string, fileId: string): Promise<void> {
		return writeRecord(this.pathOf(account, hash), fileId)
			.then(() => this.prune())
			.catch((error: unknown) => this.refused(error));
	}

	/** Runs `task` while no other window brings the same bytes to the same service; as `whileClaimed` does. */
	whileClaimed<T>(
		account: string,
		hash: string,
		options: Omit<ClaimOptions, "clock">,
		task: () => Promise<T>,
	): Promise<T> {
		const { clock } = this;
		return whileClaimed(this.pathOf(account, hash, "claim"), { ...options, clock }, task);
	}

	/** Forgets the id of bytes the service does not know any more; another id of theirs stays. */
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

/** A record that a power cut breaks costs one more upload, so nothing waits for the medium. */
async function writeRecord(path: string, fileId: string): Promise<void> {
	const record: z.infer<typeof recordSchema> = { version: 1, fileId };
	await inFolderOf(path, () => writeReplaceable(path, JSON.stringify(record)));
}

/** Runs a step that makes a file, again with its folder where that is not there. */
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

/** How often a claim that is held says so, in milliseconds. */
const renewMs = 5_000;

/** After how long without such a word a claim is that of a window that crashed, in milliseconds. */
const staleMs = 20_000;

/** How often a claim of another window is looked at, in milliseconds. */
const lookMs = 300;

/** How a claim is made. */
interface ClaimOptions {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Hears that another window has it, before the wait for that window begins. */
	readonly onWait: () => void;
}

/**
 * Runs `task` while no other window runs one under the same path, which becomes a file meanwhile; its folder is created. Waits
 * for another window, at most 20 seconds for one that crashed. A disk that refuses the file keeps nobody from the task. Throws
 * what the task throws, and `AbortError`.
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
	const takenAt = clock.now();
	const lease = new Lease(dependencies, holder, renewMs);
	try {
		return await task();
	} finally {
		// Nobody takes over a claim that young.
		await lease.release(Math.abs(clock.now() - takenAt) < renewMs);
	}
}

/** Whether the claim is this window's now, or cannot be anybody's. */
async function claim(dependencies: LeaseDependencies, holder: LeaseHolder): Promise<boolean> {
	const { path, clock } = dependencies;
	const isGone = (found: FoundLease): boolean => isDead(found) || silenceOf(found, clock) > staleMs;
	try {
		return (
			(await inFolderOf(path, () => createLease(dependencies, holder))) ||
			(await takeLease(dependencies, holder, isGone))
		);
	} catch {
		// A disk that refuses costs at most one upload more.
		return true;
	}
}

/** How many records are kept, and for how long. */
interface RecordLimits {
	/** Of all services together; the ones used longest ago go first. */
	readonly maxRecords: number;
	/** Since a record was last used, in milliseconds. */
	readonly maxAgeMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What is kept: a forgotten record costs one more upload of those bytes some day. */
const defaultRecordLimits: RecordLimits = { maxRecords: 5_000, maxAgeMs: 180 * dayMs };

/** A record that was started so long ago, in milliseconds, was left by a window that crashed. */
const unfinishedMs = dayMs;

interface UploadRecordFile {
	readonly path: string;
	/** When it was last used, in milliseconds since 1970. */
	readonly usedAt: number;
	readonly isWhole: boolean;
}

/**
 * Removes the records below `folder` that nobody used for long, those beyond the count, and what crashes left. Another window
 * may do the same at the same time. Throws what the disk throws.
 */
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
