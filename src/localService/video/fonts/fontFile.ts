import { closeSync, openSync, readSync } from "node:fs";
import { readCharacterMap, readTables } from "../layout/index.ts";

/** The letters that a font file draws with outlines. */
export interface FontCoverage {
	readonly covers: (codePoint: number) => boolean;
	/** Where the tables of the face that has them begin in the file. */
	readonly faceAt: number;
}

/** Larger tables are no tables of letters. */
const maxTableBytes = 8_000_000;

/** Bitmaps and layers of colors are not drawn; letters that have nothing else would be empty. */
const pictureTables = ["CBDT", "sbix", "SVG "] as const;

/** Reads which letters the first face of a font file draws, without reading all of it; undefined for a file that is none. */
export function readCoverage(path: string): FontCoverage | undefined {
	let file: number | undefined;
	try {
		file = openSync(path, "r");
		return coverageOf(file);
	} catch {
		// A file that cannot be read, or is not as fonts are, has no letters for us.
		return undefined;
	} finally {
		if (file !== undefined) {
			closeSync(file);
		}
	}
}

/** The family of the face whose tables are listed at `faceAt`; undefined when its name is not in Unicode. */
export function readFamily(bytes: Uint8Array, faceAt: number): string | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = readTables(view, faceAt).get("name");
	if (start === undefined) {
		return undefined;
	}
	const texts = start + view.getUint16(start + 4);
	const names = Array.from({ length: view.getUint16(start + 2) }, (_, index) => {
		const [platform, , , id, length = 0, offset = 0] = [0, 2, 4, 6, 8, 10].map(at =>
			view.getUint16(start + 6 + index * 12 + at),
		);
		const from = texts + offset;
		const text = new TextDecoder("utf-16be").decode(bytes.subarray(from, from + length));
		return { isUnicode: platform === 0 || platform === 3, id, text };
	}).filter(({ isUnicode, text }) => isUnicode && /^[\w .-]+$/.test(text));
	// The family of all its weights, where it is not the same as that of four styles.
	return [16, 1].map(wanted => names.find(({ id }) => id === wanted)?.text).find(Boolean);
}

function coverageOf(file: number): FontCoverage | undefined {
	const head = bytesOf(file, 0, 16);
	const isCollection = head.getUint32(0) === tagOf("ttcf");
	const faceAt = isCollection ? head.getUint32(12) : 0;
	const count = bytesOf(file, faceAt, 12).getUint16(4);
	const directory = bytesOf(file, faceAt, 12 + count * 16);
	const tables = readTables(directory);
	const hasOutlines = ["glyf", "CFF ", "CFF2"].some(tag => tables.has(tag));
	if (!hasOutlines || pictureTables.some(tag => tables.has(tag))) {
		return undefined;
	}
	const table = (tag: string): DataView =>
		bytesOf(file, tables.get(tag) ?? -1, lengthIn(directory, tag));
	const glyphs = readCharacterMap(table("cmap"), 0);
	const isEmpty = tables.has("glyf") ? emptyGlyphs(table("loca"), table("head")) : () => false;
	return {
		covers: codePoint => {
			const glyph = glyphs.get(codePoint);
			return glyph !== undefined && !isEmpty(glyph);
		},
		faceAt,
	};
}

function emptyGlyphs(loca: DataView, head: DataView): (glyph: number) => boolean {
	const isLong = head.getInt16(50) === 1;
	const offsetOf = (index: number): number =>
		isLong ? loca.getUint32(index * 4) : loca.getUint16(index * 2);
	return glyph => offsetOf(glyph) === offsetOf(glyph + 1);
}

function lengthIn(directory: DataView, wanted: string): number {
	for (let entry = 12; entry < directory.byteLength; entry += 16) {
		if (directory.getUint32(entry) === tagOf(wanted)) {
			return directory.getUint32(entry + 12);
		}
	}
	return 0;
}

function tagOf(tag: string): number {
	return Buffer.from(tag, "latin1").readUInt32BE(0);
}

function bytesOf(file: number, from: number, length: number): DataView {
	if (from < 0 || length > maxTableBytes) {
		throw new Error("The font's tables are not where they should be");
	}
	const bytes = new Uint8Array(length);
	const read = readSync(file, bytes, 0, length, from);
	if (read < length) {
		throw new Error("The font ends too early");
	}
	return new DataView(bytes.buffer);
}
