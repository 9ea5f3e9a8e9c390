import * as fs from "node:fs/promises";
import { extname, join, parse } from "node:path";
import * as z from "zod/mini";
import { syncFolder, systemCode, writeAtomically } from "./atomicFile.ts";
import { extensionOf, formatProbeBytes, recogniseClip } from "./clipFormat.ts";
import { numberedName } from "./videoFileName.ts";
import type { ClipFormat, ClipTarget } from "./videoJob.ts";

/** What is known of the bytes in a `.part`: whose they are, which version of the clip they are of, and how long that is. */
export interface PartTag {
	/** The job that took the name; two jobs never write to one part. */
	readonly owner?: string | undefined;
	/** A strong `ETag`, or the date the clip was last changed; without it nothing can be resumed. */
	readonly validator?: string | undefined;
	readonly total?: number | undefined;
}

/** A clip on the disk. */
export interface SavedClip {
	readonly file: string;
	readonly size: number;
	readonly format: ClipFormat;
}

/** A clip on its way to the disk. Methods reject with the system's errors. */
export interface ClipPart {
	/** Bytes that are there and may be built on; 0 begins anew. */
	readonly size: number;
	readonly tag: PartTag;
	/** Empties the part and notes which version of the clip comes next, in an order that no crash can mix up. */
	restart(tag: Omit<PartTag, "owner">): Promise<void>;
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

const tagSchema = z.object({
	owner: z.optional(z.string()),
	validator: z.optional(z.string()),
	total: z.optional(z.number()),
});

const partPath = ({ folder, baseName }: ClipTarget): string => join(folder, `${baseName}.part`);
const tagPath = (target: ClipTarget): string => `${partPath(target)}.json`;

/**
 * Picks a name that no file in the folder has, in any case of letters and with any ending, and takes it for `owner`; one it
 * has taken before serves again.
 */
export async function reserveTarget(
	folder: string,
	baseName: string,
	owner: string,
): Promise<ClipTarget> {
	await fs.mkdir(folder, { recursive: true });
	const taken = new Set((await fs.readdir(folder)).map(name => stemOf(name).toLowerCase()));
	for (let attempt = 1; ; attempt += 1) {
		const target = { folder, baseName: numberedName(baseName, attempt) };
		if (!taken.has(target.baseName.toLowerCase()) && (await tryMake(partPath(target)))) {
			await tagOrGiveUp(target, owner);
			return target;
		}
		if (await isTargetOf(target, owner)) {
			return target;
		}
	}
}

async function tagOrGiveUp(target: ClipTarget, owner: string): Promise<void> {
	try {
		await writeTag(target, { owner });
	} catch (error) {
		await fs.rm(partPath(target), { force: true });
		throw error;
	}
}

/** Whether a name is still the one this job has taken; not once its part was discarded or its clip recorded. */
export async function isTargetOf(target: ClipTarget, owner: string): Promise<boolean> {
	return (await readTag(target))?.owner === owner;
}

/** Deletes what a job left beside a clip that it never finished. */
export async function discardPart(target: ClipTarget, owner: string): Promise<void> {
	if (await isTargetOf(target, owner)) {
		await fs.rm(partPath(target), { force: true });
		await fs.rm(tagPath(target), { force: true });
	}
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
	if (tag?.owner !== owner || tag.total === undefined) {
		return undefined;
	}
	const part = await identityOf(partPath(target));
	const names = await fs.readdir(target.folder);
	for (const name of names.filter(name => parse(name).name === target.baseName)) {
		const file = join(target.folder, name);
		const format = name.endsWith(".part") ? undefined : recogniseClip(await readHead(file));
		const isNamed = format !== undefined && extname(name) === `.${extensionOf(format)}`;
		const isSame = part === undefined || part === (await identityOf(file));
		if (isNamed && isSame && (await sizeOf(file)) === tag.total) {
			await fs.rm(partPath(target), { force: true });
			return { file, size: tag.total, format };
		}
	}
	return undefined;
}

/** Removes what is left beside a finished clip, once its record says where it is. */
export async function forgetPart(target: ClipTarget): Promise<void> {
	await fs.rm(tagPath(target), { force: true });
}

/** Opens a part to write to, with what it holds from before. */
export async function openPart(target: ClipTarget, owner: string): Promise<ClipPart> {
	await fs.mkdir(target.folder, { recursive: true });
	const tag = await readTag(target);
	const handle = await fs.open(partPath(target), openFlags, 0o600);
	const { size } = await handle.stat();
	const isOurs = tag?.owner === owner && tag.validator !== undefined;
	return new PartFile(target, handle, isOurs ? size : 0, isOurs ? tag : { owner });
}

/** A link that somebody put in the part's place is not written through; Windows has no such flag. */
const openFlags =
	fs.constants.O_RDWR |
	fs.constants.O_CREAT |
	(process.platform === "win32" ? 0 : fs.constants.O_NOFOLLOW);

class PartFile implements ClipPart {
	private readonly target: ClipTarget;
	private readonly handle: fs.FileHandle;
	private isOpen = true;
	size: number;
	tag: PartTag;

	constructor(target: ClipTarget, handle: fs.FileHandle, size: number, tag: PartTag) {
		this.target = target;
		this.handle = handle;
		this.size = size;
		this.tag = tag;
	}

	async restart(tag: Omit<PartTag, "owner">): Promise<void> {
		await this.handle.truncate(0);
		await this.handle.datasync();
		this.size = 0;
		this.tag = { ...tag, owner: this.tag.owner };
		await writeTag(this.target, this.tag);
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
		await writeTag(this.target, { ...this.tag, total: this.size });
		for (let attempt = 1; ; attempt += 1) {
			const stem = numberedName(this.target.baseName, attempt);
			const file = join(this.target.folder, `${stem}.${extensionOf(format)}`);
			if (await tryMove(partPath(this.target), file)) {
				await syncFolder(this.target.folder);
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
		await this.close();
		await fs.rm(partPath(this.target), { force: true });
		await fs.rm(tagPath(this.target), { force: true });
	}
}

async function writeTag(target: ClipTarget, tag: PartTag): Promise<void> {
	await writeAtomically(tagPath(target), JSON.stringify(tag));
}

async function tryMake(path: string): Promise<boolean> {
	try {
		const handle = await fs.open(path, "wx", 0o600);
		await handle.close();
		return true;
	} catch (error) {
		if (systemCode(error) === "EEXIST") {
			return false;
		}
		throw error;
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

async function readTag(target: ClipTarget): Promise<PartTag | undefined> {
	try {
		return z.safeParse(tagSchema, JSON.parse(await fs.readFile(tagPath(target), "utf8"))).data;
	} catch (error) {
		if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) {
			return undefined;
		}
		throw error;
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

function stemOf(name: string): string {
	return parse(name.replace(/\.part\.json$/, ".part")).name;
}
