import {
	type ColumnAlignment,
	createCell,
	createElement,
	keepWhole,
	maxRowsOf,
	splitRow,
} from "../elements/index.ts";
import { createInlineWriter } from "./inlineWriter.ts";

/** A table that grows row by row. */
export interface TableWriter {
	/** Adds a row; false for a table that has no room for more. */
	addRow(line: string): boolean;
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
	const maxRows = maxRowsOf(alignments.length);
	let body: HTMLElement | undefined;
	return {
		addRow: line => {
			if (body && body.childElementCount >= maxRows) {
				return false;
			}
			if (!body) {
				body = createElement("tbody");
				table.append(body);
			}
			body.append(createRow("td", splitRow(line), alignments));
			return true;
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
		if (name === "td") {
			keepWhole(cell);
		}
		row.append(cell);
	}
	return row;
}
