import { type FileHandle, open } from "node:fs/promises";
import { clipLooksTag } from "../../../common/clipLooks.ts";

/** The largest file description to read, in bytes. */
const maxDescriptionBytes = 16 * 1024 * 1024;

/** The most top-level boxes to skip. */
const maxBoxes = 200;

/**
 * Whether a file is MP4 or QuickTime with AAC sound, which most builds of VS Code can't play. False for other or unreadable files. Box structure:
 * ISO/IEC 14496-12 §4.2.
 */
export async function hasAacSound(file: string): Promise<boolean> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const description = await readDescription(handle);
		return description?.includes("mp4a", 0, "latin1") ?? false;
	} catch {
		// The player reports an unreadable file.
		return false;
	} finally {
		await handle?.close();
	}
}

/** Returns the file's `moov` box, which describes its tracks. */
async function readDescription(handle: FileHandle): Promise<Buffer | undefined> {
	let offset = 0;
	for (let box = 0; box < maxBoxes; box++) {
		const head = await read(handle, offset, 16);
		if (head.length < 8) {
			return undefined;
		}
		const short = head.readUInt32BE(0);
		const size = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
		const type = head.toString("latin1", 4, 8);
		if (!/^[a-z0-9 ]{4}$/i.test(type) || size < 8) {
			return undefined;
		}
		if (type === "moov") {
			return size <= maxDescriptionBytes ? await read(handle, offset, size) : undefined;
		}
		offset += size;
	}
	return undefined;
}

async function read(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
	return buffer.subarray(0, bytesRead);
}

/** The part of a WebM file to read for metadata, in bytes; metadata precedes the frames. */
const maxTagBytes = 64 * 1024;

/** Returns how many characters of a local service's clip couldn't be drawn, from the file's tag. Returns 0 for any other or unreadable file. */
export async function undrawnIn(file: string): Promise<number> {
	const count = Number((await readTag(file, "UNDRAWN")) ?? 0);
	return Number.isSafeInteger(count) ? count : 0;
}

/** Returns the appearance of a local service's clip, as JSON from the file's tag; undefined for any other or unreadable file. */
export async function looksIn(file: string): Promise<string | undefined> {
	return await readTag(file, clipLooksTag);
}

/** Reads a tag of a WebM file: an EBML string, with its id and a length of one or two bytes, after the tag's name. Undefined if it isn't as written here. */
async function readTag(file: string, name: string): Promise<string | undefined> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const head = await read(handle, 0, maxTagBytes);
		const at = head.indexOf(`${name}D\u0087`, 0, "latin1") + name.length + 2;
		const [first = 0, second = 0] = head.subarray(at);
		const isShort = first >= 0x80;
		const start = at + (isShort ? 1 : 2);
		const length = isShort ? first - 0x80 : ((first & 0x3f) << 8) | second;
		const isWhole = first >= 0x40 && start + length <= head.length;
		return at >= name.length + 2 && isWhole
			? head.toString("utf8", start, start + length)
			: undefined;
	} catch {
		return undefined;
	} finally {
		await handle?.close();
	}
}
