import * as fs from "node:fs/promises";
import { basename, join, parse } from "node:path";
import { syncFolder, systemCode } from "../../storage/atomicFile.ts";
import { extensionOf, formatProbeBytes, detectClipFormat } from "./clipFormat.ts";
import { numberedName } from "./videoFileName.ts";
import type { ClipFormat, ClipTarget } from "../job/videoJob.ts";

/** A clip on the disk. */
export interface SavedClip {
	readonly file: string;
	readonly size: number;
	readonly format: ClipFormat;
}

/** Where a job's bytes are gathered: the job's id tells whose they are, whatever else is in the folder. */
function partPath(folder: string, jobId: string): string {
	return join(folder, `cutaway-${jobId}.part`);
}

/** A clip on its way to the disk. Methods reject with the system's errors. */
export class ClipPart {
	private readonly path: string;
	private readonly handle: fs.FileHandle;
	private written = 0;
	private isOpen = true;

	/** Begins a clip in a folder, which is made when needed; what an earlier attempt left is gone. */
	static async create(folder: string, jobId: string): Promise<ClipPart> {
		const path = partPath(folder, jobId);
		await fs.mkdir(folder, { recursive: true });
		await fs.rm(path, { force: true });
		// A file or link that somebody puts there meanwhile is not written through.
		return new ClipPart(path, await fs.open(path, "wx+", 0o600));
	}

	private constructor(path: string, handle: fs.FileHandle) {
		this.path = path;
		this.handle = handle;
	}

	/** Bytes written so far. */
	get size(): number {
		return this.written;
	}

	/** Adds bytes to the end. */
	async append(bytes: Uint8Array): Promise<void> {
		// One write may take fewer bytes than it was given, as on a disk that is almost full.
		for (let done = 0; done < bytes.length;) {
			const left = bytes.length - done;
			const { bytesWritten } = await this.handle.write(bytes, done, left, this.written);
			done += bytesWritten;
			this.written += bytesWritten;
		}
	}

	/** The first bytes. */
	head(): Promise<Uint8Array> {
		return readHead(this.handle);
	}

	/** Makes the bytes last and closes the file. */
	async finish(): Promise<void> {
		await this.handle.datasync();
		await this.close();
	}

	/** Closes and deletes the file; does nothing once it has its name. */
	async discard(): Promise<void> {
		await this.close();
		await fs.rm(this.path, { force: true });
	}

	private async close(): Promise<void> {
		if (this.isOpen) {
			this.isOpen = false;
			await this.handle.close();
		}
	}
}

/** Makes an empty file where a job's clip is gathered, for others to fill, and gives its path; what an earlier attempt left is gone. */
export async function preparePart(folder: string, jobId: string): Promise<string> {
	const part = await ClipPart.create(folder, jobId);
	await part.finish();
	return partPath(folder, jobId);
}

/** Target that a finished part is named after. */
export interface Naming {
	readonly folder: string;
	readonly jobId: string;
	readonly baseName: string;
	readonly format: ClipFormat;
	readonly size: number;
	/**
	 * Hears of a name before the file has it. Once it is in the job's record, a clip that was named before a crash is found again.
	 * Throws when the job no longer wants one.
	 */
	readonly onNamed: (target: ClipTarget) => Promise<void>;
}

/** Gives a finished part a name that no file in the folder has, in any case of letters and with any ending. */
export async function nameClip(naming: Naming): Promise<SavedClip> {
	const { folder, jobId, baseName, format, size, onNamed } = naming;
	const taken = new Set((await fs.readdir(folder)).map(name => parse(name).name.toLowerCase()));
	for (let attempt = 1; ; attempt += 1) {
		const stem = numberedName(baseName, attempt);
		const name = `${stem}.${extensionOf(format)}`;
		if (taken.has(stem.toLowerCase())) {
			continue;
		}
		await onNamed({ folder, name, size });
		if (await tryMove(partPath(folder, jobId), join(folder, name))) {
			await syncFolder(folder);
			return { file: join(folder, name), size, format };
		}
	}
}

/**
 * The clip that had its name before a crash kept the record from saying so. A crash may also have come between the name and
 * the part's end: then both are one file.
 */
export async function findNamed(
	{ folder, name, size }: ClipTarget,
	jobId: string,
): Promise<SavedClip | undefined> {
	if (name === undefined || size === undefined || basename(name) !== name) {
		return undefined;
	}
	const file = join(folder, name);
	const part = partPath(folder, jobId);
	const whole = await lookAt(file);
	const partFile = await lookAt(part);
	if (whole?.size !== size || (partFile !== undefined && partFile.identity !== whole.identity)) {
		return undefined;
	}
	const handle = await fs.open(file, "r");
	try {
		const format = detectClipFormat(await readHead(handle));
		if (format) {
			await fs.rm(part, { force: true });
		}
		return format && { file, size, format };
	} finally {
		await handle.close();
	}
}

/** Deletes what a job that no download follows left in its folder. */
export async function discardPart(folder: string, jobId: string): Promise<void> {
	await fs.rm(partPath(folder, jobId), { force: true });
}

/** The same for many jobs; each folder is looked through once, and one that cannot be read is left as it is. */
export async function discardParts(
	jobs: readonly { readonly id: string; readonly folder: string }[],
): Promise<void> {
	for (const [folder, left] of Map.groupBy(jobs, job => job.folder)) {
		const present = new Set(await fs.readdir(folder).catch(() => []));
		for (const { id } of left) {
			if (present.has(basename(partPath(folder, id)))) {
				await discardPart(folder, id);
			}
		}
	}
}

/** A hard link never replaces a file, as a plain move would; where there are no links, the name is looked at first. */
async function tryMove(from: string, to: string): Promise<boolean> {
	try {
		await fs.link(from, to);
	} catch (error) {
		if (systemCode(error) === "EEXIST") {
			return false;
		}
		if (systemCode(error) === "ENOENT" || (await lookAt(to)) !== undefined) {
			throw error;
		}
		await fs.rename(from, to);
		return true;
	}
	await fs.rm(from);
	return true;
}

/** A file's size, and what tells it from every other on this machine; undefined when there is none. */
async function lookAt(path: string): Promise<{ size: number; identity: string } | undefined> {
	try {
		const { dev, ino, size } = await fs.stat(path, { bigint: true });
		// Where the system numbers no files, a path is all there is.
		return { size: Number(size), identity: ino === 0n ? path : `${dev}:${ino}` };
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

async function readHead(handle: fs.FileHandle): Promise<Uint8Array> {
	const bytes = new Uint8Array(formatProbeBytes);
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
	return bytes.subarray(0, bytesRead);
}
