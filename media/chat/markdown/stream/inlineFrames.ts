import { maxInlineDepth } from "../elements/bounds.ts";
import { appendText, createElement } from "../elements/elements.ts";

type FrameKind = "root" | "em" | "strong" | "s" | "link" | "image" | "code" | "tag";

/** An inline element that is open; what follows goes into the innermost one. */
export interface InlineFrame {
	readonly kind: FrameKind;
	readonly element: HTMLElement;
	/** The characters that opened it, and will close it where it is code, emphasis or a tag. */
	readonly marker: string;
	/** Where in the waiting text its own begins; means something while it is not on the page. */
	readonly start: number;
}

/** Where a writer of inline text is. */
export interface InlineState {
	readonly stack: InlineFrame[];
	/** How many of the frames are on the page; the others wait with their text, as most brackets turn out to open nothing. */
	placed: number;
	/** The character before the one looked at; decides whether a delimiter run can open or close. */
	previous: string;
	/** Text that is not on the page yet: a text node that grows by single characters is costly. */
	text: string;
	/** How many elements are on the page. */
	elements: number;
}

/**
 * Above so many elements text becomes a text node of its own: Chromium may take seconds to let one of a long paragraph that is
 * laid out grow by a character.
 */
const maxElementsAroundGrowingText = 1000;

/** The innermost open frame. */
export function topFrame(state: InlineState): InlineFrame {
	const frame = state.stack.at(-1);
	if (!frame) {
		throw new Error("The root frame is never closed");
	}
	return frame;
}

/** Whether another frame may be opened inside the innermost one; where none may, what would open it is text. */
export function canOpenFrame({ stack }: InlineState): boolean {
	return stack.length <= maxInlineDepth;
}

/** Writes text into the innermost frame, with what comes next. */
export function writeText(state: InlineState, text: string): void {
	state.text += text;
}

/** Puts what waits on the page; to be called before anything else happens to an element of a frame. */
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

/** Takes back the innermost frame if it is not on the page; its text stays. */
export function removeInnermostFrame(state: InlineState): boolean {
	const isWaiting = state.stack.length > state.placed;
	if (isWaiting) {
		state.stack.pop();
	}
	return isWaiting;
}

/** Closes the frames from `index` on. */
export function closeFrames(state: InlineState, index: number): void {
	flushText(state);
	state.stack.length = index;
	state.placed = index;
}

/** Opens a frame inside the innermost one. */
export function openFrame(state: InlineState, frame: Omit<InlineFrame, "start">): void {
	state.stack.push({ ...frame, start: state.text.length });
}

/** Writes text as it is; returns its length. */
export function writeLiteral(state: InlineState, text: string): number {
	writeText(state, text);
	return text.length;
}

/** The longest run looked at as one, in characters; a longer one is several. */
const maxRunCharacters = 256;

/** The run of one character that begins at `position`, or nothing when it may still grow. */
export function runAt(input: string, position: number, mayWait: boolean): string | undefined {
	const character = input[position];
	const limit = position + maxRunCharacters;
	let end = position;
	while (end < limit && end < input.length && input[end] === character) {
		end++;
	}
	return end === input.length && end < limit && mayWait ? undefined : input.slice(position, end);
}

/** A run of backticks opens code. */
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

/** Inside code everything is literal until a run of as many backticks as opened it. */
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
