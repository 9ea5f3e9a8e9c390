import { type BlockState, closeLeaf } from "./blockState.ts";
import { expandIndentation, isDecided } from "../elements/lineShape.ts";
import { openLine } from "./openLine.ts";

/** The beginning of a line up to this length is looked at with every fragment; in characters. */
const freeLookCharacters = 256;

/**
 * Writes Markdown into the page as it arrives. The DOM is only appended to, at a cost per fragment that does not grow
 * with what is there, and does not depend on how the text was cut. It is a preview: where Markdown needs to look ahead
 * it guesses, and the finished block is rendered once more by the conformant parser.
 */
export class BlockWriter {
	private readonly state: BlockState;
	/** The line so far, until its kind is decided. */
	private held: string | undefined = "";
	/** How long the line has to be before it is looked at again. */
	private nextLook = 0;

	/** Makes a writer that appends to `root`. */
	constructor(root: HTMLElement, colors: BlockState["colors"]) {
		this.state = { root, colors, containers: [], leaf: undefined, isCodeLine: false };
	}

	/** Moves on to another element for the top-level blocks to come. */
	moveTo(root: HTMLElement): void {
		this.state.root = root;
	}

	/** Writes a part of a line; holds no line break. */
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
			// Looking again only after the line has doubled keeps the cost linear.
			this.nextLook = held.length * 2;
		}
	}

	/** Ends the line. */
	endLine(): void {
		if (this.held !== undefined) {
			openLine(this.state, expandIndentation(this.held));
		}
		this.held = "";
		this.nextLook = 0;
		endLeafLine(this.state);
	}

	/** Puts what was written on the page. */
	flush(): void {
		const { leaf } = this.state;
		if (leaf?.kind === "paragraph" || leaf?.kind === "heading") {
			leaf.inline.flush();
		}
	}

	/** Ends the text: everything held back is shown. */
	end(): void {
		if (this.held !== undefined && this.held !== "") {
			openLine(this.state, expandIndentation(this.held));
		}
		this.held = "";
		closeLeaf(this.state);
	}
}

/** A row of a table is only shown whole, and so is what may turn the line above it into a header. */
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
