import * as fs from "node:fs/promises";
import { join, dirname } from "node:path";
import * as z from "zod/mini";
import { systemCode } from "../../common/errors.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { writeReplaceable } from "../../storage/atomicFile.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";

const recordSchema = z.object({ version: z.literal(1), fileId: z.string().check(z.minLength(1)) });

/** Time since the last use after which a record is removed, in milliseconds. */
const maxAgeMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Records on disk which files a service has, so that the same content isn't sent again. Each record is a file, in a folder accessible only to this
 * user. The first write removes records that are unused for long.
 */
export class UploadRecords {
	private readonly folder: string;
	private readonly log: Log;
	private readonly clock: Clock;
	private isPruned = false;

	constructor(folder: string, log: Log, clock: Clock) {
		this.folder = folder;
		this.log = log;
		this.clock = clock;
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

	/** Deletes the record of content that the service no longer has, unless it has another id. */
	async forget(account: string, hash: string, fileId: string): Promise<void> {
		if ((await this.find(account, hash)) === fileId) {
			const path = this.pathOf(account, hash);
			await fs.rm(path, { force: true }).catch(error => this.refused(error));
		}
	}

	private pathOf(account: string, hash: string): string {
		if (!/^[0-9a-f]+$/.test(account) || !/^[0-9a-f]{64}$/.test(hash)) {
			throw new RangeError("An upload is recorded by hex digits only");
		}
		return join(this.folder, account, `${hash}.json`);
	}

	private async prune(): Promise<void> {
		if (!this.isPruned) {
			this.isPruned = true;
			await pruneRecords(this.folder, this.clock.now());
		}
	}

	private refused(error: unknown): void {
		this.log.warn("The record of an upload was not kept", { code: systemCode(error) });
	}
}

/** Doesn't wait for the disk, because a broken record costs only another upload. Creates the folder if it is missing. */
async function writeRecord(path: string, fileId: string): Promise<void> {
	const record: z.infer<typeof recordSchema> = { version: 1, fileId };
	await nodeFileSystem.makeFolder(dirname(path));
	await writeReplaceable(path, JSON.stringify(record));
}

/** Removes what has not been used for long. Several windows may do this at once. Throws the system's errors. */
async function pruneRecords(folder: string, nowMs: number): Promise<void> {
	for (const name of await fs.readdir(folder, { recursive: true })) {
		const path = join(folder, name);
		const found = await fs.lstat(path).catch(() => undefined);
		if (found?.isFile() && nowMs - found.mtimeMs > maxAgeMs) {
			await fs.rm(path, { force: true });
		}
	}
}
