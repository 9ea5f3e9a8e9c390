/* Limits of nesting and length, so that no text can overflow the stack or block the page. Ordinary answers are an order of magnitude below each.
   Anything beyond a limit is shown as text. */

/** The most nested quotes and list items while text is streamed. An item is two elements. */
export const maxOpenContainers = 30;

/** The deepest nesting of blocks in finished text, as counted by the parser. Each level is an element. */
export const maxBlockLevel = 60;

/** The most nested inline elements. */
export const maxInlineDepth = 30;

/** The longest part of a block whose inline Markdown is parsed and laid out at once, in characters. Emphasis and links don't cross parts. */
export const maxInlineCharacters = 8192;

/** Length from which a part ends with its line, in characters. */
export const fullInlineCharacters = 6144;

/** The most inline elements of a block, because a block is inserted at once. The rest is text. */
export const maxInlineElements = 4000;

/** The most formulas drawn in a block, because each causes a layout of the whole block. */
export const maxDrawnFormulas = 300;

/** The most items of a list, because adding an item causes a layout of the whole list. Further items form another list. */
export const maxListItems = 500;

/** The most columns of a table. GFM sets no limit. */
export const maxColumns = 200;

/** The most cells of a table, including missing ones, because adding a row causes a layout of the whole table. */
const maxTableCells = 10_000;

/** Returns the most rows below the header for a number of columns. Further lines aren't part of the table. */
export function maxRowsOf(columns: number): number {
	return Math.floor(maxTableCells / columns);
}

/** Splits text into parts to parse at once: after the first line break that makes a part long enough, or within a line. */
export function inlineParts(text: string): readonly string[] {
	const parts: string[] = [];
	let start = 0;
	while (text.length - start > fullInlineCharacters) {
		const lineEnd = text.indexOf("\n", start + fullInlineCharacters - 1) + 1;
		const most = start + maxInlineCharacters;
		const end = lineEnd > 0 && lineEnd <= most ? lineEnd : wholeCharacters(text, most);
		if (end >= text.length) {
			break;
		}
		parts.push(text.slice(start, end));
		start = end;
	}
	return [...parts, text.slice(start)];
}

/** Returns `end`, or one less if that would split a surrogate pair. */
export function wholeCharacters(text: string, end: number): number {
	return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
}
