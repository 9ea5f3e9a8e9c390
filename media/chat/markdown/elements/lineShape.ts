import { detailsStart, footnoteAt, isDetailsEnd, mayBecomeDetails } from "./moreMarkdown.ts";

/** Kinds of Markdown lines, without context. Rules of CommonMark 0.31.2 §4 and §5, and GFM tables. */

/** The start of a list item. */
export interface ListMarker {
	/** `-`, `+` or `*`, or the delimiter after a number. An item of another kind starts another list. */
	readonly kind: string;
	/** The number of an ordered item. */
	readonly start: number | undefined;
	/** Columns from the start of the line to the item's content. */
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

/** Expands tabs in a line's indentation, to columns of four. */
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

export function isBlank(line: string): boolean {
	return !/\S/.test(line);
}

/** Returns the number of leading spaces. */
export function indentOf(line: string): number {
	const index = line.search(/[^ ]/);
	return index === -1 ? line.length : index;
}

/** Parses a list marker after at most three spaces. */
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
		// With five or more spaces, one belongs to the marker, and the rest makes the content indented code.
		width: isEmpty || spaces.length > 4 ? narrow : whole.length,
		isEmpty,
	};
}

/** Parses a fence. The info string after backticks can't contain a backtick. */
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

function closesFence(line: string, fence: Fence): boolean {
	const candidate = parseFence(line);
	return (
		candidate !== undefined &&
		candidate.character === fence.character &&
		candidate.length >= fence.length &&
		candidate.info === ""
	);
}

export function isThematicBreak(line: string): boolean {
	return /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);
}

/** Whether a line can interrupt a paragraph by starting another block. */
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
 * Whether the start of a line determines its kind, so that its text can be shown before the line is complete. `mayBeTable` holds back lines that may
 * belong to a table.
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
		// A task's checkbox without text after it.
		/^\[(?:[ xX](?:\][ \t]*)?)?$/.test(rest) ||
		// The marker of an alert, or the label of a footnote.
		/^\[(?:![a-z]{0,16}(?:\][ \t]*)?|\^[^\]\s[]{0,64}(?:\](?::[ \t]*)?)?)$/i.test(rest) ||
		mayBecomeDetails(rest);
	return !isUndecided && !mayBeTable && !rest.startsWith("|");
}

/**
 * Finds the line that ends fenced code. In Markdown code, models write inner fences as long as the outer ones: a fence with a language opens an inner
 * one, and so does one without between text and a blank line or a line that ends in a colon.
 */
export class FencedLines {
	private readonly fence: Fence;
	private readonly mayNest: boolean;
	private inner: Fence | undefined;
	private isAnnounced = false;

	/** Starts after the line of `fence`. */
	constructor(fence: Fence, mayNest = isMarkdown(fence)) {
		this.fence = fence;
		this.mayNest = mayNest;
	}

	/** Whether the next line ends the code. `following` is the line after it, or any text if it is unknown. */
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

/** Whether fenced code is in Markdown, by its language. */
function isMarkdown({ info }: Fence): boolean {
	return /^(?:markdown|md|mdx)(?:\s|$)/i.test(info);
}
