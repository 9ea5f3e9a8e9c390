import { type ColumnAlignment, createCell, createElement } from "./elements.ts";
import { createInlineWriter } from "./inlineWriter.ts";

/** A table that grows row by row. */
export interface TableWriter {
	addRow(line: string): void;
}

/** The alignments a delimiter row such as `|:--|--:|` gives its columns; nothing when the line is no delimiter row. */
export function parseDelimiterRow(line: string): readonly ColumnAlignment[] | undefined {
	if (!line.includes("-") || !/^[\s|:-]+$/.test(line)) {
		return undefined;
	}
	const cells = splitRow(line);
	if (!cells.every(cell => /^:?-+:?$/.test(cell))) {
		return undefined;
	}
	return cells.map(cell => {
		const [isLeft, isRight] = [cell.startsWith(":"), cell.endsWith(":")];
		if (isLeft && isRight) {
			return "center";
		}
		return isRight ? "right" : isLeft ? "left" : undefined;
	});
}

/** The cells of a row, without the bars around it; `\|` is a bar inside a cell. */
export function splitRow(line: string): readonly string[] {
	const trimmed = line
		.trim()
		.replace(/^\|/, "")
		.replace(/(^|[^\\])\|$/, "$1");
	return trimmed.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll("\\|", "|"));
}

/** Begins a table with its header row. */
export function createTableWriter(
	table: HTMLElement,
	header: readonly string[],
	alignments: readonly ColumnAlignment[],
): TableWriter {
	const head = createElement("thead");
	head.append(createRow("th", header, alignments));
	table.append(head);
	let body: HTMLElement | undefined;
	return {
		addRow: line => {
			if (!body) {
				body = createElement("tbody");
				table.append(body);
			}
			body.append(createRow("td", splitRow(line), alignments));
		},
	};
}

function createRow(
	name: "td" | "th",
	cells: readonly string[],
	alignments: readonly ColumnAlignment[],
): HTMLElement {
	const row = createElement("tr");
	for (const [index, alignment] of alignments.entries()) {
		const cell = createCell(name, alignment);
		const inline = createInlineWriter(cell);
		inline.write(cells[index] ?? "");
		inline.end();
		row.append(cell);
	}
	return row;
}
