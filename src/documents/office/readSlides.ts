import type { DocumentOrder } from "../documentText.ts";
import { DocumentFaultError, type ReadText, TextPages } from "../textPages.ts";
import { Blocks } from "./blocks.ts";
import { depthOf } from "./wordStyles.ts";
import {
	attributeOf,
	isOn,
	mainPartOf,
	prefixedAttribute,
	readRelations,
	readXml,
	type XmlAttributes,
	type XmlHandler,
} from "./xml.ts";
import type { OfficeFiles } from "./zipFile.ts";

/** Reads a presentation: each slide with its title as a heading, its lists and tables as Markdown, and its notes. */
export async function readSlides(
	zip: OfficeFiles,
	{ part, maxCharacters }: Pick<DocumentOrder, "part" | "maxCharacters">,
): Promise<ReadText> {
	const main = await mainPartOf(zip, "ppt/presentation.xml");
	const relations = await readRelations(zip, main);
	const slides: string[] = [];
	const isFound = await readXml(zip, main, {
		open: (name, attributes) => {
			const relation = relations.get(prefixedAttribute(attributes, "id") ?? "");
			if (name === "sldId" && relation) {
				slides.push(relation.target);
			}
		},
	});
	if (!isFound || slides.length === 0) {
		throw new DocumentFaultError("damaged");
	}
	const pages = new TextPages("slide", slides.length, part, maxCharacters);
	for (const number of pages.numbers()) {
		const { text, isHidden } = await readSlide(zip, slides[number - 1] ?? "");
		pages.add(number, text, isHidden ? ", hidden" : "");
	}
	return pages.end();
}

interface Slide {
	readonly text: string;
	readonly isHidden: boolean;
}

async function readSlide(zip: OfficeFiles, part: string): Promise<Slide> {
	const blocks = new Blocks();
	const slide = new SlideHandler(blocks);
	await readXml(zip, part, slide);
	const relations = [...(await readRelations(zip, part)).values()];
	const partsOf = (type: string): string[] =>
		relations.filter(relation => relation.type === type).map(({ target }) => target);
	for (const diagram of partsOf("diagramData")) {
		await readXml(zip, diagram, new SlideHandler(blocks));
	}
	const notes = new Blocks();
	for (const each of partsOf("notesSlide")) {
		await readXml(zip, each, new SlideHandler(notes, /(?!)/));
	}
	const texts = [
		...(slide.title === "" ? [] : [`# ${slide.title}`]),
		...(blocks.text === "" ? [] : [blocks.text]),
		...(notes.text === "" ? [] : [`Notes: ${notes.text}`]),
	];
	return { text: texts.join("\n\n"), isHidden: slide.isHidden };
}

/** Placeholders that are the same on every slide, and the slide's picture on a page of notes. */
const repeated = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);

/** Turns the elements of PresentationML and DrawingML into blocks. */
class SlideHandler implements XmlHandler {
	private readonly blocks: Blocks;
	private readonly listPlaceholder: RegExp;
	isHidden = false;
	title = "";
	/** The placeholder that the shape is; undefined outside of one. */
	private placeholder: string | undefined;
	private isText = false;
	private silence = 0;

	/** `listPlaceholder` matches the placeholders whose paragraphs are list items. */
	constructor(blocks: Blocks, listPlaceholder = /^(?:obj|body)$/) {
		this.blocks = blocks;
		this.listPlaceholder = listPlaceholder;
	}

	open(name: string, attributes: XmlAttributes): void {
		const { blocks } = this;
		switch (name) {
			case "sld":
				this.isHidden = !isOn(attributes["show"]);
				break;
			case "Fallback":
				this.silence += 1;
				break;
			case "sp":
				this.placeholder = undefined;
				break;
			case "ph":
				this.placeholder = attributes["type"] ?? "obj";
				break;
			case "p":
				blocks.openParagraph();
				this.setItem(this.listPlaceholder.test(this.placeholder ?? ""), 0);
				break;
			case "pPr": {
				const { item } = blocks.paragraph ?? {};
				this.setItem(item !== undefined, depthOf(attributes["lvl"]));
				break;
			}
			case "buNone":
				this.setItem(false, 0);
				break;
			case "buChar":
			case "buAutoNum":
				this.setItem(true, blocks.paragraph?.item?.depth ?? 0);
				break;
			case "t":
				this.isText = true;
				break;
			case "br":
				this.text("\n", true);
				break;
			case "tbl":
				blocks.openTable();
				break;
			case "tr":
				blocks.openRow();
				break;
			case "tc":
				blocks.openCell();
				this.setCell(attributes);
				break;
			default:
		}
	}

	close(name: string): void {
		const { blocks } = this;
		switch (name) {
			case "Fallback":
				this.silence -= 1;
				break;
			case "t":
				this.isText = false;
				break;
			case "p":
				this.closeParagraph();
				break;
			case "tbl":
				blocks.closeTable();
				break;
			default:
		}
	}

	text(text: string, isMark = this.isText): void {
		const { paragraph } = this.blocks;
		const isRepeated = repeated.has(this.placeholder ?? "");
		if (paragraph && isMark && this.silence === 0 && !isRepeated) {
			paragraph.text += text;
		}
	}

	private closeParagraph(): void {
		const { paragraph } = this.blocks;
		if (paragraph && /^(?:title|ctrTitle)$/.test(this.placeholder ?? "")) {
			const text = paragraph.text.trim().replaceAll(/\s+/g, " ");
			this.title += this.title === "" || text === "" ? text : ` ${text}`;
			paragraph.text = "";
		}
		this.blocks.closeParagraph();
	}

	private setItem(isItem: boolean, depth: number): void {
		const { paragraph } = this.blocks;
		if (paragraph) {
			delete paragraph.item;
			if (isItem) {
				paragraph.item = { mark: "-", depth };
			}
		}
	}

	private setCell(attributes: XmlAttributes): void {
		const { cell } = this.blocks;
		if (cell) {
			// The columns that a cell covers follow as cells of their own.
			cell.isContinued = [
				attributeOf(attributes, "hMerge"),
				attributeOf(attributes, "vMerge"),
			].some(value => value !== undefined && isOn(value));
		}
	}
}
