import { appendPart, createElement } from "../elements/elements.ts";
import { decodeHTMLStrict } from "../elements/entities.ts";
import { fullInlineCharacters, maxInlineCharacters, wholeCharacters } from "../elements/bounds.ts";
import { writeDelimiters } from "./emphasis.ts";
import {
	flushText,
	type InlineState,
	topFrame,
	writeCode,
	writeCodeStart,
	writeLiteral,
	writeText,
} from "./inlineFrames.ts";
import { writeAngle, writeBracket, writeBracketEnd } from "./inlineLinks.ts";

/** The most spaces to hold back until it is known whether a line break follows. */
const maxHeldSpaces = 64;

/** The longest `&name;` in HTML has 33 characters. */
const maxEntityCharacters = 33;

/**
 * Renders streamed inline Markdown into an element. Processes every character once and only appends to the DOM; the result is independent of how the
 * text is split. It guesses what depends on later text, for example that an opening `**` will be closed, which the conformant parser corrects in the
 * finished block.
 */
export class InlineWriter {
	private readonly target: HTMLElement;
	private state: InlineState;
	private held = "";
	/** Characters in the current part. */
	private length = 0;

	constructor(target: HTMLElement) {
		this.target = target;
		this.state = createState(target);
	}

	/** Writes a part of a line, without line breaks. */
	write(text: string): void {
		let rest = text;
		while (this.length + rest.length > maxInlineCharacters) {
			const end = wholeCharacters(rest, maxInlineCharacters - this.length);
			this.run(rest.slice(0, end), true);
			rest = rest.slice(end);
			this.startPart();
		}
		this.length += rest.length;
		this.run(rest, false);
	}

	/** Ends the line; the next one belongs to the same paragraph. */
	breakLine(): void {
		const { state } = this;
		const isHard = /(?:(?<! ) {2,}|\\)$/.test(this.held);
		this.held = this.held.replace(/(?:(?<! ) +|\\)$/, "");
		this.run("", true);
		if (isHard) {
			flushText(state);
			topFrame(state).element.append(createElement("br"));
		}
		writeText(state, topFrame(state).kind === "code" ? " " : "\n");
		state.previous = "\n";
		this.length += 1;
		if (this.length >= fullInlineCharacters) {
			this.startPart();
		}
	}

	/** Inserts the written text. Call it once after several lines, because every change of a long paragraph is slow. */
	flush(): void {
		flushText(this.state);
	}

	/** Writes the text held back, at the end. */
	end(): void {
		this.held = this.held.trimEnd();
		this.run("", true);
		this.flush();
	}

	private run(text: string, isEnd: boolean): void {
		const { state } = this;
		const input = this.held + text;
		let position = 0;
		while (position < input.length) {
			const taken = writeStep(state, input, position, !isEnd);
			if (taken === 0) {
				break;
			}
			position += taken;
			state.previous = input[position - 1] ?? " ";
		}
		this.held = input.slice(position);
	}

	private startPart(): void {
		this.run("", true);
		this.flush();
		this.state = createState(appendPart(this.target));
		this.length = 0;
	}
}

function createState(element: HTMLElement): InlineState {
	return {
		stack: [{ kind: "root", element, marker: "", start: 0 }],
		placed: 1,
		previous: " ",
		text: "",
		elements: 0,
	};
}

/** Processes the text at `position`. Returns the number of consumed characters, or 0 if more are needed. */
function writeStep(state: InlineState, input: string, position: number, mayWait: boolean): number {
	if (topFrame(state).kind === "code") {
		return writeCode(state, input, position, mayWait);
	}
	const plain = writePlain(state, input, position, mayWait);
	if (plain !== undefined) {
		return plain;
	}
	switch (input[position]) {
		case "\\":
			return writeEscape(state, input, position, mayWait);
		case "`":
			return writeCodeStart(state, input, position, mayWait);
		case "*":
		case "_":
		case "~":
			return writeDelimiters(state, input, position, mayWait);
		case "!":
		case "[":
			return writeBracket(state, input, position, mayWait);
		case "]":
			return writeBracketEnd(state, input, position, mayWait);
		case "<":
			return writeAngle(state, input, position, mayWait);
		default:
			return writeEntity(state, input, position, mayWait);
	}
}

const plainText = /[^\\`*_~![\]<&]+/y;

/** Writes plain text. Holds back trailing spaces, because a line break may follow. */
function writePlain(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number | undefined {
	plainText.lastIndex = position;
	const match = plainText.exec(input)?.[0];
	if (match === undefined) {
		return undefined;
	}
	const isLast = position + match.length === input.length;
	const text = isLast && mayWait ? withoutSpacesAtEnd(match) : match;
	return writeLiteral(state, text);
}

function withoutSpacesAtEnd(text: string): string {
	let end = text.length;
	while (end > 0 && text.length - end < maxHeldSpaces && text[end - 1] === " ") {
		end--;
	}
	return text.slice(0, end);
}

function writeEscape(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const next = input[position + 1];
	if (next === undefined) {
		return mayWait ? 0 : writeLiteral(state, "\\");
	}
	if (/[!-/:-@[-`{-~]/.test(next)) {
		writeText(state, next);
		return 2;
	}
	return writeLiteral(state, "\\");
}

/** Decodes a valid `&…;`. */
function writeEntity(
	state: InlineState,
	input: string,
	position: number,
	mayWait: boolean,
): number {
	const rest = input.slice(position, position + maxEntityCharacters + 1);
	const match = /^&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/i.exec(rest)?.[0];
	if (match !== undefined) {
		writeText(state, decodeHTMLStrict(match));
		return match.length;
	}
	return mayWait && /^&[#a-z\d]*$/i.test(rest) && rest.length <= maxEntityCharacters
		? 0
		: writeLiteral(state, "&");
}
