import * as fs from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { systemCode, writeAtomically } from "../../storage/index.ts";
import { type ClaimOptions, whileClaimed } from "./uploadClaim.ts";
import { defaultRecordLimits, pruneRecords, type RecordLimits } from "./uploadRecordPruning.ts";

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
