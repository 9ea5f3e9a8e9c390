import type { FontMetrics } from "./fontMetrics.ts";
import { maxPages } from "./pageTurns.ts";
import { type CodeToken, tokenizeCode } from "./codeTokens.ts";
import { pagesOf } from "./wrapText.ts";

/** One line as it is shown: a whole line of code, or a part of one that is too long. */
export interface CodeRow {
	/** Number of the line of code, from 1; absent on its further parts. */
	readonly number?: number;
	readonly tokens: readonly CodeToken[];
	readonly columns: number;
}

/** Code on pages that follow each other, every row within the width. */
export interface CodeLayout {
	/** Font size in pixels, 17 to 34. */
	readonly size: number;
	readonly pages: readonly (readonly CodeRow[])[];
}

const sizes = [34, 31, 28, 25, 22, 19, 17] as const;
const smallestSize = 17;

/** So few lines are rather broken than set small, as long as a row keeps this many columns. */
const maxBrokenLines = 4;
const minColumns = 44;

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
	const longest = Math.max(...lines.map(columnsOf));
	const columnsAt = (size: number): number => Math.floor(room.width / (columnWidth * size));
	const rowsAt = (size: number): readonly CodeRow[] =>
		lines.flatMap((tokens, index) => breakLine(tokens, index + 1, columnsAt(size)));
	const mayBreak = (size: number): boolean =>
		lines.length <= maxBrokenLines && columnsAt(size) >= minColumns;
	const fitting = sizes.find(
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
	const more: CodeRow = { tokens: [{ kind: "comment", text }], columns: text.length };
	return { size, pages: pagesOf([...shown, more], perPage) };
}

function columnsOf(tokens: readonly CodeToken[]): number {
	return tokens.reduce((sum, token) => sum + [...token.text].length, 0);
}

/** Further parts of a line are indented by this many columns. */
const hangingColumns = 4;

/** Cuts a line into rows of at most `columns`, after a space where the last half of a row has one; the colours go on. */
function breakLine(
	tokens: readonly CodeToken[],
	number: number,
	columns: number,
): readonly CodeRow[] {
	const letters = tokens.flatMap(({ kind, text }) => [...text].map(letter => ({ kind, letter })));
	const rows: CodeRow[] = [];
	let start = 0;
	while (rows.length === 0 || start < letters.length) {
		const isFirst = rows.length === 0;
		const room = isFirst ? columns : columns - hangingColumns;
		const end = breakAfter(letters, start, room);
		const indent = isFirst ? [] : [{ kind: "plain" as const, text: " ".repeat(hangingColumns) }];
		const row = [...indent, ...joinLetters(letters.slice(start, end))];
		rows.push({ ...(isFirst ? { number } : {}), tokens: row, columns: columnsOf(row) });
		start = end;
	}
	return rows;
}

interface Letter {
	readonly kind: CodeToken["kind"];
	readonly letter: string;
}

function breakAfter(letters: readonly Letter[], start: number, room: number): number {
	const end = start + room;
	if (end >= letters.length) {
		return letters.length;
	}
	const space = letters.slice(0, end).findLastIndex(({ letter }) => letter === " ");
	return space >= start + room / 2 ? space + 1 : end;
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
