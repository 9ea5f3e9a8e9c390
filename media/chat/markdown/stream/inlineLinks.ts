import { createElement, createImage, createLink } from "../elements/elements.ts";
import { mayBecomeTag, tagAt } from "../elements/moreMarkdown.ts";
import {
	canOpenFrame,
	closeFrames,
	flushText,
	type InlineState,
	openFrame,
	removeInnermostFrame,
	topFrame,
	writeLiteral,
} from "./inlineFrames.ts";

/** Opens a link or an image at `[` or `![`. Its content is shown unchanged until it is complete. */
export function writeBracket(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const isImage = input[position] === "!";
	if (isImage && input[position + 1] !== "[") {
		return input[position + 1] === undefined && mayWait ? 0 : writeLiteral(state, "!");
	}
	const marker = isImage ? "![" : "[";
	if (!canOpenFrame(state)) {
		return writeLiteral(state, marker);
	}
	openFrame(state, { kind: isImage ? "image" : "link", element: createElement("span"), marker });
	return writeLiteral(state, marker);
}

/** The longest URL to wait for, in characters; longer ones stay text. */
const maxHeldCharacters = 2048;

const destination =
	/^\(\s*(?:<([^<>]*)>|((?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*))(?:\s+(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'))?\s*\)/;

/** Closes a link at `]` if an address in parentheses follows. Otherwise the bracket is text. */
export function writeBracketEnd(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const index = state.stack.findLastIndex(frame => frame.kind === "link" || frame.kind === "image");
	if (index === -1) {
		return writeLiteral(state, "]");
	}
	const rest = input.slice(position + 1, position + 1 + maxHeldCharacters);
	const match = destination.exec(rest);
	if (match && match[0].length < maxHeldCharacters) {
		const address = (match[1] ?? match[2] ?? "").replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
		closeLink(state, index, address, match[3] ?? match[4] ?? "");
		return match[0].length + 1;
	}
	// Checks the length first, because the other check is slower.
	if (mayWait && rest.length < maxHeldCharacters && isUnfinishedDestination(rest)) {
		return 0;
	}
	releaseBracket(state, index);
	return writeLiteral(state, "]");
}

/** Whether the parenthesis after a link's text is still open. */
function isUnfinishedDestination(rest: string): boolean {
	if (rest !== "" && !rest.startsWith("(")) {
		return false;
	}
	const closed = rest.replaceAll(/\\[()]/g, "");
	return closed.split("(").length > closed.split(")").length || rest === "";
}

function closeLink(state: InlineState, index: number, address: string, title: string): void {
	const frame = state.stack[index];
	if (!frame) {
		return;
	}
	closeFrames(state, index);
	const { element } = frame;
	const first = element.firstChild;
	if (first instanceof Text) {
		first.deleteData(0, frame.marker.length);
		if (first.data === "") {
			first.remove();
		}
	}
	element.replaceWith(
		frame.kind === "image"
			? createImage(element.textContent, address)
			: createLink(address, title, [...element.childNodes]),
	);
}

/** Removes the wrapper of a bracket that doesn't start a link. */
function releaseBracket(state: InlineState, index: number): void {
	const frame = state.stack[index];
	if (!frame || (index === state.stack.length - 1 && removeInnermostFrame(state))) {
		return;
	}
	closeFrames(state, index);
	const { element } = frame;
	const words = [...element.childNodes];
	const [first] = words;
	const before = element.previousSibling;
	element.replaceWith(...words);
	// Growing text remains one node. Joining only these two keeps the cost independent of the paragraph's size.
	if (before instanceof Text && first instanceof Text) {
		before.appendData(first.data);
		first.remove();
	}
}

/** Handles `<kbd>` and other supported tags, and `<https://…>` links. Any other `<` is text. */
export function writeAngle(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const tag = writeTag(state, input.slice(position, position + 16));
	if (tag > 0) {
		return tag;
	}
	const rest = input.slice(position, position + maxHeldCharacters);
	const match = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/i.exec(rest);
	if (match?.[1] !== undefined && match[0].length < maxHeldCharacters) {
		flushText(state);
		topFrame(state).element.append(createLink(match[1], "", [document.createTextNode(match[1])]));
		return match[0].length;
	}
	const mayBecomeOne = /^<(?:[a-z][a-z0-9+.-]{0,31}(?::[^\s<>]*)?)?$/i.test(rest);
	return mayWait && (mayBecomeOne || mayBecomeTag(rest)) && rest.length < maxHeldCharacters
		? 0
		: writeLiteral(state, "<");
}

/** Writes the tag at the start of a text. Returns its length, or 0 if there is none. A closing tag without an opening one is text. */
function writeTag(state: InlineState, text: string): number {
	const tag = tagAt(text);
	if (!tag) {
		return 0;
	}
	if (tag.kind === "break") {
		flushText(state);
		topFrame(state).element.append(createElement("br"));
		return tag.length;
	}
	const index = state.stack.findLastIndex(
		frame => frame.kind === "tag" && frame.marker === `<${tag.name}>`,
	);
	const isInside = index > state.stack.findLastIndex(frame => frame.kind === "link");
	if (tag.kind === "open" && canOpenFrame(state)) {
		const element = createElement(tag.name);
		openFrame(state, { kind: "tag", element, marker: `<${tag.name}>` });
		return tag.length;
	}
	if (tag.kind === "close" && index > 0 && isInside) {
		closeFrames(state, index);
		return tag.length;
	}
	return writeLiteral(state, text.slice(0, tag.length));
}
