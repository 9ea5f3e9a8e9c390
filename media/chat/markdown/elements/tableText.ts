import type { ColumnAlignment } from "./elements.ts";

/** A delimiter row: dashes with or without colons, between bars (GFM 0.29 §4.10). */
const delimiterRow = /^(?!-[ \t])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Returns the alignments in a delimiter row such as `|:--|--:|`, or undefined if the line isn't one. Dashes alone don't count, because they underline
 * a heading or are a thematic break; a dash before a space starts a list.
 */
export function parseDelimiterRow(line: string): readonly ColumnAlignment[] | undefined {
	const row = trimSpaces(line);
	if (!/[|:]/.test(row) || !delimiterRow.test(row)) {
		return undefined;
	}
	return splitRow(row, false).map(cell => {
		const [isLeft, isRight] = [cell.startsWith(":"), cell.endsWith(":")];
		if (isLeft && isRight) {
			return "center";
		}
		return isRight ? "right" : isLeft ? "left" : undefined;
	});
}

/**
 * Splits a row into cells. If there are more than columns, splits again with bars inside code and formulas as part of these, which is what models
 * mean; GFM would split them and drop the rest.
 */
export function cellsOf(line: string, columns: number): readonly string[] {
	const cells = splitRow(line, false);
	const whole = cells.length > columns && /[`$]/.test(line) ? splitRow(line, true) : cells;
	return whole.length < columns ? cells : whole;
}

/** Returns the text of the cells beyond the table's columns; empty if there are none. */
export function extraText(cells: readonly string[], columns: number): string {
	return cells.slice(columns).join(" | ").trim();
}

/** How far to search for the end of a code span or a formula, in characters. */
const maxCode = 1000;

/** Returns the code span at a position of a row with its backticks, or undefined if it isn't closed. */
function codeAt(row: string, position: number): string | undefined {
	return /^(`+)[^`](?:[^]*?[^`])?\1(?!`)/.exec(row.slice(position, position + maxCode))?.[0];
}

/** Returns a formula between dollars at a position of a row if its bars are pairs, as in `$|x|$`; undefined otherwise. */
function formulaAt(row: string, position: number): string | undefined {
	const [formula] =
		/^(\$\$?)[^\s$`](?:[^$`]*[^\s$`\\])?\1(?![\w$])/.exec(
			row.slice(position, position + maxCode),
		) ?? [];
	return formula !== undefined && formula.split("|").length % 2 === 1 ? formula : undefined;
}

/** Splits a row without its outer bars. `\|` is a bar inside a cell; `\\` is a backslash. */
function splitRow(line: string, areSpansWhole: boolean): readonly string[] {
	const row = trimSpaces(line);
	const cells: string[] = [];
	let cell = "";
	for (let position = row.startsWith("|") ? 1 : 0; position < row.length; position++) {
		const pair = row.slice(position, position + 2);
		const span = areSpansWhole ? (codeAt(row, position) ?? formulaAt(row, position)) : undefined;
		if (span !== undefined) {
			cell += span.replaceAll("\\|", "|");
			position += span.length - 1;
		} else if (pair === "\\|" || pair === "\\\\") {
			cell += pair === "\\|" ? "|" : pair;
			position++;
		} else if (row[position] === "|") {
			cells.push(trimSpaces(cell));
			cell = "";
		} else {
			cell += row[position];
		}
	}
	return row.endsWith("|") && cell === "" && cells.length > 0
		? cells
		: [...cells, trimSpaces(cell)];
}

function trimSpaces(text: string): string {
	let end = text.length;
	while (end > 0 && isSpace(text[end - 1])) {
		end--;
	}
	let start = 0;
	while (start < end && isSpace(text[start])) {
		start++;
	}
	return text.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
	return character === " " || character === "\t";
}
