import { closeSync, openSync, readSync } from "node:fs";
import { readCharacterMap, readTables } from "../layout/fontMetrics.ts";

/** The letters for which a font file has outlines. */
export interface FontCoverage {
	readonly covers: (codePoint: number) => boolean;
	/** Offset of the face's table directory in the file. */
	readonly faceAt: number;
}

/** A larger table isn't read. */
const maxTableBytes = 8_000_000;

/** Tables of bitmaps and color layers, which can't be drawn. Letters without outlines would be empty. */
const pictureTables = ["CBDT", "sbix", "SVG "] as const;

/**
 * Reads which letters a face of a font file has, without reading the whole file: the face whose table directory is at `faceAt`, or the first. Returns
 * undefined if it isn't a font.
 */
export function readCoverage(path: string, faceAt?: number): FontCoverage | undefined {
	return withFile(path, file => coverageOf(file, faceAt ?? facesAt(file)[0] ?? 0));
}

export interface FontFace {
	/** Offset of its table directory in the file. */
	readonly faceAt: number;
	/** Family names in all languages, in lower case. */
	readonly families: readonly string[];
	/** 100 to 1000; 400 is regular. */
	readonly weight: number;
	/** 1 to 9; 5 is normal. */
	readonly width: number;
	readonly isItalic: boolean;
}

/** Reads the names and styles of a file's faces. Returns none if it isn't a font. */
export function readFaces(path: string): readonly FontFace[] {
	return withFile(path, file => facesAt(file).map(faceAt => faceOf(file, faceAt))) ?? [];
}

function withFile<T>(path: string, read: (file: number) => T): T | undefined {
	let file: number | undefined;
	try {
		file = openSync(path, "r");
		return read(file);
	} catch {
		// Unreadable or damaged files are not fonts.
		return undefined;
	} finally {
		if (file !== undefined) {
			closeSync(file);
		}
	}
}

/** Returns the family of the face at `faceAt`, or undefined if its name isn't in Unicode. */
export function readFamily(bytes: Uint8Array, faceAt: number): string | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = readTables(view, faceAt).get("name");
	const names = start === undefined ? [] : namesOf(bytes.subarray(start));
	const plain = names.filter(({ text }) => /^[\w .+-]+$/.test(text));
	// Prefers the typographic family, which includes all weights, over that of four styles.
	return [16, 1].map(wanted => plain.find(({ id }) => id === wanted)?.text).find(Boolean);
}

interface FontName {
	readonly id: number;
	readonly text: string;
}

function namesOf(table: Uint8Array): readonly FontName[] {
	const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
	const texts = view.getUint16(4);
	return Array.from({ length: view.getUint16(2) }, (_, index) => {
		const [platform, , , id = 0, length = 0, offset = 0] = [0, 2, 4, 6, 8, 10].map(at =>
			view.getUint16(6 + index * 12 + at),
		);
		const from = texts + offset;
		const text = new TextDecoder("utf-16be").decode(table.subarray(from, from + length));
		return { isUnicode: platform === 0 || platform === 3, id, text };
	}).filter(({ isUnicode }) => isUnicode);
}

const maxFaces = 64;

/** Returns the offset of each face's table directory. */
function facesAt(file: number): readonly number[] {
	const head = bytesOf(file, 0, 12);
	if (head.getUint32(0) !== tagOf("ttcf")) {
		return [0];
	}
	const count = Math.min(head.getUint32(8), maxFaces);
	const list = bytesOf(file, 12, count * 4);
	return Array.from({ length: count }, (_, index) => list.getUint32(index * 4));
}

interface FaceTables {
	readonly tables: ReadonlyMap<string, number>;
	/** Reads a table, or its first `most` bytes. */
	readonly read: (tag: string, most?: number) => DataView;
}

function tablesOf(file: number, faceAt: number): FaceTables {
	const count = bytesOf(file, faceAt, 12).getUint16(4);
	const directory = bytesOf(file, faceAt, 12 + count * 16);
	const tables = readTables(directory);
	return {
		tables,
		read: (tag, most = Number.POSITIVE_INFINITY) =>
			bytesOf(file, tables.get(tag) ?? -1, Math.min(most, lengthIn(directory, tag))),
	};
}

function faceOf(file: number, faceAt: number): FontFace {
	const { read } = tablesOf(file, faceAt);
	const { buffer } = read("name");
	const families = namesOf(new Uint8Array(buffer))
		.filter(({ id }) => id === 1 || id === 16)
		.map(({ text }) => text.trim().toLowerCase());
	const style = read("OS/2", 64);
	return {
		faceAt,
		families,
		weight: style.getUint16(4),
		width: style.getUint16(6),
		isItalic: (style.getUint16(62) & 1) === 1,
	};
}

function coverageOf(file: number, faceAt: number): FontCoverage | undefined {
	const { tables, read } = tablesOf(file, faceAt);
	const hasOutlines = ["glyf", "CFF ", "CFF2"].some(tag => tables.has(tag));
	if (!hasOutlines || pictureTables.some(tag => tables.has(tag))) {
		return undefined;
	}
	const glyphs = readCharacterMap(read("cmap"), 0);
	const isEmpty = tables.has("glyf") ? emptyGlyphs(read("loca"), read("head")) : () => false;
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
