import { type FileHandle, open } from "node:fs/promises";

/** How much of a file's description is read, in bytes; a longer one is not looked into. */
const maxDescriptionBytes = 16 * 1024 * 1024;

/** The most boxes at the top of a file that are walked past. */
const maxBoxes = 200;

/**
 * Whether a file is an MP4 or QuickTime file with AAC sound, which most builds of VS Code cannot play (fault J18). Anything
 * that is not such a file, or cannot be read, counts as not having it. Box structure: ISO/IEC 14496-12 §4.2.
 */
export async function hasAacSound(file: string): Promise<boolean> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const description = await readDescription(handle);
		return description?.includes("mp4a", 0, "latin1") ?? false;
	} catch {
		// The player reports a file that cannot be read.
		return false;
	} finally {
		await handle?.close();
	}
}

/** The file's `moov` box, which describes its tracks. */
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

/** How much of a WebM file is read for what it tells about itself, in bytes: that is before its pictures. */
const maxTagBytes = 64 * 1024;

/**
 * How many characters of a clip of the local service could not be drawn, from the tag `UNDRAWN` of its file: an EBML string that
 * follows its name. 0 for any other file, and one that cannot be read.
 */
export async function undrawnIn(file: string): Promise<number> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const head = (await read(handle, 0, maxTagBytes)).toString("latin1");
		// The id of a tag's string, its size in one byte, and as many digits.
		const [, count = "0"] = /UNDRAWN\x44\x87[\x81-\x88](\d{1,8})/.exec(head) ?? [];
		return Number(count);
	} catch {
		return 0;
	} finally {
		await handle?.close();
	}
}
