import { markdownTable } from "../textPages.ts";

/** A paragraph being read. */
export interface Paragraph {
	text: string;
	/** Level of the heading that it is. */
	heading?: number;
	/** Mark and depth of the list item that it is. */
	item?: { readonly mark: string; readonly depth: number };
}

interface TableCell {
	readonly texts: string[];
	/** Columns that it covers. */
	span: number;
	/** Whether it goes on from the row above. */
	isContinued: boolean;
}

interface Table {
	readonly rows: TableCell[][];
}

/** Maximum nesting depth of tables. The text of deeper ones is added to the outer cell. */
const maxTables = 20;

/** Builds Markdown from paragraphs and tables as they open and close. */
export class Blocks {
	private readonly done: string[] = [];
	private readonly paragraphs: Paragraph[] = [];
	private readonly tables: Table[] = [];
	private wasItem = false;
	/** Characters of what is done. */
	length = 0;

	get paragraph(): Paragraph | undefined {
		return this.paragraphs.at(-1);
	}

	get isInTable(): boolean {
		return this.tables.length > 0;
	}

	openParagraph(): void {
		this.paragraphs.push({ text: "" });
	}

	closeParagraph(): void {
		const paragraph = this.paragraphs.pop();
		const text = paragraph?.text.replace(/[ \t]+$/gm, "") ?? "";
		if (!paragraph || text.trim() === "") {
			return;
		}
		const { heading, item } = paragraph;
		const cell = this.cell;
		if (cell) {
			cell.texts.push(item ? `${item.mark} ${text}` : text);
		} else if (heading !== undefined) {
			this.put(`${"#".repeat(Math.min(6, heading))} ${text.trim().replaceAll(/\s+/g, " ")}`);
		} else if (item) {
			const indent = "  ".repeat(Math.min(item.depth, 8));
			this.put(`${indent}${item.mark} ${text.trim().replaceAll("\n", `\n${indent}  `)}`, true);
		} else {
			this.put(text);
		}
	}

	openTable(): void {
		if (this.tables.length < maxTables) {
			this.tables.push({ rows: [] });
		}
	}

	openRow(): void {
		this.tables.at(-1)?.rows.push([]);
	}

	openCell(): void {
		this.tables.at(-1)?.rows.at(-1)?.push({ texts: [], span: 1, isContinued: false });
	}

	get cell(): TableCell | undefined {
		return this.tables.at(-1)?.rows.at(-1)?.at(-1);
	}

	closeTable(): void {
		const table = this.tables.pop();
		const rows = (table?.rows ?? []).map(row =>
			row.flatMap(({ texts, span, isContinued }) => [
				isContinued ? "" : texts.join(" "),
				...Array.from({ length: Math.min(span, 100) - 1 }, () => ""),
			]),
		);
		const filled = rows.filter(row => row.some(text => text.trim() !== ""));
		const outer = this.cell;
		if (filled.length === 0) {
			return;
		}
		if (outer) {
			outer.texts.push(filled.map(row => row.join(", ")).join("; "));
		} else if (Math.max(...filled.map(row => row.length)) === 1) {
			// A frame around text rather than a table.
			filled.forEach(([text = ""]) => this.put(text));
		} else {
			this.put(markdownTable(filled));
		}
	}

	put(block: string, isItem = false): void {
		const gap = this.done.length === 0 ? "" : isItem && this.wasItem ? "\n" : "\n\n";
		this.done.push(gap + block);
		this.length += gap.length + block.length;
		this.wasItem = isItem;
	}

	get text(): string {
		return this.done.join("");
	}
}
