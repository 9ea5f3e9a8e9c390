import { maxInlineDepth } from "../elements/bounds.ts";
import { appendText, createElement } from "../elements/elements.ts";

type FrameKind = "root" | "em" | "strong" | "s" | "link" | "image" | "code" | "tag";

/** An open inline element. Text goes into the innermost one. */
export interface InlineFrame {
	readonly kind: FrameKind;
	readonly element: HTMLElement;
	/** The characters that opened it; code, emphasis and tags also end with them. */
	readonly marker: string;
	/** Start of its text in the waiting text. Valid until it is inserted into the page. */
	readonly start: number;
}

export interface InlineState {
	readonly stack: InlineFrame[];
	/** The number of frames in the page. Others wait with their text, because most brackets turn out not to open anything. */
	placed: number;
	/** The previous character, which determines whether a delimiter run can open or close. */
	previous: string;
	/** Text not inserted yet, because growing a text node by single characters is slow. */
	text: string;
	/** The number of elements in the page. */
	elements: number;
}

/** Above this number of elements, text becomes a new text node: in a long paragraph, Chromium may take seconds to lay out one that grows. */
const maxElementsAroundGrowingText = 1000;

export function topFrame(state: InlineState): InlineFrame {
	const frame = state.stack.at(-1);
	if (!frame) {
		throw new Error("The root frame is never closed");
	}
	return frame;
}

/** Whether another frame can be opened. If not, its opener is text. */
export function canOpenFrame({ stack }: InlineState): boolean {
	return stack.length <= maxInlineDepth;
}

/** Adds text to the innermost frame. It is inserted later. */
export function writeText(state: InlineState, text: string): void {
	state.text += text;
}

/** Inserts the waiting text. Call it before changing an element of a frame. */
export function flushText(state: InlineState): void {
	let written = 0;
	for (const frame of state.stack.slice(state.placed)) {
		const parent = state.stack[state.placed - 1]?.element;
		if (parent) {
			place(state, parent, state.text.slice(written, frame.start));
			parent.append(frame.element);
			state.elements++;
		}
		written = frame.start;
		state.placed++;
	}
	place(state, topFrame(state).element, state.text.slice(written));
	state.text = "";
}

function place({ elements }: InlineState, parent: HTMLElement, text: string): void {
	if (elements < maxElementsAroundGrowingText) {
		appendText(parent, text);
	} else if (text !== "") {
		parent.append(text);
	}
}

/** Removes the innermost frame if it isn't in the page. Its text stays. */
export function removeInnermostFrame(state: InlineState): boolean {
	const isWaiting = state.stack.length > state.placed;
	if (isWaiting) {
		state.stack.pop();
	}
	return isWaiting;
}

export function closeFrames(state: InlineState, index: number): void {
	flushText(state);
	state.stack.length = index;
	state.placed = index;
}

export function openFrame(state: InlineState, frame: Omit<InlineFrame, "start">): void {
	state.stack.push({ ...frame, start: state.text.length });
}

/** Writes text unchanged and returns its length. */
export function writeLiteral(state: InlineState, text: string): number {
	writeText(state, text);
	return text.length;
}

/** The longest run treated as one, in characters; a longer one is several. */
const maxRunCharacters = 256;

/** Returns the run of one character at `position`, or undefined if it may still grow. */
export function runAt(input: string, position: number, mayWait: boolean): string | undefined {
	const character = input[position];
	const limit = position + maxRunCharacters;
	let end = position;
	while (end < limit && end < input.length && input[end] === character) {
		end++;
	}
	return end === input.length && end < limit && mayWait ? undefined : input.slice(position, end);
}

/** Opens code at a run of backticks. */
export function writeCodeStart(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const run = runAt(input, position, mayWait);
	if (run === undefined) {
		return 0;
	}
	openFrame(state, { kind: "code", element: createElement("code"), marker: run });
	return run.length;
}

/** Writes code up to a run with the same number of backticks as the opening one. */
export function writeCode(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const tick = input.indexOf("`", position);
	if (tick !== position) {
		return writeLiteral(state, input.slice(position, tick === -1 ? input.length : tick));
	}
	const run = runAt(input, position, mayWait);
	if (run === undefined) {
		return 0;
	}
	if (run === topFrame(state).marker) {
		closeFrames(state, state.stack.length - 1);
		return run.length;
	}
	return writeLiteral(state, run);
}
