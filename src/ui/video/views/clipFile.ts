import { type FileHandle, open } from "node:fs/promises";

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

/**
 * Returns how many characters of a local service's clip couldn't be drawn, from the file's tag `UNDRAWN`: an EBML string after its name. Returns 0
 * for any other or unreadable file.
 */
export async function undrawnIn(file: string): Promise<number> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const head = (await read(handle, 0, maxTagBytes)).toString("latin1");
		// The id of a tag's string, its size in one byte, and the digits.
		const [, count = "0"] = /UNDRAWN\x44\x87[\x81-\x88](\d{1,8})/.exec(head) ?? [];
		return Number(count);
	} catch {
		return 0;
	} finally {
		await handle?.close();
	}
}
