import { texOf } from "./math.ts";

/** Text that a spreadsheet would run as a formula if it were at the beginning of a cell. */
const formula = /^[=+\-@\t\r]/;

/** What would begin a cell, and be run, where a spreadsheet splits at semicolons or tabs and ignores quotes within a field. */
const splitFormula = /([;\t][^\S\t]*)([=@]|[+-](?!\s?[\d.,]+\s*(?:[;\t]|$)))/g;

/** A number with its sign, in the usual notations: no formula, whatever it begins with. */
const signedNumber = /^[+-]\s?[\d.,\s]*\d(?:e[+-]?\d+)?\s?[%€$£¥]?$/iu;

/**
 * A table as comma-separated values (RFC 4180): lines end in CR LF, a field with a comma, a semicolon, a tab, a quote or a line break is quoted, since
 * spreadsheets split at all of them.
 * A cell that a spreadsheet would take for a formula gets an apostrophe before it, as the words are a model's (threat T16); signed
 * numbers stay as they are.
 */
export function tableToCsv(table: HTMLTableElement): string {
	return [...table.rows]
		.map(row => [...row.cells].map(cell => fieldOf(textOf(cell))).join(","))
		.map(line => `${line}\r\n`)
		.join("");
}

/** Text of a cell, a line break as one and a formula as its source. */
function textOf(node: Node): string {
	if (node instanceof HTMLBRElement) {
		return "\n";
	}
	const tex = node instanceof Element ? texOf(node) : undefined;
	if (tex !== undefined) {
		return tex;
	}
	return node instanceof Text ? node.data : [...node.childNodes].map(textOf).join("");
}

function fieldOf(text: string): string {
	const trimmed = text.trim();
	const isFormula = formula.test(trimmed) && !signedNumber.test(trimmed);
	const value = (isFormula ? `'${trimmed}` : trimmed).replaceAll(splitFormula, "$1'$2");
	return /[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
