import { BlockWriter } from "./blockWriter.ts";
import type { MarkdownEngine, References } from "../final/engine.ts";
import { finishLater, type FinishingDependencies } from "../final/finishing.ts";
import { renderBlocks } from "../final/renderBlocks.ts";
import {
	appendPiece,
	appendSection,
	estimateHeight,
	sectionCharacters,
} from "../final/sections.ts";
import { LiveColors } from "./liveColors.ts";
import { PieceSplitter } from "./pieces.ts";
import { createPlainText } from "../elements/plainText.ts";
import { keepColors } from "../elements/codeBlock.ts";
import { keepSelection } from "../elements/keptSelection.ts";

export interface RenderingDependencies extends FinishingDependencies {
	readonly engine: MarkdownEngine;
	/** Called with the reason if a message, or a part of one, is shown as plain text. */
	readonly onFailed: (error: unknown) => void;
}

/** A finished piece up to this length is rendered at once, a longer one in slices; in characters. */
const immediateCharacters = 8192;

const elementsPerSlice = 2000;

interface RenderedPiece {
	readonly element: HTMLElement;
	readonly source: string;
	/** The number of known link definitions when it was rendered. */
	knownReferences: number;
}

/**
 * Markdown that grows in the page. Lines are written incrementally, and parsed once their block is complete. Parsing and rendering the open block in
 * every frame would cost 2.4 times what this adds to plain text, and 6 times more per character at the end of a list of 50 KB than at its start (`npm
 * run bench render`).
 */
export class LiveText {
	private readonly root: HTMLElement;
	private readonly tools: RenderingDependencies;
	private readonly splitter: PieceSplitter;
	private readonly colors: LiveColors;
	private readonly references: References = {};
	/** Pieces that a later link definition may change. */
	private readonly open: RenderedPiece[] = [];
	private section: HTMLElement;
	private sectionLength = 0;
	/** The element of the current piece. */
	private current: HTMLElement;
	private writer: BlockWriter;
	private line = "";
	/** The number of blocks in the current piece when the line started. */
	private blocksBeforeLine = 0;

	constructor(root: HTMLElement, tools: RenderingDependencies) {
		this.root = root;
		this.tools = tools;
		this.splitter = new PieceSplitter((source, next) => tools.engine.judgeBoundary(source, next));
		({ section: this.section, piece: this.current } = appendSection(root));
		this.colors = new LiveColors(tools);
		this.writer = new BlockWriter(this.current, this.colors);
	}

	/**
	 * Writes text whose lines end in `
	 * `.
	 */
	write(text: string): void {
		let start = 0;
		for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
			this.writePart(text.slice(start, end));
			this.writer.endLine();
			this.addLine();
			this.line = "";
			this.blocksBeforeLine = this.current.childElementCount;
			start = end + 1;
		}
		this.writePart(text.slice(start));
		this.writer.flush();
	}

	/** Ends the text and renders everything with the conformant parser. */
	finish(): void {
		const isLineOpen = this.line !== "";
		if (isLineOpen) {
			this.addLine();
			this.line = "";
		}
		this.writer.end();
		// A missing line ending at the end matters, for example inside code.
		const { rest } = this.splitter;
		this.settle(this.current, isLineOpen ? rest.slice(0, -1) : rest);
		this.settleReferences();
	}

	private writePart(part: string): void {
		if (part !== "") {
			this.line += part;
			this.writer.write(part);
		}
	}

	private addLine(): void {
		const finished = this.splitter.addLine(this.line);
		if (finished) {
			this.writer.flush();
		}
		if (finished?.includesLine) {
			const element = this.current;
			this.beginPiece(finished.source.length);
			this.settle(element, finished.source);
		} else if (finished) {
			this.finishBeforeLine(finished.source);
		}
	}

	/** Adds an element for the next piece, in a new section if the current one is full. */
	private beginPiece(finishedLength: number): void {
		this.sectionLength += finishedLength;
		if (this.sectionLength > sectionCharacters) {
			estimateHeight(this.section, this.sectionLength);
			({ section: this.section, piece: this.current } = appendSection(this.root));
			this.sectionLength = 0;
		} else {
			this.current = appendPiece(this.section);
		}
		this.writer.moveTo(this.current);
	}

	/** Moves the last line, which starts the next piece. */
	private finishBeforeLine(source: string): void {
		const finished = this.current;
		const written = [...finished.children].slice(this.blocksBeforeLine);
		this.beginPiece(source.length);
		if (written.length > 0) {
			keepSelection(this.root, () => this.current.append(...written));
		} else {
			// The preview treated the line as part of the previous block, so it is written again.
			this.writer = new BlockWriter(this.current, this.colors);
			this.writer.write(this.line);
			this.writer.endLine();
		}
		this.settle(finished, source);
	}

	/** Renders a finished piece with the conformant parser. */
	private settle(element: HTMLElement, source: string): void {
		const piece: RenderedPiece = { element, source, knownReferences: 0 };
		if (source.includes("[")) {
			this.open.push(piece);
		}
		this.render(piece);
	}

	/** Renders pieces again that may use a later link definition. */
	private settleReferences(): void {
		const known = Object.keys(this.references).length;
		for (const piece of this.open) {
			if (piece.knownReferences < known) {
				this.render(piece);
			}
		}
		this.open.length = 0;
	}

	private render(piece: RenderedPiece): void {
		const work = renderPiece(piece, this.references, this.tools);
		// The first step reads the definitions, which must happen in the order of the pieces.
		work.next();
		piece.knownReferences = Object.keys(this.references).length;
		if (piece.source.length > immediateCharacters) {
			this.tools.idle.add(work, piece.element);
		} else {
			while (!work.next().done);
		}
	}
}

function* renderPiece(
	{ element, source }: RenderedPiece,
	references: References,
	tools: RenderingDependencies,
): Generator<undefined, void> {
	try {
		yield* replaceDiffering(element, yield* renderBlocks(tools.engine, source, references));
		finishLater(element, tools);
	} catch (error) {
		// Nothing catches errors in idle periods, so the piece shows its text.
		tools.onFailed(error);
		element.replaceChildren(createPlainText(source));
	}
}

/**
 * Replaces only nodes that look different, which keeps selections in the others. Yields from time to time, because everything inserted at once is
 * laid out at once.
 */
function* replaceDiffering(
	element: HTMLElement,
	nodes: readonly ChildNode[],
): Generator<undefined, void> {
	const old = [...element.childNodes];
	let added = 0;
	for (const [index, node] of nodes.entries()) {
		const before = old[index];
		if (before instanceof HTMLDetailsElement && node instanceof HTMLDetailsElement) {
			// Keeps details open that the reader opened.
			node.open ||= before.open;
		}
		if (before?.isEqualNode(node) === true) {
			continue;
		}
		added += node instanceof Element ? node.getElementsByTagName("*").length : 0;
		if (added > elementsPerSlice) {
			added = 0;
			yield;
		}
		if (before) {
			keepColors(before, node);
			keepSelection(element, () => before.replaceWith(node));
		} else {
			element.append(node);
		}
	}
	for (const extra of old.slice(nodes.length)) {
		extra.remove();
	}
}
