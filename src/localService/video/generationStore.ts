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

const idPattern = /^gen-[A-Za-z0-9_-]{22}$/;
const filePattern = /^gen-[A-Za-z0-9_-]{22}\.(?:json|webm|[0-9a-f]{8}\.part)$/;

/** Generations and clips in one folder, which several services of this user may share. */
export class GenerationStore {
	private readonly folder: string;
	private readonly newPartName: () => string;

	/** The folder is created for this user alone on the first write. */
	constructor(folder: string, newPartName: () => string) {
		this.folder = folder;
		this.newPartName = newPartName;
	}

	clipPath(id: string): string {
		return join(this.folder, `${id}.webm`);
	}

	/** The record, or undefined when there is none, it cannot be read, or it is over a day old. */
	async read(id: string, now: number): Promise<GenerationRecord | undefined> {
		// Only what this store names itself ever becomes part of a path.
		const file = join(this.folder, `${id}.json`);
		const record = idPattern.test(id) ? await readRecord(file) : undefined;
		return record && now - record.createdAt < generationLifetimeMs ? record : undefined;
	}

	/** Writes a record whole or not at all. */
	write(record: GenerationRecord): Promise<void> {
		return this.writeWhole(`${record.id}.json`, record.id, JSON.stringify(record));
	}

	/** Writes a clip whole or not at all and returns what its record says of it. */
	async writeClip(id: string, bytes: Uint8Array): Promise<GenerationOutcome> {
		await this.writeWhole(`${id}.webm`, id, bytes);
		const digest = createHash("sha256").update(bytes).digest("base64url");
		return { status: "complete", size: bytes.byteLength, etag: `"${digest}"` };
	}

	/** Removes what is over a day old, and files of writes that were cut short. */
	async sweep(now: number): Promise<void> {
		const names = await readdir(this.folder).catch((): string[] => []);
		const files = names.filter(name => filePattern.test(name)).map(name => join(this.folder, name));
		await Promise.all(files.map(file => removeIfOld(file, now)));
	}

	private async writeWhole(name: string, id: string, data: string | Uint8Array): Promise<void> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		const part = join(this.folder, `${id}.${this.newPartName()}.part`);
		try {
			await writeFile(part, data, { mode: 0o600, flush: true });
			await rename(part, join(this.folder, name));
		} catch (error) {
			await rm(part, { force: true });
			throw error;
		}
	}
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
