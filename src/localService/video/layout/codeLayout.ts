import type { FontMetrics } from "./fontMetrics.ts";
import { maxPages } from "./pageTurns.ts";
import { type CodeToken, tokenizeCode } from "../../../clip/codeTokens.ts";
import { columnsOf } from "../../../clip/columns.ts";
import { pagesOf } from "./wrapText.ts";

/** One line as it is shown: a whole line of code, or a part of one that is too long. */
export interface CodeRow {
	/** Number of the line of code, from 1; absent on its further parts. */
	readonly number?: number;
	readonly tokens: readonly CodeToken[];
	readonly columns: number;
	/** Columns before a further part of a line, which are not of the line. */
	readonly indent?: number;
	/** Says how much was left out, and is no code. */
	readonly isNote?: true;
}

/** Code on pages that follow each other, every row within the width. */
export interface CodeLayout {
	/** Font size in pixels, 17 to 34. */
	readonly size: number;
	readonly pages: readonly (readonly CodeRow[])[];
}

/** Sizes of code in pixels, from the largest. */
export const codeSizes = [34, 31, 28, 25, 22, 19, 17] as const;
const smallestSize = 17;

/** So few lines are rather broken than set small, as long as a row keeps this many columns, or this share of the most there can be. */
const maxBrokenLines = 4;
const minColumns = 44;
const minColumnShare = 0.7;
/** In a window of fewer columns, this share of many lines may be broken. */
const narrowColumns = 60;
const maxBrokenShare = 0.25;

/** Height of a row relative to the font size. */
export const rowHeight = 1.42;

/** Room for the code itself, without line numbers, in pixels. */
export interface CodeArea {
	readonly width: number;
	readonly height: number;
}

/**
 * Chooses the largest size at which no line is broken and all fit on one page, or at which a few long lines fit broken; when
 * none does, the smallest size, long lines broken, and as many pages as the clip has time for. What is left over is counted in
 * a last row.
 */
export function layOutCode(
	code: string,
	language: string | undefined,
	options: { readonly room: CodeArea; readonly mono: FontMetrics; readonly duration: number },
): CodeLayout {
	const { room, mono, duration } = options;
	const lines = tokenizeCode(code.split("\n"), language);
	const columnWidth = mono.widthOf("0");
	const lengths = lines.map(columnsOfLine);
	const longest = Math.max(...lengths);
	const columnsAt = (size: number): number => Math.floor(room.width / (columnWidth * size));
	const rowsAt = (size: number): readonly CodeRow[] =>
		lines.flatMap((tokens, index) => breakLine(tokens, index + 1, columnsAt(size)));
	const mayBreak = (size: number): boolean =>
		mayBreakLines(lengths, columnsAt(size), columnsAt(smallestSize));
	const fitting = codeSizes.find(
		size =>
			(longest <= columnsAt(size) || mayBreak(size)) &&
			rowsAt(size).length * size * rowHeight <= room.height,
	);
	const size = fitting ?? smallestSize;
	const rows = rowsAt(size);
	const perPage = Math.floor(room.height / (size * rowHeight));
	const capacity = perPage * maxPages(duration);
	if (rows.length <= capacity) {
		return { size, pages: pagesOf(rows, perPage) };
	}
	const shown = rows.slice(0, capacity - 1);
	const hidden = lines.length - (shown.findLast(row => row.number !== undefined)?.number ?? 0);
	const text = hidden === 1 ? "… and 1 more line" : `… and ${Math.max(hidden, 1)} more lines`;
	const more: CodeRow = { tokens: [{ kind: "comment", text }], columns: text.length, isNote: true };
	return { size, pages: pagesOf([...shown, more], perPage) };
}

/** Sizes of code that is longer than the window: as large as its lines allow. */
const scrollSizes = [22, 19, smallestSize] as const;

/**
 * Lays out code in a window that scrolls: as `layOutCode` when all fits on one page, else at the largest size up to 22 at
 * which no line is broken, or the smallest with long lines broken. No row is left out.
 */
export function layOutScroll(
	code: string,
	language: string | undefined,
	options: { readonly room: CodeArea; readonly mono: FontMetrics },
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	const whole = layOutCode(code, language, { ...options, duration: 1 });
	const [page = []] = whole.pages;
	const lines = tokenizeCode(code.split("\n"), language);
	if (whole.pages.length === 1 && page.at(-1)?.isNote !== true) {
		return { size: whole.size, rows: page };
	}
	return breakTokens(lines, options, scrollSizes);
}

/** Sizes of lines that come one by one. */
const liveSizes = [25, ...scrollSizes] as const;

/** Lays out lines in a window that scrolls, at the largest size up to 25 at which none is broken, or the smallest. */
export function layOutTokens(
	lines: readonly (readonly CodeToken[])[],
	options: { readonly room: CodeArea; readonly mono: FontMetrics },
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	return breakTokens(lines, options, liveSizes);
}

function breakTokens(
	lines: readonly (readonly CodeToken[])[],
	{ room, mono }: { readonly room: CodeArea; readonly mono: FontMetrics },
	sizes: readonly number[],
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	const lengths = lines.map(columnsOfLine);
	const longest = Math.max(...lengths);
	const columnsAt = (size: number): number => Math.floor(room.width / (mono.widthOf("0") * size));
	const size =
		sizes.find(
			size =>
				longest <= columnsAt(size) ||
				mayBreakLines(lengths, columnsAt(size), columnsAt(smallestSize)),
		) ?? smallestSize;
	const rows = lines.flatMap((tokens, index) => breakLine(tokens, index + 1, columnsAt(size)));
	return { size, rows };
}

/**
 * The rows at the top of a window of `perWindow` rows, one after the other, so that all `marked` rows, in order, come into
 * sight: as few as possible, each with its rows in the middle.
 */
export function scrollStops(
	marked: readonly number[],
	rows: number,
	perWindow: number,
): readonly number[] {
	const groups: { readonly first: number; last: number }[] = [];
	for (const row of marked) {
		const group = groups.at(-1);
		if (group && row - group.first < perWindow) {
			group.last = row;
		} else {
			groups.push({ first: row, last: row });
		}
	}
	return groups.map(({ first, last }) => {
		const centered = (first + last + 1 - perWindow) / 2;
		return Math.min(Math.max(0, centered), Math.max(0, rows - perWindow));
	});
}

/**
 * Whether lines of these lengths are rather broken than set small, in rows of `columns` where there can be at most `most`: a few
 * lines, and in a narrow window also many, when most of them stay whole.
 */
export function mayBreakLines(lengths: readonly number[], columns: number, most: number): boolean {
	if (columns < Math.min(minColumns, most * minColumnShare)) {
		return false;
	}
	const broken = lengths.filter(length => length > columns).length;
	return (
		lengths.length <= maxBrokenLines ||
		(most < narrowColumns && broken <= lengths.length * maxBrokenShare)
	);
}

function columnsOfLine(tokens: readonly CodeToken[]): number {
	return tokens.reduce((sum, token) => sum + columnsOf(token.text), 0);
}

/** Further parts of a line are indented by this many columns more than the line. */
const hangingColumns = 4;

const letterWithMarks = /\P{M}\p{M}*|\p{M}+/gsu;

/** Cuts a line into rows of at most `columns`, after a space where the last half of a row has one; the colors go on. */
export function breakLine(
	tokens: readonly CodeToken[],
	number: number,
	columns: number,
): readonly CodeRow[] {
	const letters = tokens.flatMap(({ kind, text }) =>
		(text.match(letterWithMarks) ?? []).map(letter => ({
			...{ kind, letter, columns: columnsOf(letter) },
		})),
	);
	const own = Math.max(
		0,
		letters.findIndex(({ letter }) => letter !== " "),
	);
	// A line that begins far to the right keeps room for its other parts.
	const hanging = Math.min(own + hangingColumns, Math.floor(columns / 3));
	const rows: CodeRow[] = [];
	let start = 0;
	while (rows.length === 0 || start < letters.length) {
		const isFirst = rows.length === 0;
		const end = breakAfter(letters, start, isFirst ? columns : columns - hanging);
		const indent = isFirst ? [] : [{ kind: "plain" as const, text: " ".repeat(hanging) }];
		const row = [...indent, ...joinLetters(letters.slice(start, end))];
		const place = isFirst ? { number } : { indent: hanging };
		rows.push({ ...place, tokens: row, columns: columnsOfLine(row) });
		start = end;
	}
	return rows;
}

interface Letter {
	readonly kind: CodeToken["kind"];
	readonly letter: string;
	readonly columns: number;
}

function breakAfter(letters: readonly Letter[], start: number, room: number): number {
	let left = room;
	let end = start;
	for (const { columns } of letters.slice(start)) {
		left -= columns;
		// A letter that is wider than a row is on one all the same.
		if (left < 0 && end > start) {
			break;
		}
		end += 1;
	}
	if (end >= letters.length) {
		return letters.length;
	}
	const space = letters.slice(0, end).findLastIndex(({ letter }) => letter === " ");
	return space >= start + (end - start) / 2 ? space + 1 : end;
}

function joinLetters(letters: readonly Letter[]): readonly CodeToken[] {
	const tokens: { kind: CodeToken["kind"]; text: string }[] = [];
	for (const { kind, letter } of letters) {
		const last = tokens.at(-1);
		if (last?.kind === kind) {
			last.text += letter;
		} else {
			tokens.push({ kind, text: letter });
		}
	}
	return tokens;
}
