import { readCharacterMap, readTables, tableAt } from "./fontMetrics.ts";

/** Only screens of few pixels need these: instructions that bend outlines to a grid, and tables that nobody here reads. */
const dropped = new Set(["FFTM", "MATH", "cvt ", "fpgm", "gasp", "kern", "prep"]);

/**
 * Makes a TrueType font smaller by what drawing large, smooth letters does not need: hinting instructions, old kerning
 * and glyph names. Letters, widths, shaping and marks stay as they are. With `keeps`, only the letters it accepts stay,
 * without shaping. Used by the build.
 * @see https://learn.microsoft.com/typography/opentype/spec/
 */
export function trimFont(font: Uint8Array, keeps?: (codePoint: number) => boolean): Uint8Array {
	const view = viewOf(font);
	const starts = readTables(view);
	const letters = [...readCharacterMap(view, tableAt(starts, "cmap"))].filter(
		([codePoint]) => keeps?.(codePoint) ?? true,
	);
	const tables = new Map<string, Uint8Array>();
	for (const [tag, { start, length }] of tableSpans(view)) {
		if (!dropped.has(tag) && !(keeps && shaping.has(tag))) {
			tables.set(tag, font.slice(start, start + length));
		}
	}
	const glyphCount = view.getUint16(tableAt(starts, "maxp") + 4);
	const kept = keeps && withComponents(view, starts, [0, ...letters.map(([, glyph]) => glyph)]);
	const { glyf, loca } = withoutInstructions(view, starts, glyphCount, kept);
	if (keeps) {
		tables.set("cmap", characterMap(letters));
	}
	tables.set("glyf", glyf);
	tables.set("loca", loca);
	tables.set("post", namelessPost(tables.get("post")));
	const head = tables.get("head");
	if (head) {
		// Offsets of glyphs are written with 32 bits.
		viewOf(head).setInt16(50, 1);
	}
	return assemble(tables);
}

/** Of use only to scripts that change letters by their neighbors. */
const shaping = new Set(["GDEF", "GPOS", "GSUB"]);

function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tableSpans(
	view: DataView,
): ReadonlyMap<string, { readonly start: number; readonly length: number }> {
	const tags = [...readTables(view).keys()];
	return new Map(
		tags.map((tag, index) => {
			const entry = 12 + index * 16;
			return [tag, { start: view.getUint32(entry + 8), length: view.getUint32(entry + 12) }];
		}),
	);
}

interface Outlines {
	readonly glyf: Uint8Array;
	readonly loca: Uint8Array;
}

function withoutInstructions(
	view: DataView,
	tables: ReadonlyMap<string, number>,
	glyphCount: number,
	kept: ReadonlySet<number> | undefined,
): Outlines {
	const spanOf = glyphSpans(view, tables);
	const newLoca = new Uint8Array((glyphCount + 1) * 4);
	const pieces: Uint8Array[] = [];
	let position = 0;
	for (let index = 0; index < glyphCount; index += 1) {
		viewOf(newLoca).setUint32(index * 4, position);
		const { start, end } = spanOf(index);
		const isKept = end > start && (kept?.has(index) ?? true);
		for (const piece of isKept ? bareGlyph(view, start, end) : []) {
			pieces.push(piece);
			position += piece.length;
		}
		const padding = (4 - (position % 4)) % 4;
		pieces.push(new Uint8Array(padding));
		position += padding;
	}
	viewOf(newLoca).setUint32(glyphCount * 4, position);
	return { glyf: joined(pieces), loca: newLoca };
}

/** Where each glyph's outline is in the font. */
function glyphSpans(
	view: DataView,
	tables: ReadonlyMap<string, number>,
): (index: number) => { readonly start: number; readonly end: number } {
	const glyf = tableAt(tables, "glyf");
	const loca = tableAt(tables, "loca");
	const isLong = view.getInt16(tableAt(tables, "head") + 50) === 1;
	const offsetOf = (index: number): number =>
		isLong ? view.getUint32(loca + index * 4) : view.getUint16(loca + index * 2) * 2;
	return index => ({ start: glyf + offsetOf(index), end: glyf + offsetOf(index + 1) });
}

/** The glyphs and those they are put together from. */
function withComponents(
	view: DataView,
	tables: ReadonlyMap<string, number>,
	glyphs: readonly number[],
): ReadonlySet<number> {
	const spanOf = glyphSpans(view, tables);
	const found = new Set(glyphs);
	// A set that grows while it is walked is walked to its end.
	for (const glyph of found) {
		const { start, end } = spanOf(glyph);
		const isComposite = end > start && view.getInt16(start) < 0;
		const components = isComposite ? walkComponents(view, start).components : [];
		components.forEach(component => found.add(component));
	}
	return found;
}

/** One subtable of format 12, a group for every run of letters whose glyphs follow each other. */
function characterMap(letters: readonly (readonly [number, number])[]): Uint8Array {
	const groups: [number, number, number][] = [];
	for (const [codePoint, glyph] of letters.toSorted(([left], [right]) => left - right)) {
		const last = groups.at(-1);
		if (last && codePoint === last[1] + 1 && glyph === last[2] + codePoint - last[0]) {
			last[1] = codePoint;
		} else {
			groups.push([codePoint, codePoint, glyph]);
		}
	}
	const table = new Uint8Array(28 + groups.length * 12);
	const view = viewOf(table);
	const header: readonly (readonly [number, number])[] = [
		[2, 1],
		[4, 3],
		[6, 10],
		[12, 12],
	];
	header.forEach(([at, value]) => view.setUint16(at, value));
	view.setUint32(8, 12);
	view.setUint32(16, table.length - 12);
	view.setUint32(24, groups.length);
	groups.flat().forEach((value, index) => view.setUint32(28 + index * 4, value));
	return table;
}

/** A glyph in pieces, without its instructions. */
function bareGlyph(view: DataView, start: number, end: number): readonly Uint8Array[] {
	const bytes = (from: number, to: number): Uint8Array =>
		new Uint8Array(view.buffer, view.byteOffset + from, to - from).slice();
	const contours = view.getInt16(start);
	if (contours < 0) {
		return [bareComposite(view, start, end)];
	}
	const lengthAt = start + 10 + contours * 2;
	const instructions = view.getUint16(lengthAt);
	return [bytes(start, lengthAt), new Uint8Array(2), bytes(lengthAt + 2 + instructions, end)];
}

const hasWords = 0x00_01;
const hasScale = 0x00_08;
const hasMore = 0x00_20;
const hasTwoScales = 0x00_40;
const hasMatrix = 0x00_80;
const hasInstructions = 0x01_00;

/** Without what comes behind the last component: instructions. */
function bareComposite(view: DataView, start: number, end: number): Uint8Array {
	const { flagsAt, stop } = walkComponents(view, start);
	const glyph = new Uint8Array(view.buffer, view.byteOffset + start, end - start).slice();
	const own = viewOf(glyph);
	for (const at of flagsAt) {
		own.setUint16(at - start, own.getUint16(at - start) & ~hasInstructions);
	}
	return glyph.slice(0, stop - start);
}

interface Components {
	readonly components: readonly number[];
	/** Where the flags of each component are. */
	readonly flagsAt: readonly number[];
	/** End of the last component. */
	readonly stop: number;
}

function walkComponents(view: DataView, start: number): Components {
	const components: number[] = [];
	const flagsAt: number[] = [];
	let position = start + 10;
	let flags = hasMore;
	while ((flags & hasMore) !== 0) {
		flags = view.getUint16(position);
		flagsAt.push(position);
		components.push(view.getUint16(position + 2));
		position += 4 + ((flags & hasWords) === 0 ? 2 : 4) + transformBytes(flags);
	}
	return { components, flagsAt, stop: position };
}

function transformBytes(flags: number): number {
	if ((flags & hasScale) !== 0) {
		return 2;
	}
	if ((flags & hasTwoScales) !== 0) {
		return 4;
	}
	return (flags & hasMatrix) === 0 ? 0 : 8;
}

/** Version 3: the same figures, no names. */
function namelessPost(post: Uint8Array | undefined): Uint8Array {
	const bare = new Uint8Array(32);
	bare.set((post ?? bare).subarray(0, 32));
	viewOf(bare).setUint32(0, 0x00_03_00_00);
	return bare;
}

/** Header, directory with checksums, and the tables, each at an offset that 4 divides. */
function assemble(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
	const sorted = [...tables].toSorted(([left], [right]) => (left < right ? -1 : 1));
	const header = new Uint8Array(12 + sorted.length * 16);
	const view = viewOf(header);
	const power = Math.floor(Math.log2(sorted.length));
	view.setUint32(0, 0x00_01_00_00);
	view.setUint16(4, sorted.length);
	view.setUint16(6, 16 * 2 ** power);
	view.setUint16(8, power);
	view.setUint16(10, 16 * (sorted.length - 2 ** power));
	const pieces: Uint8Array[] = [header];
	let position = header.length;
	for (const [index, [tag, table]] of sorted.entries()) {
		const entry = 12 + index * 16;
		const padded = new Uint8Array(Math.ceil(table.length / 4) * 4);
		padded.set(table);
		[...tag].forEach((letter, at) => view.setUint8(entry + at, letter.charCodeAt(0)));
		view.setUint32(entry + 4, checksum(padded));
		view.setUint32(entry + 8, position);
		view.setUint32(entry + 12, table.length);
		pieces.push(padded);
		position += padded.length;
	}
	return joined(pieces);
}

function checksum(table: Uint8Array): number {
	const view = viewOf(table);
	let sum = 0;
	for (let at = 0; at < table.length; at += 4) {
		sum = (sum + view.getUint32(at)) >>> 0;
	}
	return sum;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
	const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
	let position = 0;
	for (const piece of pieces) {
		all.set(piece, position);
		position += piece.length;
	}
	return all;
}
