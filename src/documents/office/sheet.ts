import { type Formats, numberText } from "./cellFormats.ts";
import { attributeOf, type XmlAttributes, type XmlHandler } from "./xml.ts";

export interface SheetRange {
	readonly firstRow: number;
	readonly lastRow: number;
	/** The most characters of CSV. */
	readonly room: number;
}

/** Cells after which a large sheet isn't read to its end. */
const maxCounted = 500_000;
/** Cells of a row beyond which its end is left out. */
const maxColumns = 500;
/** Empty rows in a row that are written as such; more are counted. */
const maxEmptyRows = 5;

/** Turns a sheet's elements into CSV, and counts all of its rows. */
export class SheetHandler implements XmlHandler {
	private readonly formats: Formats;
	private readonly range: SheetRange;
	private readonly lines: string[] = [];
	private length = 0;
	private isFull = false;
	private row = 0;
	private written: number;
	private cells: string[] = [];
	private column = 0;
	private type = "n";
	private style: string | undefined;
	private value = "";
	private formula = "";
	private collects: "value" | "formula" | undefined;
	/** Whether the reading of characters follows, rather than their text. */
	private isReading = false;
	private seen = 0;
	/** The last cell of the dimension that the sheet declares. */
	private declared = { rows: 0, columns: 0 };
	/** The last row with a cell. */
	rows = 0;
	columns = 0;
	/** The last row of those that were asked for and had room. */
	shownTo: number;

	constructor(formats: Formats, range: SheetRange) {
		this.formats = formats;
		this.range = range;
		this.written = range.firstRow - 1;
		this.shownTo = range.firstRow - 1;
	}

	get csv(): string {
		return this.lines.join("\n");
	}

	open(name: string, attributes: XmlAttributes): void {
		switch (name) {
			case "dimension":
				this.declared = sizeOf(attributeOf(attributes, "ref"));
				break;
			case "row":
				this.row = Number(attributeOf(attributes, "r")) || this.row + 1;
				this.cells = [];
				this.column = 0;
				break;
			case "c":
				this.column = columnOf(attributeOf(attributes, "r")) ?? this.column + 1;
				this.type = attributeOf(attributes, "t") ?? "n";
				this.style = attributeOf(attributes, "s");
				this.value = "";
				this.formula = "";
				break;
			case "f":
				this.collects = "formula";
				break;
			case "v":
			case "t":
				this.collects = "value";
				break;
			case "rPh":
				this.isReading = true;
				break;
			default:
		}
	}

	close(name: string): void {
		if (name === "f" || name === "v" || name === "t") {
			this.collects = undefined;
		} else if (name === "rPh") {
			this.isReading = false;
		} else if (name === "c") {
			this.seen += 1;
			this.closeCell();
		} else if (name === "row" && this.cells.length > 0) {
			this.closeRow();
		}
	}

	text(text: string): void {
		if (this.collects && !this.isReading) {
			this[this.collects] += text;
		}
	}

	/** Whether the number of remaining rows is that of the declared dimension, because counting would be slow. */
	isDone(): boolean {
		const isPast = this.isFull || this.row > this.range.lastRow;
		if (isPast && this.seen > maxCounted && this.declared.rows > this.rows) {
			this.rows = this.declared.rows;
			this.columns = Math.max(this.columns, this.declared.columns);
			return true;
		}
		return false;
	}

	private closeCell(): void {
		const text = this.cellText();
		if (text === "") {
			return;
		}
		this.columns = Math.max(this.columns, this.column);
		this.rows = Math.max(this.rows, this.row);
		if (this.column <= maxColumns && this.isWanted()) {
			this.cells[this.column - 1] = csvField(text);
		}
	}

	private isWanted(): boolean {
		const { firstRow, lastRow } = this.range;
		return !this.isFull && this.row >= firstRow && this.row <= lastRow;
	}

	private closeRow(): void {
		const gap = this.row - this.written - 1;
		const line = Array.from(this.cells, cell => cell ?? "").join(",");
		const empty =
			gap > maxEmptyRows
				? [`[rows ${this.written + 1}–${this.row - 1} are empty]`]
				: Array.from({ length: Math.max(0, gap) }, () => "");
		if (this.length + line.length > this.range.room && this.lines.length > 0) {
			this.isFull = true;
			return;
		}
		this.lines.push(...empty, line.slice(0, this.range.room));
		this.length += line.length + 1;
		this.written = this.row;
		this.shownTo = this.row;
	}

	private cellText(): string {
		const { value, formula, formats } = this;
		if (value === "") {
			// Programs that compute nothing write formulas alone.
			return formula === "" ? "" : `=${formula}`;
		}
		switch (this.type) {
			case "s":
				return formats.texts[Number(value)] ?? "";
			case "b":
				return value === "1" ? "TRUE" : "FALSE";
			case "n":
				return numberText(value, this.style, formats);
			default:
				return value;
		}
	}
}

/** Returns the number of a cell's column, counted from 1; undefined without a reference. */
function columnOf(reference: string | undefined): number | undefined {
	const [letters] = /^[A-Z]{1,3}/i.exec(reference ?? "") ?? [];
	return letters === undefined
		? undefined
		: [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns the size that a range such as `A1:D20` ends at. */
function sizeOf(range: string | undefined): { readonly rows: number; readonly columns: number } {
	const last = range?.split(":").at(-1);
	const [, row = "0"] = /^[A-Z]{1,3}(\d{1,7})$/i.exec(last ?? "") ?? [];
	return { rows: Number(row), columns: columnOf(last) ?? 0 };
}

function csvField(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
