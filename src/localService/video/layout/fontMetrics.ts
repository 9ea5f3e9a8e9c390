/** Font data needed for text layout. */
export interface FontMetrics {
	covers(codePoint: number): boolean;
	/** Returns the width of a text in em, without kerning and joining. Missing letters count as the widest digit. */
	widthOf(text: string): number;
}

/**
 * Reads the character map and widths of a TrueType or OpenType font whose table directory is at `faceAt`. Throws if there is none. @see
 * https://learn.microsoft.com/typography/opentype/spec/
 */
export function readFontMetrics(bytes: Uint8Array, faceAt = 0): FontMetrics {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const tables = readTables(view, faceAt);
	const unitsPerEm = view.getUint16(tableAt(tables, "head") + 18);
	const longMetrics = view.getUint16(tableAt(tables, "hhea") + 34);
	const metrics = tableAt(tables, "hmtx");
	const glyphs = readCharacterMap(view, tableAt(tables, "cmap"));
	const advanceOf = (codePoint: number): number => {
		const glyph = glyphs.get(codePoint) ?? glyphs.get(0x30) ?? 0;
		return view.getUint16(metrics + Math.min(glyph, longMetrics - 1) * 4) / unitsPerEm;
	};
	return {
		covers: codePoint => glyphs.has(codePoint),
		widthOf: text => {
			let width = 0;
			for (const character of text) {
				width += advanceOf(character.codePointAt(0) ?? 0);
			}
			return width;
		},
	};
}

/** Combines fonts: each letter uses the first font that has it. */
export function joinMetrics(fonts: readonly FontMetrics[]): FontMetrics {
	const fontOf = (codePoint: number): FontMetrics | undefined =>
		fonts.find(font => font.covers(codePoint)) ?? fonts[0];
	return {
		covers: codePoint => fonts.some(font => font.covers(codePoint)),
		widthOf: text => {
			let width = 0;
			for (const letter of text) {
				width += fontOf(letter.codePointAt(0) ?? 0)?.widthOf(letter) ?? 0;
			}
			return width;
		},
	};
}

/** Returns the offsets of a font's tables by tag. Their directory is at `faceAt`. */
export function readTables(view: DataView, faceAt = 0): ReadonlyMap<string, number> {
	const tables = new Map<string, number>();
	const count = view.getUint16(faceAt + 4);
	for (let index = 0; index < count; index += 1) {
		const entry = faceAt + 12 + index * 16;
		const letters = [0, 1, 2, 3].map(offset => view.getUint8(entry + offset));
		tables.set(String.fromCodePoint(...letters), view.getUint32(entry + 8));
	}
	return tables;
}

/** Returns a table's offset. Throws if the font doesn't have it. */
export function tableAt(tables: ReadonlyMap<string, number>, tag: string): number {
	const offset = tables.get(tag);
	if (offset === undefined) {
		throw new Error(`The font has no table ${tag}`);
	}
	return offset;
}

/** Returns glyphs by code point, from subtables of format 4 (up to U+FFFF) and 12 (all of Unicode). */
export function readCharacterMap(view: DataView, start: number): ReadonlyMap<number, number> {
	const glyphs = new Map<number, number>();
	const count = view.getUint16(start + 2);
	for (let index = 0; index < count; index += 1) {
		const record = start + 4 + index * 8;
		const isUnicode = view.getUint16(record) === 0 || view.getUint16(record) === 3;
		const table = start + view.getUint32(record + 4);
		const format = view.getUint16(table);
		if (isUnicode && format === 4) {
			readSegments(view, table, glyphs);
		} else if (isUnicode && format === 12) {
			readGroups(view, table, glyphs);
		}
	}
	return glyphs;
}

function readSegments(view: DataView, table: number, glyphs: Map<number, number>): void {
	const size = view.getUint16(table + 6);
	for (let offset = 0; offset < size; offset += 2) {
		const last = view.getUint16(table + 14 + offset);
		const first = view.getUint16(table + 16 + size + offset);
		const delta = view.getUint16(table + 16 + size * 2 + offset);
		const rangeAt = table + 16 + size * 3 + offset;
		const range = view.getUint16(rangeAt);
		for (let codePoint = first; codePoint <= last && codePoint < 0xff_ff; codePoint += 1) {
			const listed =
				range === 0 ? codePoint : view.getUint16(rangeAt + range + (codePoint - first) * 2);
			const glyph = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xff_ff;
			if (glyph !== 0) {
				glyphs.set(codePoint, glyph);
			}
		}
	}
}

function readGroups(view: DataView, table: number, glyphs: Map<number, number>): void {
	const count = view.getUint32(table + 12);
	for (let index = 0; index < count; index += 1) {
		const group = table + 16 + index * 12;
		const first = view.getUint32(group);
		const last = view.getUint32(group + 4);
		const glyph = view.getUint32(group + 8);
		for (let codePoint = first; codePoint <= last; codePoint += 1) {
			glyphs.set(codePoint, glyph + codePoint - first);
		}
	}
}
