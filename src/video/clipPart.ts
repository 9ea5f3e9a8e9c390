import * as fs from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, systemCode } from "./atomicFile.ts";
import { extensionOf, formatProbeBytes, recogniseClip } from "./clipFormat.ts";
import {
	discardPart,
	partPath,
	type PartTag,
	readTag,
	type TakenName,
	writeTag,
} from "./clipTarget.ts";
import { numberedName } from "./videoFileName.ts";
import type { ClipFormat, ClipTarget } from "./videoJob.ts";

/** A clip on the disk. */
export interface SavedClip {
	readonly file: string;
	readonly size: number;
	readonly format: ClipFormat;
}

/** Which version of a clip is fetched. */
type VersionTag = Omit<PartTag, "owner" | "name">;

/** A clip on its way to the disk. Methods reject with the system's errors. */
export interface ClipPart {
	/** Bytes that are there and may be built on; 0 begins anew. */
	readonly size: number;
	readonly tag: PartTag;
	/** Empties the part and notes which version of the clip comes next, in an order that no crash can mix up. */
	restart(tag: VersionTag): Promise<void>;
	/** Adds bytes to the end. */
	append(bytes: Uint8Array): Promise<void>;
	/** The first bytes. */
	head(): Promise<Uint8Array>;
	/** Makes the bytes last and gives the file its name, next to no other file of that name. */
	finish(format: ClipFormat): Promise<SavedClip>;
	close(): Promise<void>;
	/** Deletes the part. */
	discard(): Promise<void>;
}

/**
 * The clip that was finished before a crash kept its record from saying so. A crash may also have come between its name and
 * the part's end: then both are one file.
 */
export async function findFinished(
	target: ClipTarget,
	owner: string,
): Promise<SavedClip | undefined> {
	const tag = await readTag(target);
	if (tag?.owner !== owner || tag.total === undefined || tag.name === undefined) {
		return undefined;
	}
	const file = join(target.folder, tag.name);
	const whole = await identityOf(file);
	const part = await identityOf(partPath(target));
	if (whole === undefined || (part !== undefined && part !== whole)) {
		return undefined;
	}
	const format = recogniseClip(await readHead(file));
	if (!format || (await sizeOf(file)) !== tag.total) {
		return undefined;
	}
	await fs.rm(partPath(target), { force: true });
	return { file, size: tag.total, format };
}

/** Opens a part to write to, with what it holds from before. */
export async function openPart(target: ClipTarget, owner: string): Promise<ClipPart> {
	await fs.mkdir(target.folder, { recursive: true });
	const tag = await readTag(target);
	const handle = await fs.open(partPath(target), openFlags, 0o600);
	const { size } = await handle.stat();
	const isOurs = tag?.owner === owner && tag.validator !== undefined;
	return new PartFile({ target, owner }, handle, isOurs ? size : 0, isOurs ? tag : {});
}

/** A link that somebody put in the part's place is not written through; Windows has no such flag. */
const openFlags =
	fs.constants.O_RDWR |
	fs.constants.O_CREAT |
	(process.platform === "win32" ? 0 : fs.constants.O_NOFOLLOW);

class PartFile implements ClipPart {
	private readonly taken: TakenName;
	private readonly handle: fs.FileHandle;
	private isOpen = true;
	size: number;
	tag: PartTag;

	constructor(taken: TakenName, handle: fs.FileHandle, size: number, tag: PartTag) {
		this.taken = taken;
		this.handle = handle;
		this.size = size;
		this.tag = tag;
	}

	async restart(tag: VersionTag): Promise<void> {
		await this.handle.truncate(0);
		await this.handle.datasync();
		this.size = 0;
		this.tag = tag;
		await writeTag(this.taken.target, this.taken.owner, tag);
	}

	async append(bytes: Uint8Array): Promise<void> {
		// One write may take fewer bytes than it was given, as on a disk that is almost full.
		for (let done = 0; done < bytes.length;) {
			const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, this.size);
			done += bytesWritten;
			this.size += bytesWritten;
		}
	}

	async head(): Promise<Uint8Array> {
		const bytes = new Uint8Array(formatProbeBytes);
		const { bytesRead } = await this.handle.read(bytes, 0, bytes.length, 0);
		return bytes.subarray(0, bytesRead);
	}

	async finish(format: ClipFormat): Promise<SavedClip> {
		await this.handle.truncate(this.size);
		await this.handle.datasync();
		await this.close();
		const { target, owner } = this.taken;
		for (let attempt = 1; ; attempt += 1) {
			const name = `${numberedName(target.baseName, attempt)}.${extensionOf(format)}`;
			const file = join(target.folder, name);
			// Whoever comes after a crash learns from the tag which file is this clip.
			await writeTag(target, owner, { ...this.tag, total: this.size, name });
			if (await tryMove(partPath(target), file)) {
				await syncFolder(target.folder);
				return { file, size: this.size, format };
			}
		}
	}

	async close(): Promise<void> {
		if (this.isOpen) {
			this.isOpen = false;
			await this.handle.close();
		}
	}

	async discard(): Promise<void> {
		const { target, owner } = this.taken;
		await this.close();
		await fs.rm(partPath(target), { force: true });
		await discardPart(target, owner);
	}
}

/** A hard link never replaces a file, as a plain move would; where there are no links, the name is looked at first. */
async function tryMove(from: string, to: string): Promise<boolean> {
	try {
		await fs.link(from, to);
		await fs.rm(from);
		return true;
	} catch (error) {
		if (systemCode(error) === "EEXIST") {
			return false;
		}
		if (systemCode(error) === "ENOENT" || (await sizeOf(to)) !== undefined) {
			throw error;
		}
		await fs.rename(from, to);
		return true;
	}
}

async function sizeOf(path: string): Promise<number | undefined> {
	try {
		return (await fs.stat(path)).size;
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

/** What tells a file from every other on this machine; undefined when there is none. */
async function identityOf(path: string): Promise<string | undefined> {
	try {
		const { dev, ino } = await fs.stat(path, { bigint: true });
		// Where the system numbers no files, a path is all there is.
		return ino === 0n ? path : `${dev}:${ino}`;
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

async function readHead(path: string): Promise<Uint8Array> {
	const handle = await fs.open(path, "r");
	try {
		const bytes = new Uint8Array(formatProbeBytes);
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
		return bytes.subarray(0, bytesRead);
	} finally {
		await handle.close();
	}
}
