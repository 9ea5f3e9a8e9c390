import type { DocumentOrder } from "../documentText.ts";
import { cutDocument, DocumentFaultError, type ReadText } from "../textPages.ts";
import { Blocks } from "./blocks.ts";
import {
	attributeOf,
	mainPartOf,
	readRelations,
	readXml,
	type XmlAttributes,
	type XmlHandler,
} from "./xml.ts";
import {
	depthOf,
	type Numbering,
	readNumbering,
	readStyles,
	type ParagraphStyle,
} from "./wordStyles.ts";
import type { OfficeFiles } from "./zipFile.ts";

/** The longest text to build; the rest isn't counted. */
const maxBuilt = 20_000_000;

/** Reads a Word document: headings, lists and tables as Markdown, with footnotes, endnotes and comments at its end. */
export async function readWord(
	zip: OfficeFiles,
	{ maxCharacters }: Pick<DocumentOrder, "maxCharacters">,
): Promise<ReadText> {
	const main = await mainPartOf(zip, "word/document.xml");
	const relations = [...(await readRelations(zip, main)).values()];
	const partOf = (type: string): string =>
		relations.find(relation => relation.type === type)?.target ?? "";
	const styles = await readStyles(zip, partOf("styles"));
	const numbering = await readNumbering(zip, partOf("numbering"));
	const blocks = new Blocks();
	if (!(await readXml(zip, main, new WordHandler(blocks, styles, numbering)))) {
		throw new DocumentFaultError("damaged");
	}
	for (const type of ["footnotes", "endnotes", "comments"]) {
		const notes = new WordHandler(blocks, styles, numbering);
		await readXml(zip, partOf(type), notes);
	}
	return cutDocument(blocks.text, maxCharacters);
}

/** Elements without anything that is shown: what was removed or moved away, how something was before, readings above characters, and what older programs show instead. */
const silent = new Set(["del", "moveFrom", "pPrChange", "rt", "Fallback"]);

/** Characters in place of elements. */
const characters: Readonly<Record<string, string>> = {
	tab: "\t",
	br: "\n",
	cr: "\n",
	noBreakHyphen: "\u2011",
};

/** Turns the elements of WordprocessingML into blocks. @see https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
class WordHandler implements XmlHandler {
	private readonly blocks: Blocks;
	private readonly styles: ReadonlyMap<string, ParagraphStyle>;
	private readonly numbering: Numbering;
	private silence = 0;
	private isText = false;
	private isInProperties = false;
	private numbered: { id?: string | undefined; depth: number } = { depth: 0 };
	/** What the next text begins with. A note without text, such as the line above the notes, then leaves nothing behind. */
	private prefix = "";

	constructor(blocks: Blocks, styles: ReadonlyMap<string, ParagraphStyle>, numbering: Numbering) {
		this.blocks = blocks;
		this.styles = styles;
		this.numbering = numbering;
	}

	isDone(): boolean {
		return this.blocks.length > maxBuilt;
	}

	open(name: string, attributes: XmlAttributes): void {
		this.silence += silent.has(name) ? 1 : 0;
		if (this.silence > 0) {
			return;
		}
		const { blocks } = this;
		const value = attributeOf(attributes, "val");
		switch (name) {
			case "p":
				blocks.openParagraph();
				break;
			case "pPr":
				this.isInProperties = true;
				this.numbered = { depth: 0 };
				break;
			case "pStyle":
				this.useStyle(this.styles.get(value ?? ""));
				break;
			case "outlineLvl":
				this.setHeading(Number(value) + 1);
				break;
			case "ilvl":
				this.numbered.depth = depthOf(value);
				break;
			case "numId":
				this.numbered.id = value;
				break;
			case "t":
				this.isText = true;
				break;
			case "tab":
				// Also the name of a tab stop.
				this.write(this.isInProperties ? "" : "\t");
				break;
			case "sym":
				this.write(symbolOf(attributeOf(attributes, "char")));
				break;
			case "tbl":
				blocks.openTable();
				break;
			case "tr":
				blocks.openRow();
				break;
			case "tc":
				blocks.openCell();
				break;
			case "gridSpan":
			case "vMerge":
				this.setCell(name, value);
				break;
			default:
				this.openNote(name, attributes);
		}
	}

	private openNote(name: string, attributes: XmlAttributes): void {
		const id = attributeOf(attributes, "id") ?? "";
		if (name === "footnoteReference" || name === "endnoteReference") {
			this.write(noteMark(name === "footnoteReference" ? "" : "e", id));
		} else if (name === "footnote" || name === "endnote") {
			this.prefix = `${noteMark(name === "footnote" ? "" : "e", id)}: `;
		} else if (name === "comment") {
			const author = attributeOf(attributes, "author");
			this.prefix = author === undefined ? "Comment: " : `Comment by ${author}: `;
		} else {
			this.write(characters[name] ?? "");
		}
	}

	close(name: string): void {
		if (silent.has(name)) {
			this.silence = Math.max(0, this.silence - 1);
			return;
		}
		if (this.silence > 0) {
			return;
		}
		const { blocks } = this;
		switch (name) {
			case "t":
				this.isText = false;
				break;
			case "pPr":
				this.isInProperties = false;
				this.setItem();
				break;
			case "p":
				blocks.closeParagraph();
				break;
			case "tbl":
				blocks.closeTable();
				break;
			default:
		}
	}

	text(text: string): void {
		if (this.isText && this.silence === 0) {
			this.write(text);
		}
	}

	private write(text: string): void {
		const { paragraph } = this.blocks;
		if (paragraph) {
			paragraph.text += text.trim() === "" ? text : this.prefix + text;
			this.prefix = text.trim() === "" ? this.prefix : "";
		}
	}

	private useStyle(style: ParagraphStyle | undefined): void {
		this.setHeading(style?.heading);
		this.numbered = { id: style?.list?.id, depth: style?.list?.depth ?? 0 };
	}

	private setHeading(level: number | undefined): void {
		const { paragraph } = this.blocks;
		// The level below the last one is that of ordinary text.
		if (paragraph && level !== undefined && level >= 1 && level <= 9) {
			paragraph.heading = level;
		}
	}

	private setItem(): void {
		const { paragraph } = this.blocks;
		const { id, depth } = this.numbered;
		if (paragraph && id !== undefined && id !== "0") {
			const mark = this.numbering.markOf(id, depth);
			if (paragraph.heading === undefined) {
				paragraph.item = { mark, depth };
			} else if (mark !== "-") {
				paragraph.text = `${mark} ${paragraph.text}`;
			}
		}
	}

	private setCell(name: "gridSpan" | "vMerge", value: string | undefined): void {
		const { cell } = this.blocks;
		if (cell && name === "gridSpan") {
			cell.span = Math.max(1, Number(value) || 1);
		} else if (cell) {
			cell.isContinued = value !== "restart";
		}
	}
}

function noteMark(kind: string, id: string): string {
	return `[^${kind}${id}]`;
}

/** Returns a character of a symbol font: those fonts keep theirs where Unicode has none. */
function symbolOf(code: string | undefined): string {
	const value = Number.parseInt(code ?? "", 16);
	return Number.isNaN(value) || (value >= 0xe000 && value <= 0xf8ff)
		? "•"
		: String.fromCodePoint(value);
}
