import { constants, type Stats } from "node:fs";
import * as fs from "node:fs/promises";
import { systemCode } from "../common/errors.ts";
import { ifThere } from "./atomicFile.ts";

const ownerOnly = 0o600;

/** Rights of other users. */
const rightsOfOthers = 0o077;

/** Follows no link; 0 where the system has no such flag. */
const noFollow = process.platform === "win32" ? 0 : constants.O_NOFOLLOW;

/**
 * Opens a file of Cutaway's own for reading and writing. Keeps its content if that is asked for and the file is a regular one of this user alone.
 * Replaces anything else, such as a link, and never changes what that leads to.
 */
export async function openPrivate(path: string, keepsContent: boolean): Promise<fs.FileHandle> {
	const found = await ifThere(fs.lstat(path));
	if (keepsContent && found && isPrivate(found)) {
		const handle = await fs.open(path, constants.O_RDWR | noFollow);
		const opened = await handle.stat();
		if (opened.ino === found.ino && opened.dev === found.dev && isPrivate(opened)) {
			return handle;
		}
		await handle.close();
	}
	await fs.rm(path, { force: true });
	return await fs.open(path, "wx+", ownerOnly);
}

/**
 * Opens a file of Cutaway's own with these flags, and creates it if they say so. Rejects with `EACCES` for anything but a regular file, and for a link,
 * which is not followed.
 */
export async function openOwn(path: string, flags: number): Promise<fs.FileHandle> {
	const found = await ifThere(fs.lstat(path));
	if (found && !found.isFile()) {
		throw notOwn(path);
	}
	try {
		return await fs.open(path, flags | noFollow, ownerOnly);
	} catch (error) {
		throw systemCode(error) === "ELOOP" ? notOwn(path) : error;
	}
}

function isPrivate(stats: Stats): boolean {
	const isMine = process.getuid === undefined || stats.uid === process.getuid();
	const isClosed = process.platform === "win32" || (stats.mode & rightsOfOthers) === 0;
	return stats.isFile() && stats.nlink === 1 && isMine && isClosed;
}

function notOwn(path: string): Error {
	return Object.assign(new Error(`${path} is a link or no file`), { code: "EACCES" });
}
