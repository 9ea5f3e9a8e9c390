import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../storage/atomicFile.ts";
import { toError, systemCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { isRunning, machineName } from "../base/fileStore.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import {
	clipFormats,
	type GenerationOutcome,
	type GenerationOwner,
	type GenerationRecord,
	generationRecordSchema,
	type StoredFormat,
} from "./generationRecord.ts";

/** How long a generation and its clip are kept, in milliseconds. */
export const generationLifetimeMs = 24 * 60 * 60 * 1000;

/** Describes this run of the service. */
export function newOwner(): GenerationOwner {
	return { machine: machineName(), pid: process.pid, run: randomBytes(8).toString("hex") };
}

/** Whether a run of the service on this machine has ended. That of another machine is never known. */
export function hasEnded({ machine, pid }: GenerationOwner): boolean {
	return machine === machineName() && (pid === process.pid || !isRunning(pid));
}

/** Returns the id of a new generation, 128 random bits. */
export function newGenerationId(): string {
	return `gen-${randomBytes(16).toString("base64url")}`;
}

const idPattern = /^gen-[A-Za-z0-9_-]{22}$/;
/** Records, clips, and temporary files of either. */
const filePattern = new RegExp(
	String.raw`^gen-[A-Za-z0-9_-]{22}\.(?:(?:json|sent|${clipFormats.join("|")})(?:\.[0-9a-f-]{36}\.tmp)?|[0-9a-f]{8}\.part)$`,
);

/** Generations and clips in a folder, which several services of this user may share. */
export class GenerationStore {
	private readonly folder: string;

	/** The first write creates the folder, accessible only to this user. */
	constructor(folder: string) {
		this.folder = folder;
	}

	clipPath(id: string, format: StoredFormat = "webm"): string {
		return join(this.folder, `${id}.${format}`);
	}

	/** Returns a path for a file that will become a clip. Cleanup removes abandoned files. */
	async partPath(id: string): Promise<string> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		return join(this.folder, `${id}.${randomBytes(4).toString("hex")}.part`);
	}

	/** Renames a complete file to a generation's clip, and returns the outcome for its record. */
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
	 * Claims the right to send a generation's request to a server that may charge for it. Returns true only for the first caller in any process, and
	 * never again.
	 */
	async claimSending(id: string): Promise<boolean> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		return await createOnce(join(this.folder, `${id}.sent`));
	}

	/** Returns the record, or undefined if it doesn't exist, is unreadable or more than a day old. */
	async read(id: string, now: number): Promise<GenerationRecord | undefined> {
		// Only valid ids become part of a path.
		const file = join(this.folder, `${id}.json`);
		const record = idPattern.test(id) ? await readRecord(file) : undefined;
		return record && now - record.createdAt < generationLifetimeMs ? record : undefined;
	}

	/** Writes the first record of a job. Throws a 507 `HttpFailure` if the disk refuses it. */
	async writeNew(record: GenerationRecord, log: Log): Promise<void> {
		try {
			await this.write(record);
		} catch (error) {
			log.error("A generation could not be recorded", { reason: toError(error).message });
			throw new HttpFailure(
				507,
				"cannot_store",
				"The video's record could not be written to disk.",
			);
		}
	}

	write(record: GenerationRecord): Promise<void> {
		return this.writeWhole(`${record.id}.json`, JSON.stringify(record));
	}

	/** Writes a clip atomically and returns the outcome for its record. */
	async writeClip(id: string, bytes: Uint8Array): Promise<GenerationOutcome> {
		await this.writeWhole(`${id}.webm`, bytes);
		const digest = createHash("sha256").update(bytes).digest("base64url");
		return { status: "complete", size: bytes.byteLength, etag: `"${digest}"` };
	}

	/** Removes files that are more than a day old, and abandoned temporary files. */
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

/** Creates an empty file and flushes it to disk. Returns false if it exists. */
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
		// A missing or damaged record counts as an unknown generation.
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
