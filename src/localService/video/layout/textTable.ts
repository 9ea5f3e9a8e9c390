import type { WrappedLine } from "./wrapText.ts";

/** A table of Markdown. The first row is its head. */
export interface TextTable {
	readonly rows: readonly (readonly string[])[];
	/** Whether the cells of a column end below one another, as numbers do. */
	readonly isEnd: readonly boolean[];
}

/** Space between columns, in em. */
const columnGap = 1.3;

const ruleRow = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;
const hasBar = (line: string | undefined): line is string => line?.includes("|") === true;

function cellsOf(row: string): readonly string[] {
	const inner = row
		.trim()
		.replace(/^\|/, "")
		.replace(/(?<!\\)\|$/, "");
	return inner.split(/(?<!\\)\|/).map(cell => cell.replaceAll("\\|", "|").trim());
}

/** Splits a text into tables and the text between them. @see https://github.github.com/gfm/#tables-extension- */
export function splitTables(text: string): readonly (string | TextTable)[] {
	const parts: (string | { rows: (readonly string[])[]; isEnd: readonly boolean[] })[] = [];
	const lines = text.split("\n");
	for (const [index, line] of lines.entries()) {
		const last = parts.at(-1);
		const [next, previous] = [lines[index + 1], lines[index - 1]];
		const isRule = (row: string | undefined): boolean => hasBar(row) && ruleRow.test(row.trim());
		if (typeof last === "object" && hasBar(line) && !isRule(next)) {
			last.rows.push(...(isRule(line) && hasBar(previous) ? [] : [cellsOf(line)]));
		} else if (hasBar(line) && isRule(next) && !isRule(line)) {
			const isEnd = cellsOf(next ?? "").map(cell => /^-+:$/.test(cell));
			parts.push({ rows: [cellsOf(line)], isEnd });
		} else if (typeof last === "string") {
			parts.splice(-1, 1, `${last}\n${line}`);
		} else {
			parts.push(line);
		}
	}
	return parts;
}

/** Measures a text, of the head or of another row. */
type Measure = (text: string, isHead: boolean) => number;

function columnWidths({ rows }: TextTable, widthOf: Measure): readonly number[] {
	const count = Math.max(...rows.map(row => row.length));
	return Array.from({ length: count }, (_, column) =>
		Math.max(...rows.map((row, index) => widthOf(row[column] ?? "", index === 0))),
	);
}

/** Returns the width of a table in em. */
export function tableWidth(table: TextTable, widthOf: Measure): number {
	const widths = columnWidths(table, widthOf);
	return widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
}

/** Lays out a table in columns, a line for each row, at least `least` em wide. */
export function layOutTable(table: TextTable, widthOf: Measure, least = 0): readonly WrappedLine[] {
	const widths = columnWidths(table, widthOf);
	const spare = Math.max(0, least - tableWidth(table, widthOf));
	const gap = columnGap + spare / Math.max(1, widths.length - 1);
	return table.rows.map((row, index) => {
		let left = 0;
		const cells = row.map((text, column) => {
			const width = widths[column] ?? 0;
			const [start, end] = [left, left + width];
			left += width + gap;
			return table.isEnd[column] === true
				? { text, at: end - widthOf(text, index === 0), end }
				: { text, at: start };
		});
		return { text: row.join(" "), indent: 0, cells, isHead: index === 0 };
	});
}

/** Returns the rows of a table that is too wide as lines of text. */
export function tableText({ rows }: TextTable): string {
	return rows.map(row => row.filter(cell => cell !== "").join(" · ")).join("\n");
}
