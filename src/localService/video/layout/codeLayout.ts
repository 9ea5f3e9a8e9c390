import type { FontMetrics } from "./fontMetrics.ts";
import { type CodeToken, isSameStyle, styleOf, type TokenStyle } from "../../../clip/codeToken.ts";
import type { ClipTypeSize } from "../../../common/clipLooks.ts";
import { columnsOf } from "../../../clip/columns.ts";

/** A displayed row: a line of code, or a part of one that is too long. */
export interface CodeRow {
	/** Line number from 1; absent on continuation rows. */
	readonly number?: number;
	readonly tokens: readonly CodeToken[];
	readonly columns: number;
	/** Indentation of a continuation row in columns, which isn't part of the line. */
	readonly indent?: number;
	/** Whether a rule divides the window here. */
	readonly isRule?: boolean;
}

/** Font sizes, largest first. The smallest one for short code is `readableSize`, 24 pixels at a width of 1280. */
export const codeSizes = [
	44, 40, 36, 33, 30, 27, 25, 23, 21, 19.5, 18, 16.5, 15.5, 14.75, 14.25, 13.75,
] as const;
export const readableSize = 18;
/** Sizes that a user chooses for all code; undefined for those that the lines need. */
export const chosenSizes: Readonly<Record<ClipTypeSize, readonly number[] | undefined>> = {
	auto: undefined,
	small: [16.5],
	medium: [21],
	large: [27],
};
/** The size of code that scrolls, if its lines aren't too long: at a height of 1080 pixels, 33. */
export const scrolledSize = 16.5;
export const smallestSize = 13.75;
/** The smallest size in a narrow window, in which shorter lines are broken instead. */
const smallestNarrow = 14.75;
/** The most lines of short code. Longer code may be smaller than can be read at a third of its size. */
export const fewLines = 12;

/** At this size or larger, lines are whole rather than larger. */
export const comfortableSize = 21;
/** Up to this many lines are broken rather than set small, if a row keeps this many columns, or this share of the maximum. */
const maxBrokenLines = 4;
const minColumns = 44;
const minColumnShare = 0.7;
/** In a window of fewer columns, this additional share of the lines of short code may be broken, compared with the smallest size. */
const narrowColumns = 62;
const maxBrokenShare = 0.25;

/** Returns the height of a row in units, which is on whole pixels, so that the lines of tables meet. Rows of many lines are closer. */
export function rowStep(size: number): number {
	return Math.round(size * (size < scrolledSize ? 1.32 : 1.44) * 2) / 2;
}

/** Space for the code without line numbers, in pixels. */
export interface CodeArea {
	readonly width: number;
	readonly height: number;
}

export interface CodeLayoutOptions {
	readonly room: CodeArea;
	readonly mono: FontMetrics;
	/** Sizes to choose from, largest first; those of readable code by default. */
	readonly sizes?: readonly number[];
}

/** Sizes at which up to `wholeRows` rows fit a window, to be seen as a whole rather than read. */
export const overviewSizes = [13, 12, 11, 10, 9, 8, 7.25, 6.5, 5.75, 5.25] as const;
/** The most rows that a picture of a whole text shows. */
export const wholeRows = 60;

/** Sizes of code that doesn't fit the window. */
const scrollSizes = [scrolledSize, 15.5, 14.75] as const;
/** Sizes of short code whose lines are whole at them and at no larger one: 80 columns fit beside line numbers. */
export const wholeSizes = [scrolledSize, 15.5, 14.75] as const;
const shortScrollSizes = [comfortableSize, 19.5, readableSize, scrolledSize] as const;

/**
 * Lays out code in a window at the largest size at which no line is broken and all rows fit, or at which few long lines are broken. Otherwise returns
 * more rows than fit, for scrolling. Omits no row.
 */
export function layOutTokens(
	lines: readonly (readonly CodeToken[])[],
	{ room, mono, sizes: chosen }: CodeLayoutOptions,
): { readonly size: number; readonly rows: readonly CodeRow[] } {
	const lengths = lines.map(columnsOfLine);
	const columnsAt = (size: number): number => Math.floor(room.width / (mono.widthOf("0") * size));
	const rowsAt = (size: number): readonly CodeRow[] =>
		lines.flatMap((tokens, index) => breakLine(tokens, index + 1, columnsAt(size)));
	const fits = (size: number): boolean => rowsAt(size).length * rowStep(size) <= room.height + 1;
	if (chosen) {
		const size = chosen.find(fits) ?? chosen.at(-1) ?? smallestSize;
		return { size, rows: rowsAt(size) };
	}
	const isShort = lines.length <= fewLines;
	const least = smallestFor(columnsAt(scrolledSize));
	const isGood = (size: number): boolean =>
		mayBreakLines(lengths, columnsAt, size, isShort ? Math.max(scrolledSize, least) : least);
	const sizes = codeSizes.filter(size => size >= (isShort ? readableSize : least));
	const size =
		sizes.find(size => isGood(size) && fits(size)) ??
		(isShort && least === smallestSize
			? wholeSizes.find(size => Math.max(...lengths) <= columnsAt(size) && fits(size))
			: undefined) ??
		sizes.find(size => size <= (isShort ? comfortableSize : scrolledSize) && fits(size)) ??
		(isShort ? shortScrollSizes : scrollSizes).find(isGood) ??
		(isShort ? readableSize : scrolledSize);
	return { size, rows: rowsAt(size) };
}

/** Returns rows, the first `wholeRows` of more, with a note of how many lines follow them and `hidden` further ones. */
export function firstRows(rows: readonly CodeRow[], hidden = 0): readonly CodeRow[] {
	if (rows.length <= wholeRows && hidden <= 0) {
		return rows;
	}
	const isLine = ({ number }: CodeRow): boolean => number !== undefined;
	const left = rows.slice(wholeRows - 1).filter(isLine).length + Math.max(0, hidden);
	const text = left === 1 ? "⋯ 1 more line" : `⋯ ${left} more lines`;
	const note: CodeRow = { tokens: [{ kind: "comment", text }], columns: text.length };
	return [...rows.slice(0, wholeRows - 1), note];
}

/** Returns the smallest size of code in a window that has this number of columns at `scrolledSize`. */
export function smallestFor(columns: number): number {
	return columns < narrowColumns ? smallestNarrow : smallestSize;
}

/** Returns the fewest top rows of a window of `perWindow` rows that show all `marked` rows in order, each centered. */
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
		const centered = Math.floor((first + last + 1 - perWindow) / 2);
		return Math.min(Math.max(0, centered), Math.max(0, rows - perWindow));
	});
}

/**
 * Whether lines of these lengths may be set at a size: if none is broken, or none could be whole at a comfortable size and there are few lines, or, in
 * a narrow window, hardly more are broken than at the smallest size.
 */
export function mayBreakLines(
	lengths: readonly number[],
	columnsAt: (size: number) => number,
	size: number,
	smallest: number,
): boolean {
	const [columns, most] = [columnsAt(size), columnsAt(smallest)];
	const brokenAt = (width: number): number => lengths.filter(length => length > width).length;
	const broken = brokenAt(columns);
	if (
		broken === 0 ||
		brokenAt(columnsAt(comfortableSize)) === 0 ||
		columns < Math.min(minColumns, most * minColumnShare)
	) {
		return broken === 0;
	}
	const further = lengths.length <= fewLines ? lengths.length * maxBrokenShare : 0;
	return (
		lengths.length <= maxBrokenLines || (most < narrowColumns && broken - brokenAt(most) <= further)
	);
}

function columnsOfLine(tokens: readonly CodeToken[]): number {
	return tokens.reduce((sum, token) => sum + columnsOf(token.text), 0);
}

/** Additional indentation of continuation rows, in columns. */
const hangingColumns = 4;

const letterWithMarks = /\P{M}\p{M}*|\p{M}+/gsu;

/** Breaks a line into rows of at most `columns`, after a space if there is one in the row's second half. Keeps the colors. */
export function breakLine(
	tokens: readonly CodeToken[],
	number: number,
	columns: number,
): readonly CodeRow[] {
	const letters = tokens.flatMap(token => {
		const style = styleOf(token);
		return (token.text.match(letterWithMarks) ?? []).map(letter => ({
			style,
			letter,
			columns: columnsOf(letter),
		}));
	});
	const own = Math.max(
		0,
		letters.findIndex(({ letter }) => letter !== " "),
	);
	// A deeply indented line keeps room for its continuation rows.
	const most = Math.max(Math.floor(columns / 3), Math.min(own + 1, Math.floor(columns / 2)));
	const hanging = Math.min(own + hangingColumns, most);
	const rows: CodeRow[] = [];
	let start = 0;
	while (rows.length === 0 || start < letters.length) {
		const isFirst = rows.length === 0;
		const end = breakAfter(letters, start, isFirst ? columns : columns - hanging);
		const indent = isFirst ? [] : [{ kind: "plain" as const, text: " ".repeat(hanging) }];
		const row = [...indent, ...joinLetters(letters.slice(start, end))];
		const place = isFirst ? { number } : { indent: hanging };
		rows.push({ ...place, tokens: row, columns: columnsOfLine(row) });
		// A leading space would indent the row.
		start = letters[end]?.letter === " " ? end + 1 : end;
	}
	return rows;
}

interface Letter {
	readonly style: TokenStyle;
	readonly letter: string;
	readonly columns: number;
}

/** The fewest columns of a continuation row, if a space allows it. */
const fewestColumns = 10;

function breakAfter(letters: readonly Letter[], start: number, room: number): number {
	let left = room;
	let end = start;
	for (const { columns } of letters.slice(start)) {
		left -= columns;
		// A letter wider than a row still gets one.
		if (left < 0 && end > start) {
			break;
		}
		end += 1;
	}
	if (end >= letters.length) {
		return letters.length;
	}
	// The rest should be more than a bracket.
	const last = Math.max(start + 1, Math.min(end, letters.length - fewestColumns));
	const isWhole = wholeParts(letters, start);
	const isWithin = (at: number): boolean =>
		at > start + (last - start) * 0.4 && at <= last && isWhole(at);
	if (
		end === last &&
		isWhole(end) &&
		letters[end]?.letter === " " &&
		!closing.test(letters[end + 1]?.letter ?? "")
	) {
		return end;
	}
	const space = letters
		.slice(0, last + 1)
		.findLastIndex(
			({ letter }, index) =>
				letter === " " && isWithin(index + 1) && !closing.test(letters[index + 1]?.letter ?? ""),
		);
	if (space >= 0) {
		return space + 1;
	}
	const jointBefore = (limit: number): number =>
		letters.findLastIndex(
			({ letter }, index) =>
				index > start + (last - start) * 0.4 &&
				index <= limit &&
				isWhole(index) &&
				!neverFirst.test(letter) &&
				(isSign(letter) || isJoint(letters[index - 1]?.letter ?? "")),
		);
	// A short rest is better than a bracket alone.
	const joint = Math.max(jointBefore(last), 0) || jointBefore(end);
	return joint > 0 ? joint : wholeBefore(end, start, isWhole);
}

/** Placeholders such as `${name}`, and signs of comments with the first word. Rows don't break within them. */
const wholePart = /[$#]?\{[^{}\n]*\}|(?<=^|\s)(?:#+|\/\/+|--|\*|;)\s+\S+/gu;

/** Returns whether a row that starts at `start` may end before a letter. */
function wholeParts(letters: readonly Letter[], start: number): (at: number) => boolean {
	const text = letters.map(({ letter }) => letter.slice(0, 1)).join("");
	const parts = [...text.matchAll(wholePart)].filter(([part]) => /^[$#]\{|^[^{]/.test(part));
	return at =>
		!parts.some(({ 0: part, index }) => index >= start && index < at && at < index + part.length);
}

/** Returns the last place where a row may end, in its second half; otherwise its end. */
function wholeBefore(end: number, start: number, isWhole: (at: number) => boolean): number {
	for (let at = end; at > (start + end) / 2; at -= 1) {
		if (isWhole(at)) {
			return at;
		}
	}
	return end;
}

/** Characters that close something. They must not start a row. */
const closing = /^[)\]};,]/;
/** Further characters that must not start a row. */
const neverFirst = /^[)\]};,:="'`]/;
const isSign = (letter: string): boolean => !/^[\p{L}\p{N}_$]/u.test(letter);
const isJoint = (letter: string): boolean => isSign(letter) && !/^["'`]/.test(letter);

function joinLetters(letters: readonly Letter[]): readonly CodeToken[] {
	const tokens: (CodeToken & { text: string })[] = [];
	for (const { style, letter } of letters) {
		const last = tokens.at(-1);
		if (last && isSameStyle(last, style)) {
			last.text += letter;
		} else {
			tokens.push({ ...style, text: letter });
		}
	}
	return tokens;
}
