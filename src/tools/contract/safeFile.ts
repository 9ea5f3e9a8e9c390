import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readSync,
	realpathSync,
	statSync,
} from "node:fs";
import { isUnmarkedUtf16 } from "../../paths/textBytes.ts";
import {
	isSameTarget,
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "../../paths/resolveTarget.ts";
import { createHash } from "node:crypto";
import {
	DocumentError,
	type DocumentOrder,
	maxDocumentBytes,
	type DocumentReader,
} from "../../documents/documentText.ts";
import { ToolFailure } from "../../common/errors.ts";

/** Size limits of text files and of notebooks, which contain images, in MiB. */
const maxTextMiB = 4;
const maxNotebookMiB = 32;

function mostMiB({ path }: PathTarget): number {
	return path.endsWith(".ipynb") ? maxNotebookMiB : maxTextMiB;
}

/** Reads a target's file without following a link, and no other in its place. Throws `ToolFailure`. docs/security.md. */
export function readTarget(target: PathTarget, most = mostMiB(target)): Uint8Array {
	let descriptor: number;
	try {
		// A pipe in its place must not block the window. Windows has neither flag, and no such pipes.
		const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
		descriptor = openSync(target.path, flags);
	} catch {
		throw new ToolFailure(`${target.label} could not be read.`);
	}
	try {
		const stats = fstatSync(descriptor, { bigint: true });
		// A file system may reuse the inode number of a removed file.
		const isSame = stats.isFile() && `${stats.dev}:${stats.ino}` === target.identity;
		if (!isSame || !isAtItsPath(target)) {
			throw new ToolFailure(`${target.label} is another file now.`, true);
		}
		if (stats.size > BigInt(most * 1024 * 1024)) {
			throw new ToolFailure(`${target.label} is larger than ${most} MiB.`);
		}
		return readAll(descriptor, Number(stats.size));
	} finally {
		closeSync(descriptor);
	}
}

/** Reads a target's document as text. Throws `ToolFailure`. */
export async function readDocumentOf(
	read: DocumentReader,
	target: PathTarget,
	order: Omit<DocumentOrder, "bytes">,
	signal: AbortSignal,
): Promise<string> {
	const bytes = readTarget(target, maxDocumentBytes / (1024 * 1024));
	try {
		return (await read({ ...order, bytes }, signal)).text;
	} catch (error) {
		throw error instanceof DocumentError
			? new ToolFailure(`${target.label} could not be read as text. ${error.message}`)
			: error;
	}
}

/**
 * Whether a target's path still leads to it without a link. If a folder in the path was replaced by a link while the path was checked, the target has
 * the identity of an outside file, which only another check reveals.
 */
function isAtItsPath({ path, identity }: PathTarget): boolean {
	try {
		const { dev, ino } = lstatSync(path, { bigint: true });
		return realpathSync(path) === path && `${dev}:${ino}` === identity;
	} catch {
		return false;
	}
}

/** Whether a target's path still resolves to the same file. Synchronous. */
export function isUnchangedTarget(target: PathTarget, options: WorkspacePaths): boolean {
	const again = resolveTarget(target.path, options);
	return again.ok && isSameTarget(target, again.target);
}

/** Whether even the owner can't write a file. Returns false if it doesn't exist. */
export function isWriteProtected({ path, kind }: PathTarget): boolean {
	const stats = kind === "file" ? statSync(path, { throwIfNoEntry: false }) : undefined;
	return stats !== undefined && (stats.mode & 0o200) === 0;
}

/** Whether bytes contain a zero byte and aren't UTF-16, so no editor opens them as text. */
export function isBinary(bytes: Uint8Array): boolean {
	const [first, second] = bytes;
	const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
	return !isUtf16 && !isUnmarkedUtf16(bytes) && bytes.subarray(0, 8192).includes(0);
}

function readAll(descriptor: number, size: number): Uint8Array {
	const bytes = Buffer.alloc(size);
	let done = 0;
	while (done < size) {
		const count = readSync(descriptor, bytes, done, size - done, done);
		if (count === 0) {
			break;
		}
		done += count;
	}
	return bytes.subarray(0, done);
}

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
