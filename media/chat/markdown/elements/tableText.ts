import type { ColumnAlignment } from "./elements.ts";

/** A delimiter row: dashes with or without colons, between bars (GFM 0.29 §4.10). */
const delimiterRow = /^(?!-[ \t])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * The alignments a delimiter row such as `|:--|--:|` gives its columns; nothing when the line is no delimiter row. Dashes alone
 * are none: they underline a heading or are a thematic break; and a dash with a space behind it begins a list.
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
 * The cells of a row in a table of so many columns. A row with more cells than that is split once more with the bars in its code as
 * part of the code, which is what an answer means by them; GFM would split the code and drop what is too much.
 */
export function cellsOf(line: string, columns: number): readonly string[] {
	const cells = splitRow(line, false);
	const whole = cells.length > columns && line.includes("`") ? splitRow(line, true) : cells;
	return whole.length < columns ? cells : whole;
}

/** What is in the cells of a row that the table has no column for, as it was written; nothing when there are none. */
export function extraText(cells: readonly string[], columns: number): string {
	return cells.slice(columns).join(" | ").trim();
}

/** How far behind a run of backticks the one is looked for that closes it, in characters. */
const maxCode = 1000;

/** The code that begins at a position of a row, with its backticks; nothing when it is not closed. */
function codeAt(row: string, position: number): string | undefined {
	return /^(`+)[^`](?:[^]*?[^`])?\1(?!`)/.exec(row.slice(position, position + maxCode))?.[0];
}

/** The cells of a row, without the bars around it; `\|` is a bar inside a cell, `\\` a backslash that escapes nothing here. */
function splitRow(line: string, isCodeWhole: boolean): readonly string[] {
	const row = trimSpaces(line);
	const cells: string[] = [];
	let cell = "";
	for (let position = row.startsWith("|") ? 1 : 0; position < row.length; position++) {
		const pair = row.slice(position, position + 2);
		const code = isCodeWhole && pair.startsWith("`") ? codeAt(row, position) : undefined;
		if (code !== undefined) {
			cell += code.replaceAll("\\|", "|");
			position += code.length - 1;
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
