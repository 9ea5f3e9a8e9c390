import { texOf } from "./math.ts";

/** What a spreadsheet would run as a formula if it stood at the beginning of a cell. */
const formula = /^[=+\-@\t\r]/;

/** A number with its sign, in the usual notations: no formula, whatever it begins with. */
const signedNumber = /^[+-]\s?[\d.,\s]*\d(?:e[+-]?\d+)?\s?[%€$£¥]?$/iu;

/**
 * A table as comma-separated values (RFC 4180): lines end in CR LF, a field with a comma, a quote or a line break stands in quotes.
 * A cell that a spreadsheet would take for a formula gets an apostrophe before it, as the words are a model's (threat T16); signed
 * numbers stay as they are.
 */
export function tableToCsv(table: HTMLTableElement): string {
	return [...table.rows]
		.map(row => [...row.cells].map(cell => fieldOf(textOf(cell))).join(","))
		.map(line => `${line}\r\n`)
		.join("");
}

/** What a cell shows, a line break as one and a formula as its source. */
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
	const value = isFormula ? `'${trimmed}` : trimmed;
	return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
