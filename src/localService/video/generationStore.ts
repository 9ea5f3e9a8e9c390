import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode, writeAtomically } from "../../storage/atomicFile.ts";
import {
	clipFormats,
	type GenerationOutcome,
	type GenerationRecord,
	generationRecordSchema,
	type StoredFormat,
} from "./generationRecord.ts";

/** How long a generation and its clip are kept. */
export const generationLifetimeMs = 24 * 60 * 60 * 1000;

const idPattern = /^gen-[A-Za-z0-9_-]{22}$/;
/** Records, clips, and drafts of either. */
const filePattern = new RegExp(
	String.raw`^gen-[A-Za-z0-9_-]{22}\.(?:(?:json|sent|${clipFormats.join("|")})(?:\.[0-9a-f-]{36}\.tmp)?|[0-9a-f]{8}\.part)$`,
);

/** Generations and clips in one folder, which several services of this user may share. */
export class GenerationStore {
	private readonly folder: string;

	/** The folder is created for this user alone on the first write. */
	constructor(folder: string) {
		this.folder = folder;
	}

	clipPath(id: string, format: StoredFormat = "webm"): string {
		return join(this.folder, `${id}.${format}`);
	}

	/** A path for a file that becomes a clip; swept with the rest when it does not. */
	async partPath(id: string): Promise<string> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		return join(this.folder, `${id}.${randomBytes(4).toString("hex")}.part`);
	}

	/** Makes a finished file of this folder the clip of a generation, and returns what its record says of it. */
	async takeClip(id: string, file: string, format: StoredFormat): Promise<GenerationOutcome> {
		const hash = createHash("sha256");
		let size = 0;
		for await (const chunk of createReadStream(file)) {
			const bytes: unknown = chunk;
			if (bytes instanceof Uint8Array) {
				hash.update(bytes);
				size += bytes.length;
			}
		}
		await rename(file, this.clipPath(id, format));
		return { status: "complete", format, size, etag: `"${hash.digest("base64url")}"` };
	}

	/**
	 * Claims the right to send a generation's request to a server that may charge for it; true for the first who asks, in any
	 * program, and never again.
	 */
	async claimSending(id: string): Promise<boolean> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		return await createOnce(join(this.folder, `${id}.sent`));
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
		return this.writeWhole(`${record.id}.json`, JSON.stringify(record));
	}

	/** Writes a clip whole or not at all and returns what its record says of it. */
	async writeClip(id: string, bytes: Uint8Array): Promise<GenerationOutcome> {
		await this.writeWhole(`${id}.webm`, bytes);
		const digest = createHash("sha256").update(bytes).digest("base64url");
		return { status: "complete", size: bytes.byteLength, etag: `"${digest}"` };
	}

	/** Removes what is over a day old, and files of writes that were cut short. */
	async sweep(now: number): Promise<void> {
		const names = await readdir(this.folder).catch((): string[] => []);
		const files = names.filter(name => filePattern.test(name)).map(name => join(this.folder, name));
		await Promise.all(files.map(file => removeIfOld(file, now)));
	}

	private async writeWhole(name: string, data: string | Uint8Array): Promise<void> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		await writeAtomically(join(this.folder, name), data);
	}
}

/** Creates an empty file that is on the disk when this resolves; false where there is one already. */
async function createOnce(file: string): Promise<boolean> {
	try {
		const created = await open(file, "wx", 0o600);
		await created.sync();
		await created.close();
		return true;
	} catch (error) {
		if (systemCode(error) === "EEXIST") {
			return false;
		}
		throw error;
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
