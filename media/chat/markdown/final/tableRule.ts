import type { MarkdownIt, StateBlock } from "markdown-it";
import type { ColumnAlignment } from "../elements/elements.ts";
import { maxColumns, maxRowsOf } from "../elements/bounds.ts";
import { cellsOf, extraText, parseDelimiterRow } from "../elements/tableText.ts";

/**
 * Replaces the parser's tables with those of GFM 0.29 §4.10. The parser's own rule accepts list items, quotes and headings with a bar as header rows,
 * requires a bar in a header of one column, doesn't split cells after `\\`, and drops extra cells.
 */
export function replaceTableRule(parser: MarkdownIt): void {
	parser.block.ruler.disable("table");
	parser.block.ruler.before("reference", "gfm_table", readTable, {
		alt: ["paragraph", "reference"],
	});
}

function readTable(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const header = headerAt(state, startLine, endLine);
	if (header && !isSilent) {
		writeTable(state, header, startLine, endLine);
	}
	return header !== undefined;
}

interface Header {
	readonly cells: readonly string[];
	readonly alignments: readonly ColumnAlignment[];
}

/** Returns the header that a line and the delimiter row below it form. */
function headerAt(state: StateBlock, line: number, endLine: number): Header | undefined {
	if (line + 1 >= endLine || !isTableLine(state, line) || !isTableLine(state, line + 1)) {
		return undefined;
	}
	const alignments = parseDelimiterRow(lineText(state, line + 1));
	const text = lineText(state, line);
	if (!alignments || /^[ \t]*(?:\|[ \t]*)?$/.test(text) || /^#{1,6}(?:[ \t]|$)/.test(text)) {
		return undefined;
	}
	const cells = cellsOf(text, alignments.length);
	return cells.length === alignments.length && cells.length <= maxColumns
		? { cells, alignments }
		: undefined;
}

/** Whether a line belongs to the innermost container and isn't indented code. */
function isTableLine({ sCount, blkIndent }: StateBlock, line: number): boolean {
	const indent = (sCount[line] ?? 0) - blkIndent;
	return indent >= 0 && indent < 4;
}

function lineText({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
	return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

function writeTable(
	state: StateBlock,
	{ cells, alignments }: Header,
	startLine: number,
	endLine: number,
): void {
	const { parentType } = state;
	state.parentType = "table";
	const table = state.push("table_open", "table", 1);
	state.push("thead_open", "thead", 1);
	writeRow(state, "th", cells, alignments);
	state.push("thead_close", "thead", -1);
	const nextLine = writeBody(state, alignments, startLine + 2, endLine);
	state.push("table_close", "table", -1);
	table.map = [startLine, nextLine];
	state.parentType = parentType;
	state.line = nextLine;
}

/** Adds the following rows up to the table's limit. Returns the line that ends the table. */
function writeBody(
	state: StateBlock,
	alignments: readonly ColumnAlignment[],
	firstLine: number,
	endLine: number,
): number {
	const lastLine = Math.min(endLine, firstLine + maxRowsOf(alignments.length));
	let line = firstLine;
	while (line < lastLine && !endsTable(state, line, endLine)) {
		if (line === firstLine) {
			state.push("tbody_open", "tbody", 1);
		}
		writeRow(state, "td", cellsOf(lineText(state, line), alignments.length), alignments);
		line++;
	}
	if (line > firstLine) {
		state.push("tbody_close", "tbody", -1);
	}
	return line;
}

/** Whether a line ends a table: a blank line, the start of another block, or a line outside its container. */
function endsTable(state: StateBlock, line: number, endLine: number): boolean {
	const rules = state.md.block.ruler.getRules("blockquote");
	return (
		state.isEmpty(line) ||
		!isTableLine(state, line) ||
		rules.some(begins => begins(state, line, endLine, true))
	);
}

function writeRow(
	state: StateBlock,
	name: "td" | "th",
	cells: readonly string[],
	alignments: readonly ColumnAlignment[],
): void {
	state.push("tr_open", "tr", 1);
	for (const [index, alignment] of alignments.entries()) {
		const cell = state.push(`${name}_open`, name, 1);
		if (alignment) {
			cell.attrs = [["style", `text-align:${alignment}`]];
		}
		const inline = state.push("inline", "", 0);
		inline.content = cells[index] ?? "";
		inline.children = [];
		state.push(`${name}_close`, name, -1);
	}
	const extra = extraText(cells, alignments.length);
	if (extra !== "") {
		state.push("extra_open", "td", 1);
		const inline = state.push("inline", "", 0);
		inline.content = extra;
		inline.children = [];
		state.push("extra_close", "td", -1);
	}
	state.push("tr_close", "tr", -1);
}
