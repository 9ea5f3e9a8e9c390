/*
 * What a model may nest and how long it may go on, so that no text can overflow a stack or hold up the page. Ordinary answers
 * are an order of magnitude below each bound; what is beyond one is shown as text.
 */

/** How many quotes and list items may be open in one another while text arrives; an item is two elements of the page. */
export const maxOpenContainers = 30;

/** How deep the blocks of finished text may be, as the parser counts: the DOM has one element for each level. */
export const maxBlockLevel = 60;

/** How many inline elements may be open in one another. */
export const maxInlineDepth = 30;

/** The longest part of a block whose inline Markdown is parsed and laid out at once, in characters: emphasis and links do not reach across. */
export const maxInlineCharacters = 8192;

/** From this length on a part ends with its line, in characters. */
export const fullInlineCharacters = 6144;

/** How many inline elements a block may hold before the rest of it is text: a block comes onto the page in one go. */
export const maxInlineElements = 4000;

/** How many formulas of a block are drawn: the whole block is laid out again for each. */
export const maxDrawnFormulas = 300;

/** The most items of a list; those that follow are another list, as a list is laid out whole whenever an item is added. */
export const maxListItems = 500;

/** The most columns of a table; GFM sets no bound. */
export const maxColumns = 200;

/** The most cells of a table, those of rows that are too short included: a table is laid out whole whenever a row is added. */
const maxTableCells = 10_000;

/** How many rows below its header a table of so many columns may have; the lines that follow are no part of it. */
export function maxRowsOf(columns: number): number {
	return Math.floor(maxTableCells / columns);
}

/** Cuts text into parts that are parsed at once: after the first line break that leaves a full part, or in the middle of a line. */
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

/** `end`, or one less where that would cut a character of two code units in half. */
export function wholeCharacters(text: string, end: number): number {
	return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
}
