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
	return splitRow(row).map(cell => {
		const [isLeft, isRight] = [cell.startsWith(":"), cell.endsWith(":")];
		if (isLeft && isRight) {
			return "center";
		}
		return isRight ? "right" : isLeft ? "left" : undefined;
	});
}

/** The cells of a row, without the bars around it; `\|` is a bar inside a cell, `\\` a backslash that escapes nothing here. */
export function splitRow(line: string): readonly string[] {
	const row = trimSpaces(line);
	const cells: string[] = [];
	let cell = "";
	for (let position = row.startsWith("|") ? 1 : 0; position < row.length; position++) {
		const pair = row.slice(position, position + 2);
		if (pair === "\\|" || pair === "\\\\") {
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
