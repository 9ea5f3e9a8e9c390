import { texOf } from "./math.ts";

/** Text at the start of a cell that a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/;

/** Text that would start a cell, and run, in spreadsheets that split at semicolons or tabs and ignore quotes within a field. */
const splitFormula = /([;\t][^\S\t]*)([=@]|[+-](?!\s?[\d.,]+\s*(?:[;\t]|$)))/g;

/** A signed number in the usual notations, which isn't a formula. */
const signedNumber = /^[+-]\s?[\d.,\s]*\d(?:e[+-]?\d+)?\s?[%€$£¥]?$/iu;

/**
 * Converts a table to comma-separated values (RFC 4180). Lines end in CR LF. Quotes fields with a comma, semicolon, tab, quote or line break, because
 * spreadsheets split at all of them. Prefixes cells that a spreadsheet would run as a formula with an apostrophe, because a model wrote them
 * (docs/security.md), but not signed numbers.
 */
export function tableToCsv(table: HTMLTableElement): string {
	return [...table.rows]
		.map(row => [...row.cells].map(cell => fieldOf(cellText(cell))).join(","))
		.map(line => `${line}\r\n`)
		.join("");
}

/** Returns a cell's text, with line breaks, and formulas as source. */
function cellText(node: Node): string {
	if (node instanceof HTMLBRElement) {
		return "\n";
	}
	const tex = node instanceof Element ? texOf(node) : undefined;
	if (tex !== undefined) {
		return tex;
	}
	return node instanceof Text ? node.data : [...node.childNodes].map(cellText).join("");
}

function fieldOf(text: string): string {
	const trimmed = text.trim();
	const isFormula = formula.test(trimmed) && !signedNumber.test(trimmed);
	const value = (isFormula ? `'${trimmed}` : trimmed).replaceAll(splitFormula, "$1'$2");
	return /[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
