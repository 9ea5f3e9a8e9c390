import { createInflateRaw } from "node:zlib";
import { DocumentFaultError } from "../textPages.ts";

/** An Office document: its files, which are read one after the other. */
export interface OfficeFiles {
	has(name: string): boolean;
	/** Yields a file's bytes as they are unpacked; nothing if it is missing. */
	read(name: string): AsyncGenerator<Uint8Array>;
}

interface ZipEntry {
	readonly method: number;
	readonly offset: number;
	readonly packedSize: number;
}

/** The most bytes to unpack from one document. The largest sheet that Excel allows has more, but its first rows are in these. */
const maxUnpackedBytes = 1024 * 1024 * 1024;
const maxFiles = 20_000;

/** Signatures of the records. @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const endOfFiles = 0x06054b50;
const endOfFiles64 = 0x06064b50;
const locator64 = 0x07064b50;
const fileHeader = 0x02014b50;
const localHeader = 0x04034b50;

/** Opens a zip file. Throws `DocumentFaultError` if it is none, is damaged or encrypted. */
export function openZip(bytes: Uint8Array): OfficeFiles {
	const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.length >= 8 && view.readUInt32BE(0) === 0xd0cf11e0) {
		const isEncrypted = view.includes(Buffer.from("EncryptedPackage", "utf16le"));
		throw new DocumentFaultError(isEncrypted ? "encrypted" : "older");
	}
	const entries = readEntries(view);
	const budget = { left: maxUnpackedBytes };
	return {
		has: name => entries.has(keyOf(name)),
		read: name => readEntry(view, entries.get(keyOf(name)), budget),
	};
}

/** Names are compared without case, as Office does, and some writers use backslashes. */
function keyOf(name: string): string {
	return name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
}

function readEntries(view: Buffer): ReadonlyMap<string, ZipEntry> {
	const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
	if (end < 0 || view.readUInt32LE(end) !== endOfFiles) {
		throw new DocumentFaultError("damaged");
	}
	let count = view.readUInt16LE(end + 10);
	let at = view.readUInt32LE(end + 16);
	if (end >= 20 && view.readUInt32LE(end - 20) === locator64) {
		const end64 = Number(view.readBigUInt64LE(end - 12));
		if (view.readUInt32LE(end64) === endOfFiles64) {
			count = Number(view.readBigUInt64LE(end64 + 32));
			at = Number(view.readBigUInt64LE(end64 + 48));
		}
	}
	const entries = new Map<string, ZipEntry>();
	for (let index = 0; index < Math.min(count, maxFiles); index += 1) {
		if (view.readUInt32LE(at) !== fileHeader) {
			throw new DocumentFaultError("damaged");
		}
		const nameLength = view.readUInt16LE(at + 28);
		const extraLength = view.readUInt16LE(at + 30);
		const commentLength = view.readUInt16LE(at + 32);
		const name = view.toString("utf8", at + 46, at + 46 + nameLength);
		const extra = view.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
		if ((view.readUInt16LE(at + 8) & 1) === 1) {
			throw new DocumentFaultError("encrypted");
		}
		entries.set(keyOf(name), {
			method: view.readUInt16LE(at + 10),
			...entryPosition(view, at, extra),
		});
		at += 46 + nameLength + extraLength + commentLength;
	}
	return entries;
}

const is64 = 0xffffffff;

/** Returns an entry's place, from its 64-bit fields where it has those. */
function entryPosition(view: Buffer, at: number, extra: Buffer): Omit<ZipEntry, "method"> {
	const sizes = [24, 20, 42].map(each => view.readUInt32LE(at + each));
	for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
		if (extra.readUInt16LE(field) === 1) {
			let value = field + 4 - 8;
			// Only those that don't fit are there, in this order.
			const next = (): number => Number(extra.readBigUInt64LE((value += 8)));
			sizes.forEach((size, index) => sizes.splice(index, 1, size === is64 ? next() : size));
		}
	}
	const [, packedSize = 0, offset = 0] = sizes;
	return { packedSize, offset };
}

async function* readEntry(
	view: Buffer,
	entry: ZipEntry | undefined,
	budget: { left: number },
): AsyncGenerator<Uint8Array> {
	if (!entry) {
		return;
	}
	const { offset, packedSize, method } = entry;
	if (view.readUInt32LE(offset) !== localHeader) {
		throw new DocumentFaultError("damaged");
	}
	const start = offset + 30 + view.readUInt16LE(offset + 26) + view.readUInt16LE(offset + 28);
	const packed = view.subarray(start, start + packedSize);
	if (method === 0) {
		yield packed;
		return;
	}
	if (method !== 8) {
		throw new DocumentFaultError("damaged");
	}
	const inflate = createInflateRaw();
	inflate.end(packed);
	try {
		for await (const piece of inflate) {
			yield within(budget, piece);
		}
	} finally {
		inflate.destroy();
	}
}

/** Returns a piece of an unpacked file. Throws `DocumentFaultError` if the document has had its share. */
function within(budget: { left: number }, piece: unknown): Uint8Array {
	if (!(piece instanceof Uint8Array) || piece.length > budget.left) {
		throw new DocumentFaultError("damaged");
	}
	budget.left -= piece.length;
	return piece;
}
