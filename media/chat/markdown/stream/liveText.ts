import { type BlockWriter, createBlockWriter } from "./blockWriter.ts";
import {
	type MarkdownEngine,
	type References,
	finishLater,
	type FinishingDependencies,
	renderBlocks,
	appendPiece,
	appendSection,
	estimateHeight,
	sectionCharacters,
} from "../final/index.ts";
import { createPieceSplitter } from "./pieces.ts";
import { createPlainText } from "../elements/index.ts";

/** Dependencies of rendering an answer. */
export interface RenderingDependencies extends FinishingDependencies {
	readonly engine: MarkdownEngine;
	/** Told why a message, or a part of one, is shown as plain text. */
	readonly onFailed: (error: unknown) => void;
}

/** Markdown that grows on the page. */
export interface LiveText {
	/** Writes text whose lines end in `\n`. */
	write(text: string): void;
	/** Nothing follows: everything is rendered by the conformant parser. */
	finish(): void;
}

/** A finished piece up to this length is rendered at once, a longer one in slices; in characters. */
const immediateCharacters = 8192;

/** How many elements are put on the page between two looks at the clock. */
const elementsPerSlice = 2000;

interface RenderedPiece {
	readonly element: HTMLElement;
	readonly source: string;
	/** How many link definitions were known when it was rendered. */
	knownReferences: number;
}

interface TextState {
	readonly root: HTMLElement;
	readonly tools: RenderingDependencies;
	readonly references: References;
	/** Pieces a link definition further down could change. */
	readonly open: RenderedPiece[];
	section: HTMLElement;
	sectionLength: number;
	/** The element the current piece is written into. */
	current: HTMLElement;
	writer: BlockWriter;
	line: string;
	/** How many blocks the current piece had when the line began. */
	blocksBeforeLine: number;
}

/**
 * Makes a text that grows inside `root`. Lines are written as they come, by hand, and parsed once their block is whole: parsing and
 * drawing the open block again in every frame costs 2.4 times what this adds to plain text, and 6 times more per character at the
 * end of a list of 50 KB than at its beginning (`npm run bench render`).
 */
export function createLiveText(root: HTMLElement, tools: RenderingDependencies): LiveText {
	const splitter = createPieceSplitter((source, next) => tools.engine.judgeBoundary(source, next));
	const state = createState(root, tools);
	const addLine = (): void => {
		const finished = splitter.addLine(state.line);
		if (finished) {
			state.writer.flush();
		}
		if (finished?.includesLine) {
			const element = state.current;
			beginPiece(state, finished.source.length);
			settle(state, element, finished.source);
		} else if (finished) {
			finishBeforeLine(state, finished.source);
		}
	};
	return {
		write: text => {
			let start = 0;
			for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
				writePart(state, text.slice(start, end));
				state.writer.endLine();
				addLine();
				state.line = "";
				state.blocksBeforeLine = state.current.childElementCount;
				start = end + 1;
			}
			writePart(state, text.slice(start));
			state.writer.flush();
		},
		finish: () => {
			const isLineOpen = state.line !== "";
			if (isLineOpen) {
				addLine();
				state.line = "";
			}
			state.writer.end();
			// A last line without an end is not the same as one with an end, inside code for instance.
			settle(state, state.current, isLineOpen ? splitter.rest.slice(0, -1) : splitter.rest);
			settleReferences(state);
		},
	};
}

function createState(root: HTMLElement, tools: RenderingDependencies): TextState {
	const { section, piece: current } = appendSection(root);
	return {
		root,
		tools,
		references: {},
		open: [],
		section,
		sectionLength: 0,
		current,
		writer: createBlockWriter(current),
		line: "",
		blocksBeforeLine: 0,
	};
}

function writePart(state: TextState, part: string): void {
	if (part !== "") {
		state.line += part;
		state.writer.write(part);
	}
}

/** Begins an element for the next piece, in a further section when this one is full. */
function beginPiece(state: TextState, finishedLength: number): void {
	state.sectionLength += finishedLength;
	if (state.sectionLength > sectionCharacters) {
		estimateHeight(state.section, state.sectionLength);
		const { section, piece } = appendSection(state.root);
		state.section = section;
		state.current = piece;
		state.sectionLength = 0;
	} else {
		state.current = appendPiece(state.section);
	}
	state.writer.moveTo(state.current);
}

/** The line just written began the next piece: what it wrote moves there. */
function finishBeforeLine(state: TextState, source: string): void {
	const finished = state.current;
	const written = [...finished.children].slice(state.blocksBeforeLine);
	beginPiece(state, source.length);
	if (written.length > 0) {
		state.current.append(...written);
	} else {
		// The preview took the line for a part of the block before; it is written again as what it is.
		state.writer = createBlockWriter(state.current);
		state.writer.write(state.line);
		state.writer.endLine();
	}
	settle(state, finished, source);
}

/** Renders a finished piece by the conformant parser. */
function settle(state: TextState, element: HTMLElement, source: string): void {
	const piece: RenderedPiece = { element, source, knownReferences: 0 };
	if (source.includes("[")) {
		state.open.push(piece);
	}
	render(state, piece);
}

function render(state: TextState, piece: RenderedPiece): void {
	const { engine, idle } = state.tools;
	const work = renderPiece(engine, piece, state);
	// The first step reads the definitions, which must happen in the order of the pieces.
	work.next();
	piece.knownReferences = Object.keys(state.references).length;
	if (piece.source.length > immediateCharacters) {
		idle.add(work, piece.element);
	} else {
		while (!work.next().done);
	}
}

function* renderPiece(
	engine: MarkdownEngine,
	piece: RenderedPiece,
	{ references, tools }: TextState,
): Generator<undefined, void> {
	try {
		yield* replaceDiffering(piece.element, yield* renderBlocks(engine, piece.source, references));
		finishLater(piece.element, tools);
	} catch (error) {
		// In quiet moments nobody catches this: the piece itself shows its text.
		tools.onFailed(error);
		piece.element.replaceChildren(createPlainText(piece.source));
	}
}

/**
 * Puts nodes in place of those that look different; the others stay, and with them what is selected in them. Yields now and then,
 * as all that is put on the page at once is laid out at once.
 */
function* replaceDiffering(
	element: HTMLElement,
	nodes: readonly ChildNode[],
): Generator<undefined, void> {
	const old = [...element.childNodes];
	let added = 0;
	for (const [index, node] of nodes.entries()) {
		const before = old[index];
		if (before?.isEqualNode(node) === true) {
			continue;
		}
		added += node instanceof Element ? node.getElementsByTagName("*").length : 0;
		if (added > elementsPerSlice) {
			added = 0;
			yield;
		}
		if (before) {
			before.replaceWith(node);
		} else {
			element.append(node);
		}
	}
	for (const extra of old.slice(nodes.length)) {
		extra.remove();
	}
}

/** Renders once more the pieces that may use a link definition that is further down. */
function settleReferences(state: TextState): void {
	const known = Object.keys(state.references).length;
	for (const piece of state.open) {
		if (piece.knownReferences < known) {
			render(state, piece);
		}
	}
	state.open.length = 0;
}
