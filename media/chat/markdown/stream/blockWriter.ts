import { type BlockState, closeLeaf } from "./blockState.ts";
import { expandIndentation, isDecided } from "../elements/lineShape.ts";
import { openLine } from "./openLine.ts";

/** The start of a line up to this length is examined for every fragment; in characters. */
const freeLookCharacters = 256;

/**
 * Renders streamed Markdown. Only appends to the DOM; the cost of a fragment is independent of the existing text, and the result is independent of
 * how the text is split. It is a preview: it guesses where Markdown needs lookahead, and the conformant parser renders each finished block again.
 */
export class BlockWriter {
	private readonly state: BlockState;
	/** The line so far, until its kind is determined. */
	private held: string | undefined = "";
	/** The length of the line at which it is examined again. */
	private nextLook = 0;

	constructor(root: HTMLElement, colors: BlockState["colors"]) {
		this.state = { root, colors, containers: [], leaf: undefined, isCodeLine: false };
	}

	/** Sets the element for further top-level blocks. */
	moveTo(root: HTMLElement): void {
		this.state.root = root;
	}

	/** Writes a part of a line, without line breaks. */
	write(text: string): void {
		const { state } = this;
		if (this.held === undefined) {
			writeToLeaf(state, text);
			return;
		}
		const held = (this.held += text);
		if (held.length < this.nextLook) {
			return;
		}
		if (isDecided(held, mayBelongToTable(state, held))) {
			openLine(state, expandIndentation(held));
			this.held = undefined;
		} else if (held.length > freeLookCharacters) {
			// Examining the line again only after it has doubled keeps the cost linear.
			this.nextLook = held.length * 2;
		}
	}

	endLine(): void {
		if (this.held !== undefined) {
			openLine(this.state, expandIndentation(this.held));
		}
		this.held = "";
		this.nextLook = 0;
		endLeafLine(this.state);
	}

	/** Inserts the written text into the page. */
	flush(): void {
		const { leaf } = this.state;
		if (leaf?.kind === "paragraph" || leaf?.kind === "heading") {
			leaf.inline.flush();
		}
	}

	/** Ends the text and shows all text held back. */
	end(): void {
		if (this.held !== undefined && this.held !== "") {
			openLine(this.state, expandIndentation(this.held));
		}
		this.held = "";
		closeLeaf(this.state);
	}
}

/** Whether a line may belong to a table. Rows, and lines that may be delimiter rows, are shown only when complete. */
function mayBelongToTable({ leaf }: BlockState, held: string): boolean {
	return (
		leaf?.kind === "table" ||
		(leaf?.kind === "paragraph" && leaf.line?.includes("|") === true && /^[\s|:-]*$/.test(held))
	);
}

function writeToLeaf({ leaf }: BlockState, text: string): void {
	switch (leaf?.kind) {
		case "paragraph":
			leaf.line = leaf.line === undefined ? undefined : leaf.line + text;
			leaf.inline.write(text);
			break;
		case "heading":
			leaf.inline.write(text);
			break;
		case "fence":
		case "indented":
			leaf.block.append(text);
			break;
		default:
			break;
	}
}

function endLeafLine(state: BlockState): void {
	const { leaf } = state;
	if (state.isCodeLine && (leaf?.kind === "fence" || leaf?.kind === "indented")) {
		leaf.block.append("\n");
		state.colors.lineAdded(leaf.block);
	} else if (leaf?.kind === "heading") {
		closeLeaf(state);
	}
	state.isCodeLine = false;
}
