import type { FontMetrics } from "./fontMetrics.ts";
import { type CodeToken, tokenizeCode } from "../../../clip/codeTokens.ts";
import { columnsOf } from "../../../clip/columns.ts";

/** One line as it is shown: a whole line of code, or a part of one that is too long. */
export interface CodeRow {
	/** Number of the line of code, from 1; absent on its further parts. */
	readonly number?: number;
	readonly tokens: readonly CodeToken[];
	readonly columns: number;
	/** Columns before a further part of a line, which are not of the line. */
	readonly indent?: number;
}

/** Sizes of code, from the largest; the smallest for lines up to so many, 24 pixels of a width of 1280, is `readableSize`. */
export const codeSizes = [44, 40, 36, 33, 30, 27, 25, 23, 21, 19.5, 18, 16.5] as const;
const readableSize = 18;
const smallestSize = 16.5;
/** Code of more lines may be smaller than what is read at a third of its size. */
const fewLines = 12;

/** So few lines are rather broken than set small, as long as a row keeps this many columns, or this share of the most there can be. */
const maxBrokenLines = 4;
const minColumns = 44;
const minColumnShare = 0.7;
/** In a window of fewer columns, this share of lines more than at the smallest size may be broken. */
const narrowColumns = 62;
const maxBrokenShare = 0.25;

/** Height of a row relative to the font size. */
export const rowHeight = 1.44;

/** Room for the code itself, without line numbers, in pixels. */
export interface CodeArea {
	readonly width: number;
	readonly height: number;
}

/** How lines are laid out. */
export interface CodeLayoutOptions {
	readonly room: CodeArea;
	readonly mono: FontMetrics;
	/** Lines after the code's. */
	readonly below?: readonly (readonly CodeToken[])[];
}

/** Sizes of code that is longer than the window, and of lines that come one by one. */
const scrollSizes = [21, 19.5, readableSize, smallestSize] as const;

/**
 * Lays out code in a window: at the largest size at which no line is broken and all rows fit, or at which a few long lines fit
 * broken; when none does, in rows of which the window shows a part. No row is left out.
 */
export function layOutScroll(
	code: string,
	language: string | undefined,
	options: CodeLayoutOptions,
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	const lines = [...tokenizeCode(code.split("\n"), language), ...(options.below ?? [])];
	return layOutTokens(lines, options);
}

/** As `layOutScroll`, for lines that are tokens. */
export function layOutTokens(
	lines: readonly (readonly CodeToken[])[],
	{ room, mono }: CodeLayoutOptions,
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	const lengths = lines.map(columnsOfLine);
	const columnsAt = (size: number): number => Math.floor(room.width / (mono.widthOf("0") * size));
	const rowsAt = (size: number): readonly CodeRow[] =>
		lines.flatMap((tokens, index) => breakLine(tokens, index + 1, columnsAt(size)));
	const isGood = (size: number): boolean =>
		mayBreakLines(lengths, columnsAt(size), columnsAt(smallestSize));
	const fits = (size: number): boolean => rowsAt(size).length * size * rowHeight <= room.height + 1;
	const sizes = lines.length <= fewLines ? codeSizes.slice(0, -1) : codeSizes;
	const size =
		sizes.find(size => isGood(size) && fits(size)) ??
		(lines.length <= fewLines ? sizes.find(size => size <= 21 && fits(size)) : undefined) ??
		scrollSizes.find(isGood) ??
		readableSize;
	return { size, rows: rowsAt(size) };
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
 * Whether lines of these lengths may be in rows of `columns` where there can be at most `most`: none is broken, or few lines are, and
 * in a narrow window also many, when hardly more than have to be.
 */
export function mayBreakLines(lengths: readonly number[], columns: number, most: number): boolean {
	const brokenAt = (width: number): number => lengths.filter(length => length > width).length;
	const broken = brokenAt(columns);
	if (broken === 0 || columns < Math.min(minColumns, most * minColumnShare)) {
		return broken === 0;
	}
	return (
		lengths.length <= maxBrokenLines ||
		(most < narrowColumns && broken - brokenAt(most) <= lengths.length * maxBrokenShare)
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
	const letters = tokens.flatMap(({ kind, text, color }) =>
		(text.match(letterWithMarks) ?? []).map(letter => ({
			...{ kind, letter, color, columns: columnsOf(letter) },
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
	readonly color: CodeToken["color"];
	readonly letter: string;
	readonly columns: number;
}

/** A row that a line goes on in has at least this many columns, where a blank allows it. */
const fewestColumns = 10;

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
	// What is left should be more than a bracket.
	const last = Math.max(start + 1, Math.min(end, letters.length - fewestColumns));
	const before = letters.slice(0, last + 1);
	const isWithin = (at: number): boolean => at > start + (last - start) * 0.4 && at <= last;
	const space = before.findLastIndex(({ letter }, index) => letter === " " && isWithin(index + 1));
	if (space >= 0) {
		return space + 1;
	}
	const joint = before.findLastIndex(
		({ letter }, index) =>
			index > 0 &&
			isWithin(index) &&
			!neverFirst.test(letter) &&
			(isSign(letter) || isSign(before[index - 1]?.letter ?? "")),
	);
	return joint > 0 ? joint : end;
}

/** No row begins with one of these. */
const neverFirst = /^[)\]};,:"'`]/;
const isSign = (letter: string): boolean => !/^[\p{L}\p{N}_$]/u.test(letter);

function joinLetters(letters: readonly Letter[]): readonly CodeToken[] {
	const tokens: (CodeToken & { text: string })[] = [];
	for (const { kind, color, letter } of letters) {
		const last = tokens.at(-1);
		if (last?.kind === kind && last.color === color) {
			last.text += letter;
		} else {
			tokens.push({ kind, text: letter, ...(color && { color }) });
		}
	}
	return tokens;
}
