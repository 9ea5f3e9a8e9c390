import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

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

/** Makes a zip archive of packed files. */
export function deflatedZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(files)) {
		const content = Buffer.from(text);
		const packed = deflateRawSync(content, { level: 1 });
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(content), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(content.length, 18);
		fields.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE(offset, 10);
		directory.push(
			Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), fields, rest, Buffer.from(name)]),
		);
		parts.push(local);
		offset += local.length;
	}
	const size = directory.reduce((sum, { length }) => sum + length, 0);
	const end = Buffer.alloc(22);
	end.write("PK\u0005\u0006", "latin1");
	end.writeUInt16LE(directory.length, 8);
	end.writeUInt16LE(directory.length, 10);
	end.writeUInt32LE(size, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, ...directory, end]);
}
