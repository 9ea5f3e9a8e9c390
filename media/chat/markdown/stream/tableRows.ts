import {
	type ColumnAlignment,
	createCell,
	createExtraCell,
	createElement,
	keepWhole,
} from "../elements/elements.ts";
import { cellsOf, extraText } from "../elements/tableText.ts";
import { maxRowsOf } from "../elements/bounds.ts";
import { InlineWriter } from "./inlineWriter.ts";

export class TableWriter {
	private readonly table: HTMLElement;
	private readonly alignments: readonly ColumnAlignment[];
	private body: HTMLElement | undefined;

	constructor(
		table: HTMLElement,
		header: readonly string[],
		alignments: readonly ColumnAlignment[],
	) {
		this.table = table;
		this.alignments = alignments;
		const head = createElement("thead");
		head.append(createRow("th", header, alignments));
		table.append(head);
	}

	/** Adds a row. Returns false if the table is full. */
	addRow(line: string): boolean {
		if (this.body && this.body.childElementCount >= maxRowsOf(this.alignments.length)) {
			return false;
		}
		if (!this.body) {
			this.body = createElement("tbody");
			this.table.append(this.body);
		}
		this.body.append(createRow("td", cellsOf(line, this.alignments.length), this.alignments));
		return true;
	}
}

function createRow(
	name: "td" | "th",
	cells: readonly string[],
	alignments: readonly ColumnAlignment[],
): HTMLElement {
	const row = createElement("tr");
	for (const [index, alignment] of alignments.entries()) {
		const cell = createCell(name, alignment);
		writeCell(cell, cells[index] ?? "");
		if (name === "td") {
			keepWhole(cell);
		}
		row.append(cell);
	}
	const extra = extraText(cells, alignments.length);
	if (extra !== "") {
		const cell = createExtraCell();
		writeCell(cell, extra);
		row.append(cell);
	}
	return row;
}

function writeCell(cell: HTMLElement, text: string): void {
	const inline = new InlineWriter(cell);
	inline.write(text);
	inline.end();
}
