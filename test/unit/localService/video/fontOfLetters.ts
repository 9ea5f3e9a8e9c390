import { readTables } from "../../../../src/localService/video/layout/fontMetrics.ts";

/**
 * Makes a font that has these letters and no others, each with the outline of an ordinary one, from a TrueType font: a stand-in
 * for the fonts of scripts that test machines lack.
 */
export function fontOfLetters(base: Uint8Array, family: string, letters: string): Uint8Array {
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
			return [tag, base.slice(start, start + lengthOf(tag))];
		}),
	);
	tables.set("cmap", characterMap([...new Set(letters.replaceAll(/\s/g, ""))]));
	tables.set("name", nameTable(family));
	return assemble(tables);
}

/** Glyphs of letters in DejaVu begin about here. */
const firstGlyph = 36;

function characterMap(letters: readonly string[]): Uint8Array {
	const codes = letters.map(letter => letter.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
	const bytes = Buffer.alloc(28 + codes.length * 12);
	bytes.writeUInt16BE(1, 2);
	bytes.writeUInt16BE(3, 4);
	bytes.writeUInt16BE(10, 6);
	bytes.writeUInt32BE(12, 8);
	bytes.writeUInt16BE(12, 12);
	bytes.writeUInt32BE(bytes.length - 12, 16);
	bytes.writeUInt32BE(codes.length, 24);
	for (const [index, code] of codes.entries()) {
		bytes.writeUInt32BE(code, 28 + index * 12);
		bytes.writeUInt32BE(code, 32 + index * 12);
		bytes.writeUInt32BE(firstGlyph + (index % 26), 36 + index * 12);
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
