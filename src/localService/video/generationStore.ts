import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
	type GenerationOutcome,
	type GenerationRecord,
	generationRecordSchema,
} from "./generationRecord.ts";

/** How long a generation and its clip are kept. */
export const generationLifetimeMs = 24 * 60 * 60 * 1000;

/** Generations and clips in one folder, which several services of this user may share. */
export interface GenerationStore {
	/** The record, or undefined when there is none, it cannot be read, or it is over a day old. */
	read(id: string, now: number): Promise<GenerationRecord | undefined>;
	/** Writes a record whole or not at all. */
	write(record: GenerationRecord): Promise<void>;
	/** Writes a clip whole or not at all and returns what its record says of it. */
	writeClip(id: string, bytes: Uint8Array): Promise<GenerationOutcome>;
	clipPath(id: string): string;
	/** Removes what is over a day old, and files of writes that were cut short. */
	sweep(now: number): Promise<void>;
}

const idPattern = /^gen-[A-Za-z0-9_-]{22}$/;
const filePattern = /^gen-[A-Za-z0-9_-]{22}\.(?:json|webm|[0-9a-f]{8}\.part)$/;

/** Makes a shelf in `folder`, which is created for this user alone on the first write. */
export function createGenerationStore(folder: string, newPartName: () => string): GenerationStore {
	const write = async (name: string, id: string, data: string | Uint8Array): Promise<void> => {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const part = join(folder, `${id}.${newPartName()}.part`);
		try {
			await writeFile(part, data, { mode: 0o600, flush: true });
			await rename(part, join(folder, name));
		} catch (error) {
			await rm(part, { force: true });
			throw error;
		}
	};
	const clipPath = (id: string): string => join(folder, `${id}.webm`);
	return {
		clipPath,
		read: async (id, now) => {
			// Only what this shelf names itself ever becomes part of a path.
			const record = idPattern.test(id) ? await readRecord(join(folder, `${id}.json`)) : undefined;
			return record && now - record.createdAt < generationLifetimeMs ? record : undefined;
		},
		write: record => write(`${record.id}.json`, record.id, JSON.stringify(record)),
		writeClip: async (id, bytes) => {
			await write(`${id}.webm`, id, bytes);
			const digest = createHash("sha256").update(bytes).digest("base64url");
			return { status: "complete", size: bytes.byteLength, etag: `"${digest}"` };
		},
		sweep: async now => {
			const names = await readdir(folder).catch((): string[] => []);
			const files = names.filter(name => filePattern.test(name)).map(name => join(folder, name));
			await Promise.all(files.map(file => removeIfOld(file, now)));
		},
	};
}

async function readRecord(file: string): Promise<GenerationRecord | undefined> {
	try {
		const record = generationRecordSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
		return record.success ? record.data : undefined;
	} catch {
		// A record that is missing or damaged is a generation nobody knows. Row J10.
		return undefined;
	}
}

async function removeIfOld(file: string, now: number): Promise<void> {
	const age = await stat(file).then(
		({ mtimeMs }) => now - mtimeMs,
		() => 0,
	);
	if (age >= generationLifetimeMs) {
		await rm(file, { force: true });
	}
}
