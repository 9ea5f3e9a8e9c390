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
import { ToolFailure } from "./toolFailure.ts";

/** The largest file whose text is read, and the largest notebook, most of which is images; in MiB. Row U14. */
const maxTextMiB = 4;
const maxNotebookMiB = 32;

/**
 * The bytes of the very file a target is. What a link or another file put in its place holds is never read: the file is opened
 * without following a link, and is the one that was judged or is not read at all (threat T13). Throws `ToolFailure`.
 */
export function readTarget(target: PathTarget): Uint8Array {
	let descriptor: number;
	try {
		// A pipe put in its place must not hold the window up. Windows knows neither flag, and has no such pipes.
		const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
		descriptor = openSync(target.path, flags);
	} catch {
		throw new ToolFailure(`${target.label} could not be read.`);
	}
	try {
		const stats = fstatSync(descriptor, { bigint: true });
		// A file system may give a new file, or a pipe, the number of one that was removed.
		const isSame = stats.isFile() && `${stats.dev}:${stats.ino}` === target.identity;
		if (!isSame || !isAtItsPath(target)) {
			throw new ToolFailure(`${target.label} is another file now.`, true);
		}
		const most = target.path.endsWith(".ipynb") ? maxNotebookMiB : maxTextMiB;
		if (stats.size > BigInt(most * 1024 * 1024)) {
			throw new ToolFailure(`${target.label} is larger than ${most} MiB.`);
		}
		return readAll(descriptor, Number(stats.size));
	} finally {
		closeSync(descriptor);
	}
}

/**
 * Whether a target's path still leads to it without a link. A folder on the way that was swapped for a link while the path was
 * judged gave the target the identity of a file outside, and only another walk tells.
 */
function isAtItsPath({ path, identity }: PathTarget): boolean {
	try {
		const { dev, ino } = lstatSync(path, { bigint: true });
		return realpathSync(path) === path && `${dev}:${ino}` === identity;
	} catch {
		return false;
	}
}

/** Whether a target's path leads where it led when it was judged, asked without a pause. */
export function isUnchangedTarget(target: PathTarget, options: WorkspacePaths): boolean {
	const again = resolveTarget(target.path, options);
	return again.ok && isSameTarget(target, again.target);
}

/** Whether not even the owner of a file may write it; false where there is none. */
export function isWriteProtected({ path, kind }: PathTarget): boolean {
	const stats = kind === "file" ? statSync(path, { throwIfNoEntry: false }) : undefined;
	return stats !== undefined && (stats.mode & 0o200) === 0;
}

/** Whether bytes are no text in any encoding an editor opens: a zero byte, but for UTF-16. Row U14. */
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
