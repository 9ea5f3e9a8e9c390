import { readTables } from "../../../../src/localService/video/layout/fontMetrics.ts";

/** What a font made for a test has beside its letters. */
export interface FontTraits {
	/** 400 where it is left out. */
	readonly weight?: number;
	readonly isItalic?: boolean;
	/** Signs that the feature `liga` draws as one: a gap as wide as two letters. */
	readonly ligature?: readonly [string, string];
}

/**
 * Makes a font that has these letters and no others, each with the outline of an ordinary one, from a TrueType font: a stand-in
 * for the fonts of scripts that test machines lack.
 */
export function fontOfLetters(
	base: Uint8Array,
	family: string,
	letters: string,
	{ weight = 400, isItalic = false, ligature }: FontTraits = {},
): Uint8Array {
	const view = new DataView(base.buffer, base.byteOffset, base.byteLength);
	const starts = readTables(view);
	const kept = ["OS/2", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"];
	const lengthOf = (tag: string): number => {
		const index = [...starts.keys()].indexOf(tag);
		return view.getUint32(12 + index * 16 + 12);
	};
	const tables = new Map<string, Uint8Array>(
		kept.map(tag => {
			const start = starts.get(tag) ?? 0;
			return [tag, new Uint8Array(base.subarray(start, start + lengthOf(tag)))];
		}),
	);
	const glyphs = glyphsOf([...new Set(letters.replaceAll(/\s/g, ""))]);
	tables.set("cmap", characterMap(glyphs));
	tables.set("name", nameTable(family));
	const style = viewOf(tables.get("OS/2"));
	style.setUint16(4, weight);
	style.setUint16(62, isItalic ? 1 : 64);
	if (ligature) {
		const parts = ligature.map(sign => glyphs.get(sign.codePointAt(0) ?? 0) ?? 0);
		const widths = viewOf(tables.get("hmtx"));
		widths.setUint16(gapGlyph * 4, widths.getUint16(12) * 2);
		tables.set("GSUB", ligatureTable(parts));
	}
	return assemble(tables);
}

/** A glyph of DejaVu without an outline. */
const gapGlyph = 2;

function viewOf(table: Uint8Array = new Uint8Array()): DataView {
	return new DataView(table.buffer, table.byteOffset, table.byteLength);
}

/** The feature `liga`, of one ligature, for every script. @see https://learn.microsoft.com/typography/opentype/spec/gsub */
function ligatureTable([first = 0, second = 0]: readonly number[]): Uint8Array {
	const tag = (text: string): readonly number[] => [
		Buffer.from(text, "latin1").readUInt16BE(0),
		Buffer.from(text, "latin1").readUInt16BE(2),
	];
	const scripts = [1, ...tag("DFLT"), 8, 4, 0, 0, 0xff_ff, 1, 0];
	const features = [1, ...tag("liga"), 8, 0, 1, 0];
	const lookups = [1, 4, 4, 0, 1, 8];
	const ligatures = [1, 18, 1, 8, 1, 4, gapGlyph, 2, second, 1, 1, first];
	const starts = [10, 10 + scripts.length * 2, 10 + (scripts.length + features.length) * 2];
	const words = [1, 0, ...starts, ...scripts, ...features, ...lookups, ...ligatures];
	const table = Buffer.alloc(words.length * 2);
	words.forEach((word, index) => table.writeUInt16BE(word, index * 2));
	return table;
}

/** Puts fonts into one file, as faces of a collection. */
export function collectionOf(fonts: readonly Uint8Array[]): Uint8Array {
	const head = Buffer.alloc(12 + fonts.length * 4);
	head.write("ttcf", 0, "latin1");
	head.writeUInt32BE(0x1_00_00, 4);
	head.writeUInt32BE(fonts.length, 8);
	const pieces: Uint8Array[] = [head];
	let position = head.length;
	for (const [index, font] of fonts.entries()) {
		const moved = Buffer.from(font);
		for (let table = 0; table < moved.readUInt16BE(4); table += 1) {
			const at = 12 + table * 16 + 8;
			moved.writeUInt32BE(moved.readUInt32BE(at) + position, at);
		}
		head.writeUInt32BE(position, 12 + index * 4);
		pieces.push(moved);
		position += moved.length;
	}
	return Buffer.concat(pieces);
}

/** Glyphs of letters in DejaVu begin about here. */
const firstGlyph = 36;

function glyphsOf(letters: readonly string[]): ReadonlyMap<number, number> {
	const codes = letters.map(letter => letter.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
	return new Map(codes.map((code, index) => [code, firstGlyph + (index % 26)]));
}

function characterMap(glyphs: ReadonlyMap<number, number>): Uint8Array {
	const bytes = Buffer.alloc(28 + glyphs.size * 12);
	bytes.writeUInt16BE(1, 2);
	bytes.writeUInt16BE(3, 4);
	bytes.writeUInt16BE(10, 6);
	bytes.writeUInt32BE(12, 8);
	bytes.writeUInt16BE(12, 12);
	bytes.writeUInt32BE(bytes.length - 12, 16);
	bytes.writeUInt32BE(glyphs.size, 24);
	for (const [index, [code, glyph]] of [...glyphs].entries()) {
		bytes.writeUInt32BE(code, 28 + index * 12);
		bytes.writeUInt32BE(code, 32 + index * 12);
		bytes.writeUInt32BE(glyph, 36 + index * 12);
	}
	return bytes;
}

function nameTable(family: string): Uint8Array {
	const text = Buffer.from(family, "utf16le").swap16();
	const ids = [1, 2, 4, 6];
	const head = Buffer.alloc(6 + ids.length * 12);
	head.writeUInt16BE(ids.length, 2);
	head.writeUInt16BE(head.length, 4);
	for (const [index, id] of ids.entries()) {
		const record = [3, 1, 0x4_09, id, text.length, 0];
		record.forEach((value, at) => head.writeUInt16BE(value, 6 + index * 12 + at * 2));
	}
	return Buffer.concat([head, text]);
}

function assemble(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
	const sorted = [...tables].toSorted(([left], [right]) => (left < right ? -1 : 1));
	const head = Buffer.alloc(12 + sorted.length * 16);
	head.writeUInt32BE(0x1_00_00, 0);
	head.writeUInt16BE(sorted.length, 4);
	const pieces: Uint8Array[] = [head];
	let position = head.length;
	for (const [index, [tag, bytes]] of sorted.entries()) {
		const padding = new Uint8Array((4 - (bytes.length % 4)) % 4);
		head.write(tag, 12 + index * 16, "latin1");
		head.writeUInt32BE(position, 20 + index * 16);
		head.writeUInt32BE(bytes.length, 24 + index * 16);
		pieces.push(bytes, padding);
		position += bytes.length + padding.length;
	}
	return Buffer.concat(pieces);
}
