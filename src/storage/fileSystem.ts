import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { createWhole, syncFolder, systemCode, writeAtomically } from "./atomicFile.ts";

/** An open file that only its end is written to, even where two write it at once. */
export interface LogFile {
	/** Size in bytes. Fails with `ENOENT` once the file has been deleted. */
	size(): Promise<number>;
	/** Writes all of `bytes` behind what is there. */
	append(bytes: Uint8Array): Promise<void>;
	truncate(length: number): Promise<void>;
	/** Resolves when everything written is on the medium. */
	sync(): Promise<void>;
	close(): Promise<void>;
}

/** The first and the last bytes of a file. */
interface FileEnds {
	readonly size: number;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
	readonly head: Uint8Array;
	readonly tail: Uint8Array;
}

/** A file as its folder shows it. */
export interface FileStamp {
	readonly name: string;
	/** In bytes. */
	readonly size: number;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
}

/** The bytes of a file from some place on. */
interface FileTail {
	readonly bytes: Uint8Array;
	/** Of the whole file, in bytes. */
	readonly size: number;
}

/** File system as the chats need it. Every method rejects with the system's error, whose `code` says why. */
export interface FileSystem {
	/** Makes a folder, for its owner alone, and those above it; one that is there already becomes so. */
	makeFolder(path: string): Promise<void>;
	/** Names of what a folder holds; none when there is no such folder. */
	names(folder: string): Promise<readonly string[]>;
	/** The files of a folder whose names `concerns` takes, by name; none when there is no such folder. */
	stamps(folder: string, concerns: (name: string) => boolean): Promise<readonly FileStamp[]>;
	read(path: string): Promise<Uint8Array>;
	/** Reads at most `length` bytes from both ends. */
	readEnds(path: string, length: number): Promise<FileEnds>;
	/** Reads from byte `start` to the end; nothing when the file is shorter. */
	readFrom(path: string, start: number): Promise<FileTail>;
	/** Opens a file for writing, making it when it is not there. */
	open(path: string): Promise<LogFile>;
	/**
	 * Adds to the end of a file in one write, whoever else adds to it, making it when it is not there; resolves when that is
	 * on the medium. A disk that takes a part only is full (`ENOSPC`).
	 */
	append(path: string, bytes: Uint8Array): Promise<void>;
	/** Makes a file that must not be there yet (`EEXIST`); it appears with its text in it. */
	createExclusive(path: string, text: string): Promise<void>;
	/** Replaces a file as a whole, as `writeAtomically` does: once it resolves, the new text survives a power cut. */
	replace(path: string, text: string): Promise<void>;
	/** Copies to a path that must not be there yet (`EEXIST`). */
	copyExclusive(from: string, to: string): Promise<void>;
	/** Moves a file, replacing what was at `to`. */
	rename(from: string, to: string): Promise<void>;
	remove(path: string): Promise<void>;
	/** When a file was last changed or touched, in milliseconds since 1970. */
	modifiedAt(path: string): Promise<number>;
	/** Sets the time a file was last changed, in milliseconds since 1970. */
	touch(path: string, time: number): Promise<void>;
	/** Resolves when the names in a folder are on the medium, where the system can say so. */
	syncFolder(path: string): Promise<void>;
}

/** The machine's own disk. Files are made for their owner alone. */
export const nodeFileSystem: FileSystem = {
	makeFolder,
	names: namesIn,
	stamps: stampsIn,
	read: path => fs.readFile(path),
	readEnds,
	readFrom,
	open: async path => openLogFile(path, await fs.open(path, appending, ownerOnly)),
	append,
	createExclusive: createWhole,
	replace: writeAtomically,
	copyExclusive: (from, to) => fs.copyFile(from, to, constants.COPYFILE_EXCL),
	rename: (from, to) => fs.rename(from, to),
	remove: path => fs.unlink(path),
	modifiedAt: async path => (await fs.stat(path)).mtimeMs,
	touch: (path, time) => fs.utimes(path, time / 1000, time / 1000),
	syncFolder,
};

const ownerOnly = 0o600;
const ownerOnlyFolder = 0o700;
const appending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

async function makeFolder(path: string): Promise<void> {
	await fs.mkdir(path, { recursive: true, mode: ownerOnlyFolder });
	try {
		await fs.chmod(path, ownerOnlyFolder);
	} catch (error) {
		// A disk that knows no rights, or a folder of someone else's, stays as it is.
		if (!unsupportedRights.has(systemCode(error))) {
			throw error;
		}
	}
}

const unsupportedRights: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EROFS", "ENOTSUP"]);

/** How many files are asked about at a time. */
const stampsAtOnce = 64;

async function namesIn(folder: string): Promise<readonly string[]> {
	try {
		return await fs.readdir(folder);
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return [];
		}
		throw error;
	}
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

/** Undefined for a file that went meanwhile or that the system refuses. */
async function stampOf(folder: string, name: string): Promise<FileStamp | undefined> {
	try {
		const { size, mtimeMs } = await fs.stat(join(folder, name));
		return { name, size, modifiedAt: mtimeMs };
	} catch {
		return undefined;
	}
}

async function append(path: string, bytes: Uint8Array): Promise<void> {
	const handle = await fs.open(path, "a", ownerOnly);
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
			// One write may take fewer bytes than it was given, as on a disk that is almost full.
			for (let done = 0; done < bytes.length;) {
				const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
				done += bytesWritten;
			}
		},
		truncate: async length => {
			try {
				await handle.truncate(length);
			} catch (error) {
				// On Windows a file that is open for adding cannot be cut by the same handle.
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

async function readFrom(path: string, start: number): Promise<FileTail> {
	const handle = await fs.open(path, "r");
	try {
		const { size } = await handle.stat();
		const wanted = Math.max(0, size - start);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, start);
		return { bytes: buffer.subarray(0, bytesRead), size };
	} finally {
		await handle.close();
	}
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

/** Removes a file; one that is gone already is fine. */
export async function removeIfThere(files: FileSystem, path: string): Promise<void> {
	try {
		await files.remove(path);
	} catch (error) {
		if (systemCode(error) !== "ENOENT") {
			throw error;
		}
	}
}
