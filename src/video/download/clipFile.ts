import * as fs from "node:fs/promises";
import { basename, join, parse } from "node:path";
import { systemCode } from "../../common/errors.ts";
import { ifThere, syncFolder } from "../../storage/atomicFile.ts";
import { numberedName } from "./videoFileName.ts";
import type { ClipFormat, ClipTarget } from "../job/videoJob.ts";

/** Number of bytes that `detectClipFormat` needs. */
export const formatProbeBytes = 64;

/**
 * Detects a video format by a file's first bytes, regardless of its name and content type. Returns undefined for anything else.
 * @see https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern
 */
export function detectClipFormat(head: Uint8Array): ClipFormat | undefined {
	const text = (start: number, end: number): string =>
		String.fromCharCode(...head.subarray(start, end));
	if (text(4, 8) === "ftyp") {
		return text(8, 12) === "qt  " ? "mov" : "mp4";
	}
	if (head.length >= 8 && ["moov", "mdat", "wide", "free"].includes(text(4, 8))) {
		return "mov";
	}
	if (text(0, 4) === "\u001aE\u00df\u00a3") {
		return text(0, head.length).includes("webm") ? "webm" : "matroska";
	}
	if (/^GIF8[79]a/.test(text(0, 6))) {
		return "gif";
	}
	if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") {
		return "avi";
	}
	return text(0, 4) === "OggS" ? "ogg" : undefined;
}

function extensionOf(format: ClipFormat): string {
	const extensions = {
		mp4: "mp4",
		mov: "mov",
		webm: "webm",
		matroska: "mkv",
		gif: "gif",
		avi: "avi",
		ogg: "ogv",
	};
	return extensions[format];
}

interface SavedClip {
	readonly file: string;
	readonly size: number;
	readonly format: ClipFormat;
}

/** Path of a job's partial download. The job's id makes it unique in the folder. */
function partPath(folder: string, jobId: string): string {
	return join(folder, `cutaway-${jobId}.part`);
}

/** A clip being written to disk. Methods reject with the system's errors. */
export class ClipPart {
	private readonly path: string;
	private readonly handle: fs.FileHandle;
	private written = 0;
	private isOpen = true;

	/** Starts a clip in a folder, which is created if needed. Deletes what an earlier attempt left. */
	static async create(folder: string, jobId: string): Promise<ClipPart> {
		const path = partPath(folder, jobId);
		await fs.mkdir(folder, { recursive: true });
		await fs.rm(path, { force: true });
		// `wx` fails if another file or link has been created here meanwhile.
		return new ClipPart(path, await fs.open(path, "wx+", 0o600));
	}

	private constructor(path: string, handle: fs.FileHandle) {
		this.path = path;
		this.handle = handle;
	}

	get size(): number {
		return this.written;
	}

	async append(bytes: Uint8Array): Promise<void> {
		// A write may be partial, for example on an almost full disk.
		for (let done = 0; done < bytes.length;) {
			const left = bytes.length - done;
			const { bytesWritten } = await this.handle.write(bytes, done, left, this.written);
			done += bytesWritten;
			this.written += bytesWritten;
		}
	}

	head(): Promise<Uint8Array> {
		return readHead(this.handle);
	}

	/** Flushes the data to disk and closes the file. */
	async finish(): Promise<void> {
		await this.handle.datasync();
		await this.close();
	}

	/** Closes and deletes the file. Does nothing once the file has its final name. */
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

/** Creates an empty file for a job's clip, for others to fill, and returns its path. Deletes what an earlier attempt left. */
export async function preparePart(folder: string, jobId: string): Promise<string> {
	const part = await ClipPart.create(folder, jobId);
	await part.finish();
	return partPath(folder, jobId);
}

interface Naming {
	readonly folder: string;
	readonly jobId: string;
	readonly baseName: string;
	readonly format: ClipFormat;
	readonly size: number;
	/** Called before the file gets a name. Recording the name allows finding the clip after a crash. Throws if the clip is no longer wanted. */
	readonly onNamed: (target: ClipTarget) => Promise<void>;
}

/** Renames a complete file to a name that no file in the folder has, regardless of letter case and extension. */
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

/** Finds a clip that was named just before a crash. If the partial file remains, both names are the same file. */
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

export async function discardPart(folder: string, jobId: string): Promise<void> {
	await fs.rm(partPath(folder, jobId), { force: true });
}

/** Deletes the partial downloads of many jobs. Reads each folder once and skips unreadable folders. */
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

/** Uses a hard link, which never replaces a file, unlike a rename. On file systems without links, checks the name first. */
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

/** Returns a file's size and identity, or undefined if it doesn't exist. */
async function lookAt(path: string): Promise<{ size: number; identity: string } | undefined> {
	const found = await ifThere(fs.stat(path, { bigint: true }));
	if (!found) {
		return undefined;
	}
	const { dev, ino, size } = found;
	// On systems without inode numbers, the path is the identity.
	return { size: Number(size), identity: ino === 0n ? path : `${dev}:${ino}` };
}

async function readHead(handle: fs.FileHandle): Promise<Uint8Array> {
	const bytes = new Uint8Array(formatProbeBytes);
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
	return bytes.subarray(0, bytesRead);
}
