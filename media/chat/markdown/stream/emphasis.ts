import { createElement } from "../elements/elements.ts";
import { dunderLength, mayBecomeDunder } from "../elements/moreMarkdown.ts";
import { flanking } from "../elements/flanking.ts";
import {
	canOpenFrame,
	closeFrames,
	type InlineState,
	openFrame,
	removeInnermostFrame,
	runAt,
	topFrame,
	writeLiteral,
} from "./inlineFrames.ts";

/** Opens and closes emphasis by the flanking rules. Assumes that every opener will be closed. */
export function writeDelimiters(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const word = /\w/.test(state.previous) ? "" : input.slice(position, position + 70);
	const name = dunderLength(word);
	if (name > 0) {
		return writeLiteral(state, word.slice(0, name));
	}
	const run = mayWait && mayBecomeDunder(word) ? undefined : runAt(input, position, mayWait);
	if (run === undefined) {
		return 0;
	}
	const next = input[position + run.length] ?? " ";
	const { canOpen, canClose } = flanking(run.slice(0, 1), state.previous, next);
	// A product, such as `a*b`, is more frequent than emphasis within a word, which the finished text has.
	const isProduct =
		run === "*" && /[\p{L}\p{N}]/u.test(state.previous) && /[\p{L}\p{N}]/u.test(next);
	let rest = run;
	for (let closed = -1; canClose && closed !== 0 && rest !== "";) {
		closed = closeEmphasis(state, rest);
		rest = rest.slice(closed);
	}
	for (
		let opened = -1;
		canOpen && !isProduct && opened !== 0 && rest !== "" && canOpenFrame(state);
	) {
		opened = openEmphasis(state, rest);
		rest = rest.slice(opened);
	}
	writeLiteral(state, rest);
	return run.length;
}

/** Closes the innermost emphasis that the run can close, and everything inside it. Returns the number of consumed characters. */
function closeEmphasis(state: InlineState, run: string): number {
	for (let index = state.stack.length - 1; index > 0; index--) {
		const frame = state.stack[index];
		if (!frame || frame.kind === "link" || frame.kind === "image" || frame.kind === "tag") {
			return 0;
		}
		if (run.startsWith(frame.marker)) {
			removeEmptyFrames(state, index + 1);
			closeFrames(state, index);
			return frame.marker.length;
		}
	}
	return 0;
}

/** Converts empty openers inside the closed emphasis back to text. */
function removeEmptyFrames(state: InlineState, from: number): void {
	let frame = topFrame(state);
	while (
		state.stack.length > from &&
		frame.start === state.text.length &&
		removeInnermostFrame(state)
	) {
		writeLiteral(state, frame.marker);
		frame = topFrame(state);
	}
}

function openEmphasis(state: InlineState, run: string): number {
	if (run.startsWith("~")) {
		if (run.length !== 2) {
			return 0;
		}
		openFrame(state, { kind: "s", element: createElement("s"), marker: run });
		return 2;
	}
	// Of an odd run, the single delimiter is outside: `***x***` is a strong in an em.
	const isSingle = run.length % 2 === 1;
	const kind = isSingle ? "em" : "strong";
	const marker = run.slice(0, isSingle ? 1 : 2);
	openFrame(state, { kind, element: createElement(kind), marker });
	return marker.length;
}
