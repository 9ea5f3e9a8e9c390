import { crc32, inflateRawSync } from "node:zlib";

const localHeader = 0x04_03_4b_50;
const directoryHeader = 0x02_01_4b_50;
const endHeader = 0x06_05_4b_50;
const endLength = 22;

interface ZipFile {
	readonly name: string;
	readonly content: Uint8Array;
}

/**
 * Rewrites a zip archive with uncompressed files, without those that `keeps` rejects, and with more. Compressed as a whole, they take a third less
 * space. Used only by the build. @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function storeZip(
	archive: Buffer,
	keeps: (name: string) => boolean,
	more: ReadonlyMap<string, Uint8Array> = new Map(),
): Buffer {
	const added = [...more].map(([name, content]) => ({ name, content }));
	const files = [...filesOf(archive).filter(({ name }) => keeps(name)), ...added];
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const file of files) {
		const name = Buffer.from(file.name);
		const fields = commonFields(file, name);
		const local = Buffer.alloc(30);
		local.writeUInt32LE(localHeader, 0);
		fields.copy(local, 4);
		const entry = Buffer.alloc(46);
		entry.writeUInt32LE(directoryHeader, 0);
		entry.writeUInt16LE(20, 4);
		fields.copy(entry, 6);
		entry.writeUInt32LE(offset, 42);
		parts.push(local, name, Buffer.from(file.content));
		directory.push(entry, name);
		offset += local.length + name.length + file.content.length;
	}
	const index = Buffer.concat(directory);
	const end = Buffer.alloc(endLength);
	end.writeUInt32LE(endHeader, 0);
	end.writeUInt16LE(files.length, 8);
	end.writeUInt16LE(files.length, 10);
	end.writeUInt32LE(index.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, index, end]);
}

/** The 26 bytes common to both headers: version 2.0, stored, 1 January 1980, sizes and checksum. */
function commonFields({ content }: ZipFile, name: Buffer): Buffer {
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0);
	fields.writeUInt16LE(0x21, 8);
	fields.writeUInt32LE(crc32(content), 10);
	fields.writeUInt32LE(content.length, 14);
	fields.writeUInt32LE(content.length, 18);
	fields.writeUInt16LE(name.length, 22);
	return fields;
}

function filesOf(archive: Buffer): readonly ZipFile[] {
	const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
	const count = archive.readUInt16LE(end + 10);
	const files: ZipFile[] = [];
	let at = archive.readUInt32LE(end + 16);
	for (let index = 0; index < count; index += 1) {
		const nameLength = archive.readUInt16LE(at + 28);
		const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
		if (!name.endsWith("/")) {
			files.push({ name, content: contentAt(archive, at) });
		}
		at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
	}
	return files;
}

function contentAt(archive: Buffer, entry: number): Uint8Array {
	const header = archive.readUInt32LE(entry + 42);
	const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
	const content = archive.subarray(start, start + archive.readUInt32LE(entry + 20));
	return archive.readUInt16LE(entry + 10) === 0 ? content : inflateRawSync(content);
}
