import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Log } from "../common/log.ts";
import { systemCode } from "./attachmentError.ts";

/** Remembers on disk which bytes a service holds, so that the same bytes are never sent twice. One file for each. */
export interface UploadRecords {
	/** The id the service gave these bytes; undefined when it is not known to hold them. */
	find(account: string, hash: string): Promise<string | undefined>;
	/** Keeps an id. A disk that refuses costs one more upload some day, so that is only logged. */
	remember(account: string, hash: string, fileId: string): Promise<void>;
	/** Forgets the id of bytes the service does not know any more; another id of theirs stays. */
	forget(account: string, hash: string, fileId: string): Promise<void>;
}

const recordSchema = z.object({
	version: z.literal(1),
	fileId: z.string().check(z.minLength(1)),
});

/** Makes records in `folder`, which is created for this user alone on first need. */
export function createUploadRecords(folder: string, log: Log): UploadRecords {
	const pathOf = (account: string, hash: string): string => {
		if (!/^[0-9a-f]+$/.test(account) || !/^[0-9a-f]{64}$/.test(hash)) {
			throw new RangeError("An upload is recorded by hex digits only");
		}
		return join(folder, account, `${hash}.json`);
	};
	const refused = (error: unknown): void =>
		log.warn("The record of an upload was not kept", { code: systemCode(error) });
	const find = async (account: string, hash: string): Promise<string | undefined> => {
		try {
			const text = await fs.readFile(pathOf(account, hash), "utf8");
			return recordSchema.parse(JSON.parse(text)).fileId;
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
			writeRecord(join(folder, account), pathOf(account, hash), fileId).catch(refused),
		forget: async (account, hash, fileId) => {
			if ((await find(account, hash)) === fileId) {
				await fs.rm(pathOf(account, hash), { force: true }).catch(refused);
			}
		},
	};
}

/** Whoever reads it, also after a crash, meets a whole record or none. */
async function writeRecord(folder: string, path: string, fileId: string): Promise<void> {
	const record: z.infer<typeof recordSchema> = { version: 1, fileId };
	const part = `${path}.${randomUUID()}.tmp`;
	await fs.mkdir(folder, { recursive: true, mode: 0o700 });
	try {
		await fs.writeFile(part, JSON.stringify(record), { flag: "wx", mode: 0o600 });
		await fs.rename(part, path);
	} finally {
		await fs.rm(part, { force: true });
	}
}
