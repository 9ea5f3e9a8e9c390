import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../common/errors.ts";
import { createWhole, ifThere, syncFolder, writeAtomically } from "./atomicFile.ts";
import { openOwn } from "./privateFile.ts";

/** An open append-only file, safe with several writers. */
export interface LogFile {
	/** Returns the size in bytes. Fails with `ENOENT` if the file has been deleted. */
	size(): Promise<number>;
	append(bytes: Uint8Array): Promise<void>;
	truncate(length: number): Promise<void>;
	/** Resolves when all written data is on disk. */
	sync(): Promise<void>;
	close(): Promise<void>;
}

interface FileEnds {
	readonly size: number;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
	readonly head: Uint8Array;
	readonly tail: Uint8Array;
}

/** A file's directory entry. */
export interface FileStamp {
	readonly name: string;
	/** In bytes. */
	readonly size: number;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
}

/** The file system operations that chats need. Every method rejects with the system's error, whose `code` is the cause. */
export interface FileSystem {
	/** Creates a folder and its parents, accessible only to the owner. Also restricts an existing folder. */
	makeFolder(path: string): Promise<void>;
	/** Returns the names in a folder, or none if it doesn't exist. */
	names(folder: string): Promise<readonly string[]>;
	/** Returns the files whose names match `concerns`, or none if the folder doesn't exist. */
	stamps(folder: string, concerns: (name: string) => boolean): Promise<readonly FileStamp[]>;
	read(path: string): Promise<Uint8Array>;
	/** Reads up to `length` bytes from each end. */
	readEnds(path: string, length: number): Promise<FileEnds>;
	/** Opens a file for writing and creates it if needed. */
	open(path: string): Promise<LogFile>;
	/**
	 * Appends in a single write, safe with several writers, and creates the file if needed. Resolves when the data is on disk. A partial write fails
	 * with `ENOSPC`.
	 */
	append(path: string, bytes: Uint8Array): Promise<void>;
	/** Creates a file with its content. Fails with `EEXIST` if it exists. */
	createExclusive(path: string, text: string): Promise<void>;
	/** Replaces a file like `writeAtomically`. When it resolves, the new content survives a power cut. */
	replace(path: string, text: string): Promise<void>;
	/** Copies a file. Fails with `EEXIST` if `to` exists. */
	copyExclusive(from: string, to: string): Promise<void>;
	/** Moves a file and replaces an existing one. */
	rename(from: string, to: string): Promise<void>;
	remove(path: string): Promise<void>;
	/** Returns the modification time in milliseconds since 1970. */
	modifiedAt(path: string): Promise<number>;
	/** Sets the modification time in milliseconds since 1970. */
	touch(path: string, time: number): Promise<void>;
	/** Resolves when the folder's entries are on disk, if the system supports it. */
	syncFolder(path: string): Promise<void>;
}

/** The local disk. Files are created readable only by their owner. */
export const nodeFileSystem: FileSystem = {
	makeFolder,
	names: namesIn,
	stamps: stampsIn,
	read: path => fs.readFile(path),
	readEnds,
	open: async path => openLogFile(path, await openOwn(path, appending)),
	append,
	createExclusive: createWhole,
	replace: writeAtomically,
	copyExclusive: (from, to) => fs.copyFile(from, to, constants.COPYFILE_EXCL),
	rename: (from, to) => fs.rename(from, to),
	remove: path => fs.unlink(path),
	modifiedAt: async path => (await fs.stat(path)).mtimeMs,
	touch: (path, time) => fs.lutimes(path, time / 1000, time / 1000),
	syncFolder,
};

const ownerOnlyFolder = 0o700;
const appending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

async function makeFolder(path: string): Promise<void> {
	await fs.mkdir(path, { recursive: true, mode: ownerOnlyFolder });
	try {
		await fs.chmod(path, ownerOnlyFolder);
	} catch (error) {
		// Not supported by the file system, or the folder belongs to another user.
		if (!unsupportedRights.has(systemCode(error))) {
			throw error;
		}
	}
}

const unsupportedRights: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EROFS", "ENOTSUP"]);

/** The number of concurrent `stat` calls. */
const stampsAtOnce = 64;

async function namesIn(folder: string): Promise<readonly string[]> {
	return (await ifThere(fs.readdir(folder))) ?? [];
}

async function stampsIn(
	folder: string,
	concerns: (name: string) => boolean,
): Promise<readonly FileStamp[]> {
	const names = (await namesIn(folder)).filter(concerns).sort();
	const stamps: FileStamp[] = [];
	for (let start = 0; start < names.length; start += stampsAtOnce) {
		const found = await Promise.all(
			names.slice(start, start + stampsAtOnce).map(name => stampOf(folder, name)),
		);
		stamps.push(...found.filter(stamp => stamp !== undefined));
	}
	return stamps;
}

/** Returns undefined if the file is gone or inaccessible. */
async function stampOf(folder: string, name: string): Promise<FileStamp | undefined> {
	const found = await fs.stat(join(folder, name)).catch(() => undefined);
	return found && { name, size: found.size, modifiedAt: found.mtimeMs };
}

async function append(path: string, bytes: Uint8Array): Promise<void> {
	const handle = await openOwn(path, appending);
	try {
		const { bytesWritten } = await handle.write(bytes);
		if (bytesWritten < bytes.length) {
			throw Object.assign(new Error("The disk took a part only"), { code: "ENOSPC" });
		}
		await handle.datasync();
	} finally {
		await handle.close();
	}
}

function openLogFile(path: string, handle: fs.FileHandle): LogFile {
	return {
		size: async () => {
			const { size, nlink } = await handle.stat();
			if (nlink === 0) {
				throw Object.assign(new Error("The file was deleted"), { code: "ENOENT" });
			}
			return size;
		},
		append: async bytes => {
			// A write may be partial, for example on an almost full disk.
			for (let done = 0; done < bytes.length;) {
				const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
				done += bytesWritten;
			}
		},
		truncate: async length => {
			try {
				await handle.truncate(length);
			} catch (error) {
				// Windows can't truncate through a handle that is open for appending.
				if (systemCode(error) !== "EPERM") {
					throw error;
				}
				await fs.truncate(path, length);
			}
		},
		sync: () => handle.datasync(),
		close: () => handle.close(),
	};
}

async function readEnds(path: string, length: number): Promise<FileEnds> {
	const handle = await fs.open(path, "r");
	try {
		const { size, mtimeMs } = await handle.stat();
		const count = Math.min(size, length);
		const read = async (position: number): Promise<Uint8Array> => {
			const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, position);
			return buffer.subarray(0, bytesRead);
		};
		return { size, modifiedAt: mtimeMs, head: await read(0), tail: await read(size - count) };
	} finally {
		await handle.close();
	}
}

export async function removeIfThere(files: FileSystem, path: string): Promise<void> {
	await ifThere(files.remove(path));
}

/** Why a chat can't be read or written. */
type StoreErrorKind =
	| "full"
	| "readOnly"
	| "denied"
	/** Another window writes this chat or has written to it. */
	| "heldElsewhere"
	/** The file is damaged and couldn't be repaired. */
	| "damaged"
	/** Written by a newer version of Cutaway. */
	| "newer"
	/** The file doesn't exist. */
	| "missing"
	| "failed";

/** Thrown when a chat can't be read or written. Contains no conversation text. */
export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly kind: StoreErrorKind;
	readonly path: string;

	constructor(kind: StoreErrorKind, path: string, cause?: unknown) {
		super(`${kind}: ${path}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
		this.path = path;
	}
}

export function toStoreError(thrown: unknown, path: string): StoreError {
	return thrown instanceof StoreError
		? thrown
		: new StoreError(kindOfCode[systemCode(thrown)] ?? "failed", path, thrown);
}

/** Waits for a step. A failure becomes a `StoreError` about the path. */
export function orStoreError<T>(path: string, step: Promise<T>): Promise<T> {
	return step.catch((error: unknown) => {
		throw toStoreError(error, path);
	});
}

/** @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html#tag_16_03 */
const kindOfCode: Readonly<Record<string, StoreErrorKind>> = {
	ENOSPC: "full",
	EDQUOT: "full",
	EROFS: "readOnly",
	EACCES: "denied",
	EPERM: "denied",
	ENOENT: "missing",
};
