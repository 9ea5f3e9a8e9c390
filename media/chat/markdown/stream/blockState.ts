import type { Fence, FencedLines, ListMarker } from "../elements/lineShape.ts";
import type { GrowingCodeBlock } from "../elements/codeBlock.ts";
import { nameDetails } from "../elements/moreMarkdown.ts";
import type { LiveColors } from "./liveColors.ts";
import type { InlineWriter } from "./inlineWriter.ts";
import type { TableWriter } from "./tableRows.ts";

/** An open block that contains blocks. */
export type Container =
	| { readonly kind: "quote"; readonly element: HTMLElement }
	| { readonly kind: "details"; readonly element: HTMLElement; readonly summary: HTMLElement }
	| {
			readonly kind: "item";
			readonly element: HTMLElement;
			readonly list: HTMLElement;
			readonly marker: ListMarker;
	  };

/** The block that receives a line's text. */
export type Leaf =
	| {
			readonly kind: "paragraph";
			readonly element: HTMLElement;
			readonly inline: InlineWriter;
			/** The only line so far, which is the header of a table if a delimiter row follows. */
			line: string | undefined;
	  }
	| { readonly kind: "heading"; readonly inline: InlineWriter }
	| {
			readonly kind: "fence";
			readonly fence: Fence;
			readonly lines: FencedLines;
			readonly block: GrowingCodeBlock;
	  }
	| { readonly kind: "indented"; readonly block: GrowingCodeBlock }
	| { readonly kind: "table"; readonly table: TableWriter };

/** State of a block writer between two characters. */
export interface BlockState {
	root: HTMLElement;
	readonly containers: Container[];
	leaf: Leaf | undefined;
	readonly colors: Pick<LiveColors, "lineAdded">;
	/** Whether the current line is code, so its line ending is part of the code. */
	isCodeLine: boolean;
}

/** Returns the element that the next block is added to. */
export function innermostElement(state: BlockState): HTMLElement {
	return state.containers.at(-1)?.element ?? state.root;
}

/** Closes the leaf and shows the text it held back. */
export function closeLeaf(state: BlockState): void {
	if (state.leaf?.kind === "paragraph" || state.leaf?.kind === "heading") {
		state.leaf.inline.end();
	}
	state.leaf = undefined;
}

/** Closes the leaf and all containers except for the outer `count`. */
export function closeContainers(state: BlockState, count: number): void {
	closeLeaf(state);
	for (const container of state.containers.splice(count)) {
		if (container.kind === "details") {
			nameDetails(container.element);
		}
	}
}
