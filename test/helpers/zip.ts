import { inflateRawSync } from "node:zlib";

/** One file of a zip archive. */
export interface ZipEntry {
	readonly name: string;
	/** Bytes it takes inside the archive. */
	readonly compressedSize: number;
	/** Bytes it takes when unpacked. */
	readonly size: number;
	/** Unpacks the file. */
	read(): Buffer;
}

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;

/** Length of the end record without its comment, which may follow it. */
const endLength = 22;

function findEnd(archive: Buffer): number {
	for (let offset = archive.length - endLength; offset >= 0; offset--) {
		if (archive.readUInt32LE(offset) === endSignature) {
			return offset;
		}
	}
	throw new Error("This is no zip archive: it has no end record.");
}

function readContent(archive: Buffer, header: number, compressedSize: number): Buffer {
	const nameLength = archive.readUInt16LE(header + 26);
	const extraLength = archive.readUInt16LE(header + 28);
	const method = archive.readUInt16LE(header + 8);
	const start = header + 30 + nameLength + extraLength;
	const content = archive.subarray(start, start + compressedSize);
	return method === 0 ? content : inflateRawSync(content);
}

/**
 * Lists the files of a zip archive from its central directory (APPNOTE.TXT 4.3.12,
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). Throws when it has none.
 */
export function listZip(archive: Buffer): ZipEntry[] {
	const end = findEnd(archive);
	const entries: ZipEntry[] = [];
	let offset = archive.readUInt32LE(end + 16);
	for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
		if (archive.readUInt32LE(offset) !== directorySignature) {
			throw new Error("The zip archive's directory is damaged.");
		}
		const compressedSize = archive.readUInt32LE(offset + 20);
		const nameLength = archive.readUInt16LE(offset + 28);
		const header = archive.readUInt32LE(offset + 42);
		entries.push({
			name: archive.toString("utf8", offset + 46, offset + 46 + nameLength),
			compressedSize,
			size: archive.readUInt32LE(offset + 24),
			read: () => readContent(archive, header, compressedSize),
		});
		const extraLength = archive.readUInt16LE(offset + 30);
		const commentLength = archive.readUInt16LE(offset + 32);
		offset += 46 + nameLength + extraLength + commentLength;
	}
	return entries;
}
