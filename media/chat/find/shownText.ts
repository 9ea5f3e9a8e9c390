import type { Match } from "./query.ts";

/** The visible text of an element and its text nodes. */
export interface ShownText {
	readonly text: string;
	/** The text nodes in order, and their start positions in `text`. */
	readonly nodes: readonly Text[];
	readonly starts: readonly number[];
}

/** Separates blocks. Not whitespace, so that no match spans two blocks. */
const blockBreak = "\u0000";

/** Elements that aren't part of the conversation. */
const leftOut =
	"button, select, input, textarea, .answer-head, .thought, .usage, .note, .code-head, .progress, .screen-reader-only, [aria-hidden='true']";

const inline = new Set([
	"a",
	"abbr",
	"b",
	"code",
	"del",
	"em",
	"i",
	"kbd",
	"label",
	"mark",
	"s",
	"small",
	"span",
	"strong",
	"sub",
	"sup",
	"u",
]);

function blockOf(node: Text): Element | null {
	let element = node.parentElement;
	while (element && inline.has(element.localName)) {
		element = element.parentElement;
	}
	return element;
}

/** Reads an element's text, including collapsed parts. Takes linear time. */
export function readShownText(root: Element): ShownText {
	const walker = document.createTreeWalker(
		root,
		NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
		node =>
			node instanceof Element && node.matches(leftOut)
				? NodeFilter.FILTER_REJECT
				: NodeFilter.FILTER_ACCEPT,
	);
	const nodes: Text[] = [];
	const starts: number[] = [];
	const parts: string[] = [];
	let length = 0;
	let lastBlock: Element | null = null;
	while (walker.nextNode()) {
		const node = walker.currentNode;
		if (!(node instanceof Text)) {
			// A line break within a block counts as whitespace.
			if (node instanceof HTMLBRElement) {
				parts.push("\n");
				length += 1;
			}
			continue;
		}
		const block = blockOf(node);
		if (block !== lastBlock && length > 0) {
			parts.push(blockBreak);
			length += blockBreak.length;
		}
		lastBlock = block;
		nodes.push(node);
		starts.push(length);
		parts.push(node.data);
		length += node.data.length;
	}
	return { text: parts.join(""), nodes, starts };
}

/** Returns the matches' ranges in the page, in order. They don't follow later changes of the page. */
export function rangesOf(shown: ShownText, matches: readonly Match[]): StaticRange[] {
	const { nodes, starts } = shown;
	let place = 0;
	const locate = (position: number, isEnd: boolean): readonly [Text, number] | undefined => {
		while ((starts[place + 1] ?? Infinity) < position + (isEnd ? 0 : 1)) {
			place += 1;
		}
		const node = nodes[place];
		return node && [node, Math.min(position - (starts[place] ?? 0), node.data.length)];
	};
	return matches.flatMap(([from, to]) => {
		const start = locate(from, false);
		const before = place;
		const end = locate(to, true);
		// The next match may start in the same node as this one.
		place = Math.max(before, place - 1);
		return start && end
			? [
					new StaticRange({
						startContainer: start[0],
						startOffset: start[1],
						endContainer: end[0],
						endOffset: end[1],
					}),
				]
			: [];
	});
}
