import * as fs from "node:fs/promises";
import { join, dirname } from "node:path";
import * as z from "zod/mini";
import { type Clock, delay } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import {
	systemCode,
	writeAtomically,
	currentHolder,
	isDead,
	keepLease,
	type LeaseHolder,
	type LeaseDependencies,
	nodeFileSystem,
	silenceOf,
	takeLease,
} from "../../storage/index.ts";

/** Remembers on disk which bytes a service holds, so that the same bytes are never sent twice. One file for each. */
export interface UploadRecords {
	/** The id the service gave these bytes; undefined when it is not known to hold them. */
	find(account: string, hash: string): Promise<string | undefined>;
	/** Keeps an id. A disk that refuses costs one more upload some day, so that is only logged. */
	remember(account: string, hash: string, fileId: string): Promise<void>;
	/** Runs `task` while no other window brings the same bytes to the same service; as `whileClaimed` does. */
	whileClaimed<T>(
		account: string,
		hash: string,
		options: Omit<ClaimOptions, "clock">,
		task: () => Promise<T>,
	): Promise<T>;
	/** Forgets the id of bytes the service does not know any more; another id of theirs stays. */
	forget(account: string, hash: string, fileId: string): Promise<void>;
}

const recordSchema = z.object({
	version: z.literal(1),
	fileId: z.string().check(z.minLength(1)),
});

/**
 * Makes records in `folder`, which is created for this user alone on first need. With the first record that is kept, those that
 * nobody used for long and those beyond the limit go.
 */
export function createUploadRecords(
	folder: string,
	log: Log,
	clock: Clock,
	limits: RecordLimits = defaultRecordLimits,
): UploadRecords {
	let isPruned = false;
	const prune = async (): Promise<void> => {
		if (!isPruned) {
			isPruned = true;
			await pruneRecords(folder, limits, clock.now());
		}
	};
	const pathOf = (account: string, hash: string, ending = "json"): string => {
		if (!/^[0-9a-f]+$/.test(account) || !/^[0-9a-f]{64}$/.test(hash)) {
			throw new RangeError("An upload is recorded by hex digits only");
		}
		return join(folder, account, `${hash}.${ending}`);
	};
	const refused = (error: unknown): void =>
		log.warn("The record of an upload was not kept", { code: systemCode(error) });
	const find = async (account: string, hash: string): Promise<string | undefined> => {
		try {
			const path = pathOf(account, hash);
			const { fileId } = recordSchema.parse(JSON.parse(await fs.readFile(path, "utf8")));
			// What is used stays.
			const now = clock.now() / 1000;
			await fs.utimes(path, now, now).catch(refused);
			return fileId;
		} catch (error) {
			if (systemCode(error) !== "ENOENT") {
				log.warn("The record of an upload could not be read", { code: systemCode(error) });
			}
			return undefined;
		}
	};
	return {
		find,
		remember: (account, hash, fileId) =>
			writeRecord(join(folder, account), pathOf(account, hash), fileId).then(prune).catch(refused),
		whileClaimed: (account, hash, options, task) =>
			whileClaimed(pathOf(account, hash, "claim"), { ...options, clock }, task),
		forget: async (account, hash, fileId) => {
			if ((await find(account, hash)) === fileId) {
				await fs.rm(pathOf(account, hash), { force: true }).catch(refused);
			}
		},
	};
}

async function writeRecord(folder: string, path: string, fileId: string): Promise<void> {
	const record: z.infer<typeof recordSchema> = { version: 1, fileId };
	await fs.mkdir(folder, { recursive: true, mode: 0o700 });
	await writeAtomically(path, JSON.stringify(record));
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
	const lease = keepLease(dependencies, holder, renewMs);
	try {
		return await task();
	} finally {
		await lease.release();
	}
}

/** Whether the claim is this window's now, or cannot be anybody's. */
async function claim(dependencies: LeaseDependencies, holder: LeaseHolder): Promise<boolean> {
	try {
		await dependencies.files.makeFolder(dirname(dependencies.path));
		return await takeLease(
			dependencies,
			holder,
			found => isDead(found) || silenceOf(found, dependencies.clock) > staleMs,
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
