import { detailsStart, footnoteAt, isDetailsEnd, mayBecomeDetails } from "./moreMarkdown.ts";

/** Kind of a line of Markdown, judged by itself. The rules are those of CommonMark 0.31.2 §4 and §5, GFM tables. */

/** The beginning of a list item. */
export interface ListMarker {
	/** `-`, `+` or `*`, or the delimiter behind a number: items of another kind begin another list. */
	readonly kind: string;
	/** The number of an ordered item. */
	readonly start: number | undefined;
	/** Columns from the beginning of the line to the item's content. */
	readonly width: number;
	readonly isEmpty: boolean;
}

/** A line that opens or closes fenced code. */
export interface Fence {
	readonly indent: number;
	readonly character: string;
	readonly length: number;
	readonly info: string;
}

/** A line with the tabs of its indentation as spaces, to columns of four. */
export function expandIndentation(line: string): string {
	if (!/^ *\t/.test(line)) {
		return line;
	}
	const indentation = /^[ \t]*/.exec(line)?.[0] ?? "";
	let column = 0;
	for (const character of indentation) {
		column += character === "\t" ? 4 - (column % 4) : 1;
	}
	return " ".repeat(column) + line.slice(indentation.length);
}

/** Whether a line holds nothing but white space. */
export function isBlank(line: string): boolean {
	return !/\S/.test(line);
}

/** Spaces before the first other character. */
export function indentOf(line: string): number {
	const index = line.search(/[^ ]/);
	return index === -1 ? line.length : index;
}

/** Reads a list marker with at most three spaces before it. */
export function parseListMarker(line: string): ListMarker | undefined {
	const match = /^( {0,3})([-+*]|(\d{1,9})([.)]))( +|$)/.exec(line);
	if (!match) {
		return undefined;
	}
	const [whole, indent = "", marker = "", digits, delimiter, spaces = ""] = match;
	const isEmpty = whole.length === line.length;
	const narrow = indent.length + marker.length + 1;
	return {
		kind: delimiter ?? marker,
		start: digits === undefined ? undefined : Number(digits),
		// Five spaces or more: one belongs to the marker, the rest makes indented code.
		width: isEmpty || spaces.length > 4 ? narrow : whole.length,
		isEmpty,
	};
}

/** Reads a fence; one of backticks has no backtick in its info string. */
export function parseFence(line: string): Fence | undefined {
	const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
	if (!match) {
		return undefined;
	}
	const [, indent = "", run = "", info = ""] = match;
	return {
		indent: indent.length,
		character: run.slice(0, 1),
		length: run.length,
		info: info.trim(),
	};
}

/** Whether a line closes fenced code that `fence` opened. */
function closesFence(line: string, fence: Fence): boolean {
	const candidate = parseFence(line);
	return (
		candidate !== undefined &&
		candidate.character === fence.character &&
		candidate.length >= fence.length &&
		candidate.info === ""
	);
}

/** Whether a line is a thematic break. */
export function isThematicBreak(line: string): boolean {
	return /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);
}

/** Whether a line can end a paragraph by beginning another block. */
export function interruptsParagraph(line: string): boolean {
	const marker = parseListMarker(line);
	return (
		/^ {0,3}(?:>|#{1,6}(?:[ \t]|$))/.test(line) ||
		isThematicBreak(line) ||
		parseFence(line) !== undefined ||
		detailsStart(line) !== undefined ||
		isDetailsEnd(line) ||
		footnoteAt(line) !== undefined ||
		(marker !== undefined && !marker.isEmpty && (marker.start ?? 1) === 1)
	);
}

/**
 * Whether the beginning of a line says what kind of line it is, so that its text can be shown before the line has ended.
 * `mayBeTable` holds lines back that could belong to a table.
 */
export function isDecided(beginning: string, mayBeTable: boolean): boolean {
	const rest = beginning.replace(/^(?:\s|>|[-+*]\s+|\d{1,9}[.)]\s+)*/, "");
	if (rest === "") {
		return false;
	}
	const isUndecided =
		/^([-+*_=])(?:\1|\s)*$/.test(rest) ||
		/^\d{1,9}[.)]?$/.test(rest) ||
		/^#{1,6}[ \t]*$/.test(rest) ||
		/^(?:`{1,2}|~{1,2})$/.test(rest) ||
		/^(?:```|~~~)/.test(rest) ||
		// The box of a task, until there is something to do behind it.
		/^\[(?:[ xX](?:\][ \t]*)?)?$/.test(rest) ||
		// The mark of an alert, and the label of a footnote.
		/^\[(?:![a-z]{0,16}(?:\][ \t]*)?|\^[^\]\s[]{0,64}(?:\](?::[ \t]*)?)?)$/i.test(rest) ||
		mayBecomeDetails(rest);
	return !isUndecided && !mayBeTable && !rest.startsWith("|");
}

/**
 * Finds the line that ends fenced code. Code in Markdown may hold fences as long as its own, which models write inside a block that
 * is meant to be one: a fence with a language opens an inner one, and so does a bare one between text and a blank
 * line or one that ends in a colon.
 */
export class FencedLines {
	private readonly fence: Fence;
	private readonly mayNest: boolean;
	private inner: Fence | undefined;
	private isAnnounced = false;

	/** Begins behind the line that `fence` is. */
	constructor(fence: Fence, mayNest = isMarkdown(fence)) {
		this.fence = fence;
		this.mayNest = mayNest;
	}

	/** Whether the next line ends the code; `following` is the line behind it, some text while that is not known. */
	endsAt(line: string, following = "x"): boolean {
		const { isAnnounced } = this;
		this.isAnnounced = isBlank(line) || /[:：]\s*$/.test(line);
		if (this.inner) {
			this.inner = closesFence(line, this.inner) ? undefined : this.inner;
			return false;
		}
		const isEnd = closesFence(line, this.fence);
		const mark = this.mayNest ? parseFence(line) : undefined;
		const isInner = isEnd ? isAnnounced && !isBlank(following) : mark?.info !== "";
		this.inner = mark && isInner ? mark : undefined;
		return isEnd && !this.inner;
	}
}

/** Whether fenced code is Markdown, by its language. */
function isMarkdown({ info }: Fence): boolean {
	return /^(?:markdown|md|mdx)(?:\s|$)/i.test(info);
}
