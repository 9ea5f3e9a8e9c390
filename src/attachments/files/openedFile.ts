import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import * as l10n from "@vscode/l10n";
import { systemCode } from "../../common/errors.ts";
import { absolutePathRefusal, pathPlatform, refusalWords } from "../../paths/pathForm.ts";
import {
	AttachmentError,
	fileChanged,
	orAttachmentError,
	toAttachmentError,
} from "../contract/failures.ts";

/** A regular file, open for reading. The caller closes it. */
export interface OpenFile {
	readonly handle: fs.FileHandle;
	/** Path with links resolved. */
	readonly path: string;
	/** In bytes. */
	readonly size: number;
	readonly isHardLinked: boolean;
	/** Identifies the file under any name. */
	readonly identity: string;
}

/** Doesn't follow a link as the last segment, and doesn't wait for the other end of a pipe. Not available on Windows. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Resolves links; `folders` are those the user has opened. Throws `AttachmentError`: `refusedPath` before accessing the disk, or `missing` and
 * similar kinds.
 */
export async function resolvePath(path: string, folders: readonly string[]): Promise<string> {
	const refusal = absolutePathRefusal(path, pathPlatform, folders);
	if (refusal !== undefined) {
		throw new AttachmentError(
			"refusedPath",
			`${refusalWords(refusal)} ${l10n.t("It wasn't opened.")}`,
		);
	}
	return orAttachmentError(fs.realpath(path));
}

/**
 * Opens a regular file at a path returned by `resolvePath`. Throws `AttachmentError`: `changed` if the path now refers to another file, so that only
 * the file shown to the user is read, and `notAFile` if it isn't regular. docs/security.md.
 */
export async function openResolved(path: string): Promise<OpenFile> {
	let handle: fs.FileHandle | undefined;
	try {
		// Checked before opening, because opening a device can have effects.
		if (!(await fs.stat(path)).isFile()) {
			throw notAFile();
		}
		handle = await fs.open(path, openFlags);
		const opened = await handle.stat({ bigint: true });
		if (!opened.isFile()) {
			throw notAFile();
		}
		const identity = identityOf(opened);
		if (!(await isAt(handle, path, identity))) {
			throw fileChanged();
		}
		const isHardLinked = opened.nlink > 1n;
		return { handle, path, size: Number(opened.size), isHardLinked, identity };
	} catch (error) {
		await handle?.close();
		throw openFailure(error);
	}
}

/** How often to check a path on systems that don't report an open file's path. */
const askings = 3;

/**
 * Whether an open file is at a path without links. Linux reports its path. Elsewhere, alternately resolves the path and compares the file, several
 * times, so that a temporary link would have to be there at every check.
 */
async function isAt(handle: fs.FileHandle, path: string, identity: string): Promise<boolean> {
	const reported = await pathOfHandle(handle);
	if (reported !== undefined) {
		return reported === path;
	}
	for (let asking = 0; asking < askings; asking += 1) {
		const isSamePlace = (await fs.realpath(path)) === path;
		if (!isSamePlace || identityOf(await fs.stat(path, { bigint: true })) !== identity) {
			return false;
		}
	}
	return true;
}

/** Returns an open file's path as reported by the system, or undefined. @see man 5 proc_pid_fd */
async function pathOfHandle({ fd }: fs.FileHandle): Promise<string | undefined> {
	if (process.platform !== "linux") {
		return undefined;
	}
	return fs.readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
}

/** Throws `AttachmentError` if the path no longer refers to the open file. */
export async function assertUnchangedPath({ path, identity }: OpenFile): Promise<void> {
	if (identityOf(await orAttachmentError(fs.lstat(path, { bigint: true }))) !== identity) {
		throw fileChanged();
	}
}

/** A link as the last segment is new since the path was resolved and gets its own message. */
function openFailure(error: unknown): AttachmentError {
	return systemCode(error) === "ELOOP" ? fileChanged() : toAttachmentError(error);
}

function notAFile(): AttachmentError {
	return new AttachmentError("notAFile", l10n.t("Only files can be attached."));
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
	return `${dev}:${ino}`;
}
