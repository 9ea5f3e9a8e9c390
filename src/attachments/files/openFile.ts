import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import * as l10n from "@vscode/l10n";
import { absolutePathRefusal, pathPlatform } from "../../paths/pathForm.ts";
import { refusalWords } from "../../paths/pathRefusal.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { AttachmentError, toAttachmentError } from "../attachment/attachmentError.ts";

/** A regular file, open for reading. Whoever opens it closes it. */
export interface OpenFile {
	readonly handle: fs.FileHandle;
	/** Where it really is, links resolved. */
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	/** Whether it has more than one name on the disk. */
	readonly isHardLinked: boolean;
	/** Says which file it is, whatever it is called. */
	readonly identity: string;
}

/** Never follows a link in the last place, and never waits for the other end of a pipe. Windows has neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Where a path really leads; `folders` are those a user has opened. Throws `AttachmentError`: `refusedPath` before the disk
 * is touched, or `missing` and the like.
 */
export async function resolvePath(path: string, folders: readonly string[]): Promise<string> {
	const refusal = absolutePathRefusal(path, pathPlatform, folders);
	if (refusal !== undefined) {
		throw new AttachmentError(
			"refusedPath",
			`${refusalWords(refusal)} ${l10n.t("It wasn't opened.")}`,
		);
	}
	try {
		return await fs.realpath(path);
	} catch (error) {
		throw toAttachmentError(error);
	}
}

/**
 * Opens the regular file at a path that `resolvePath` gave. Throws `AttachmentError`: `changed` when the path leads elsewhere
 * now, so that what was shown to a user is what is read (T13, T34), and `notAFile` for whatever is not regular.
 */
export async function openResolved(path: string): Promise<OpenFile> {
	let handle: fs.FileHandle | undefined;
	try {
		// To open a device can already do something, so it is looked at first.
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
			throw leadsElsewhere();
		}
		const isHardLinked = opened.nlink > 1n;
		return { handle, path, size: Number(opened.size), isHardLinked, identity };
	} catch (error) {
		await handle?.close();
		throw openFailure(error);
	}
}

/** How often a path is asked where it leads, on systems that do not say where an open file is. */
const askings = 3;

/**
 * Whether an open file is at a path without links. Linux says where it is. Elsewhere the path is asked several times, in
 * turn where it leads and what is there, which a link put in and taken out again would have to meet every time.
 */
async function isAt(handle: fs.FileHandle, path: string, identity: string): Promise<boolean> {
	const reported = await placeOf(handle);
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

/** Where an open file is by the word of the system; undefined where it has none. @see man 5 proc_pid_fd */
async function placeOf({ fd }: fs.FileHandle): Promise<string | undefined> {
	if (process.platform !== "linux") {
		return undefined;
	}
	return fs.readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
}

/** Whether the path still names the file that is open; throws `AttachmentError` when it does not. */
export async function assertUnchangedPath({ path, identity }: OpenFile): Promise<void> {
	try {
		if (identityOf(await fs.lstat(path, { bigint: true })) !== identity) {
			throw leadsElsewhere();
		}
	} catch (error) {
		throw toAttachmentError(error);
	}
}

/** A link in the last place, which was not there when the path was resolved, is refused in words of its own. */
function openFailure(error: unknown): AttachmentError {
	return systemCode(error) === "ELOOP" ? leadsElsewhere() : toAttachmentError(error);
}

function notAFile(): AttachmentError {
	return new AttachmentError(
		"notAFile",
		l10n.t("Only files can be attached, not devices, pipes or sockets."),
	);
}

function leadsElsewhere(): AttachmentError {
	return new AttachmentError(
		"changed",
		l10n.t("Nothing was sent: another file replaced it. Retry to attach that file."),
	);
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
	return `${dev}:${ino}`;
}
