import {
	answerClosing,
	answerOpening,
	answerOpeningStart,
	lead,
	leadStart,
	loneClosing,
	loneClosingStart,
	openedMarks,
	type ThoughtMarks,
	thoughtMarks,
} from "./thoughtMarks.ts";

export type ThoughtPiece =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "thinking"; readonly text: string }
	/** The text sent as thinking was the answer itself and is sent again as text. */
	| { readonly type: "not-thinking" }
	/** The text so far was a thought without an opening tag. */
	| { readonly type: "was-thinking" };

/** Whitespace that may precede a thought. Limited, because some models write nothing else endlessly. */
const maxBlanks = 1_000;

/** Models whose templates open the thought, so their answers lack the opening tag. */
const opened = /deepseek-r1|\bqwq\b|-thinking\b|\bapriel-.*thinker/i;

/** Whether a model's answers may start inside a thought, judged by its id. */
export function beginsInThought(model: string): boolean {
	return opened.test(model);
}

/** The longest thought in the middle of an answer, in characters. In a longer one, the opening tag has another meaning. */
const maxLaterThought = 32 * 1024;

/** Start of a line that may become a thought's opening tag or a fence. */
const undecided = /^[ \t]{0,3}(?:<[a-z]{0,8}|`{1,2}|~{1,2})?$/i;
const laterOpening = /^[ \t]{0,3}<(?:think|thinking|thought)>/i;
const closing = /<\/(?:think|thinking|thought)>\s*/i;

/**
 * Separates thoughts in the middle of an answer from its text: between a tag that starts a line outside code and its closing tag. Emits a thought
 * once it is closed; an unclosed one is text. A single closing tag on a line of its own outside code ends a thought that began with the answer.
 */
class LaterThoughts {
	/** Set if thinking arrives separately. Tags are then text. */
	isOff = false;
	private atLineStart = true;
	private isCode = false;
	private isAfterThought = false;
	/** Whether a thought was found, so that the text before a single closing tag is the answer. */
	hasThought = false;
	/** Start of a line that can't be classified yet. */
	private pending = "";
	private held: string[] = [];
	private heldLength = 0;
	private tail = "";

	push(piece: string): readonly ThoughtPiece[] {
		if (this.isOff) {
			return textPieces(this.release() + piece);
		}
		return this.held.length > 0 ? this.inside(piece) : this.outside(piece);
	}

	/** Whether a piece is text whatever it contains, because it is within a line. */
	passes(piece: string): boolean {
		const isClear = this.held.length === 0 && this.pending === "" && !this.isAfterThought;
		return isClear && !this.atLineStart && !piece.includes("\n");
	}

	release(): string {
		const text = this.held.join("") + this.pending;
		this.held = [];
		this.heldLength = 0;
		this.tail = "";
		this.pending = "";
		return text;
	}

	private outside(piece: string): ThoughtPiece[] {
		let rest = this.pending + (this.isAfterThought ? piece.trimStart() : piece);
		this.isAfterThought &&= rest === "";
		let text = "";
		this.pending = "";
		while (rest !== "") {
			const end = rest.indexOf("\n") + 1;
			const part = end === 0 ? rest : rest.slice(0, end);
			if (this.atLineStart && end === 0 && (undecided.test(part) || loneClosingStart.test(part))) {
				this.pending = part;
				break;
			}
			if (this.atLineStart && !this.isCode && laterOpening.test(part)) {
				return [...textPieces(text), ...this.inside(rest)];
			}
			if (this.atLineStart && !this.isCode && !this.hasThought && loneClosing.test(part)) {
				this.hasThought = true;
				this.isAfterThought = true;
				const after = this.outside(rest.slice(part.length));
				return [...textPieces(text), { type: "was-thinking" }, ...after];
			}
			this.isCode = this.isCode !== (this.atLineStart && /^ {0,3}(?:```|~~~)/.test(part));
			this.atLineStart = end !== 0;
			text += part;
			rest = rest.slice(part.length);
		}
		return textPieces(text);
	}

	private inside(piece: string): ThoughtPiece[] {
		// The closing tag may have started in an earlier piece.
		const end = this.tail + piece;
		this.tail = end.slice(-16);
		this.held.push(piece);
		this.heldLength += piece.length;
		if (!closing.test(end)) {
			this.isOff = this.heldLength > maxLaterThought;
			return this.isOff ? textPieces(this.release()) : [];
		}
		const all = this.release();
		const [tags, length] = [closing.exec(all), laterOpening.exec(all)?.[0].length ?? 0];
		const thought = all.slice(length, tags?.index).trim();
		const rest = all.slice((tags?.index ?? 0) + (tags?.[0].length ?? 0));
		this.isAfterThought = true;
		this.hasThought = true;
		return [
			...(thought === "" ? [] : [{ type: "thinking", text: `${thought}\n\n` } as const]),
			...this.outside(rest),
		];
	}
}

/**
 * Separates the thought between `<think>` and `</think>` at the start of an answer from its text. With `isInside`, the opening tag may be missing.
 * Otherwise a single closing tag in a line of text may be quoted and is kept as text. An unclosed thought is the answer. Later thoughts must start a
 * line.
 */
export class ThoughtFilter {
	private readonly isInside: boolean;
	private state: "start" | "inside" | "spacing" | "text" = "start";
	private marks: ThoughtMarks = openedMarks;
	/** Everything received until it is classified. */
	private readonly held: string[] = [];
	/** End of the text received, which may be the start of a mark. */
	private tail = "";
	/** The closing tag of an answer in tags. */
	private wrapper: ReturnType<typeof answerClosing> | undefined;
	private hasThoughts = false;
	private hasOpening = false;
	/** Whether thinking arrives separately. */
	private isApart = false;
	private readonly later = new LaterThoughts();

	constructor(isInside = false) {
		this.isInside = isInside;
	}

	push(piece: string): readonly ThoughtPiece[] {
		if (this.state === "text" && !this.wrapper && this.later.passes(piece)) {
			return textPieces(piece);
		}
		return piece === "" ? [] : this.withLater(this.first(piece));
	}

	private withLater(pieces: readonly ThoughtPiece[]): ThoughtPiece[] {
		return pieces.flatMap(piece => (piece.type === "text" ? this.later.push(piece.text) : piece));
	}

	private first(piece: string): readonly ThoughtPiece[] {
		if (this.state === "text") {
			return textPieces(this.withoutWrapper(piece));
		}
		if (this.state === "spacing") {
			return this.behind(piece);
		}
		this.held.push(piece);
		return this.state === "start" ? this.start() : this.inside(piece);
	}

	/** Returns buffered text that isn't a thought, or a thought that was never closed, unless a limit cut it off. */
	end(isCut: boolean): readonly ThoughtPiece[] {
		const last = this.held.length === 0 || (isCut && this.hasThoughts) ? [] : this.release();
		const isDropped = this.state === "inside" || this.wrapper?.closing.test(this.tail);
		const pieces = [...last, ...textPieces(isDropped ? "" : this.tail)];
		return [...this.withLater(pieces), ...textPieces(this.later.release())];
	}

	/**
	 * Treats all text as text, because thinking arrives separately. Returns the text so far that wasn't certain, or that was taken for a thought
	 * without an opening tag.
	 */
	passAll(): readonly ThoughtPiece[] {
		this.later.isOff = true;
		const isUncertain = this.state === "start" || (this.state === "inside" && !this.hasOpening);
		if (!isUncertain || this.isApart) {
			return [];
		}
		const before = this.release().filter(isNotBlank);
		this.isApart = before.length === 0;
		// What follows the thought may begin with the mark of its end.
		this.state = this.isApart ? "start" : "text";
		return before;
	}

	private start(): ThoughtPiece[] {
		const text = this.held.join("");
		if (lead.test(text)) {
			this.held.length = 0;
			return this.behind(text.replace(lead, ""));
		}
		const marks = this.isApart ? [] : thoughtMarks;
		const mayOpen =
			leadStart.test(text) || marks.some(({ openingStart }) => openingStart.test(text));
		const found = marks.find(({ opening }) => opening.test(text));
		if (found || (this.isInside && !this.isApart && !mayOpen)) {
			this.state = "inside";
			this.hasOpening = found !== undefined;
			this.marks = found ?? openedMarks;
			return this.inside(text.replace(this.marks.opening, ""));
		}
		return text.length < maxBlanks && mayOpen ? [] : this.release();
	}

	private inside(piece: string): ThoughtPiece[] {
		const text = this.tail + piece;
		const match = this.marks.closing.exec(text);
		if (!match) {
			this.tail = this.marks.closingStart.exec(text)?.[0] ?? "";
			return this.thoughtPieces(text.slice(0, text.length - this.tail.length));
		}
		this.held.length = 0;
		this.tail = "";
		const rest = text.slice(match.index + match[0].length);
		return [...this.thoughtPieces(text.slice(0, match.index)), ...this.behind(rest)];
	}

	/** Reads what follows a thought: white space and marks that begin the answer, then text. */
	private behind(piece: string): ThoughtPiece[] {
		const text = (this.tail + piece).trimStart();
		const found = answerOpening.exec(text);
		const mayOpen = answerOpeningStart.test(text);
		this.tail = !found && mayOpen ? text : "";
		this.state = found || mayOpen ? "spacing" : "text";
		if (found) {
			this.wrapper ??= found[1] === undefined ? undefined : answerClosing(found[1]);
			return this.behind(text.slice(found[0].length));
		}
		return mayOpen ? [] : textPieces(this.withoutWrapper(text));
	}

	/** Holds back the closing tag of an answer in tags, which is left out at its end. */
	private withoutWrapper(piece: string): string {
		if (!this.wrapper) {
			return piece;
		}
		const text = this.tail + piece;
		this.tail = this.wrapper.closingStart.exec(text)?.[0] ?? "";
		return text.slice(0, text.length - this.tail.length);
	}

	private thoughtPieces(text: string): ThoughtPiece[] {
		const shown = this.hasThoughts ? text : text.trimStart();
		this.hasThoughts ||= shown !== "";
		this.later.hasThought ||= this.hasThoughts;
		return shown === "" ? [] : [{ type: "thinking", text: shown }];
	}

	private release(): ThoughtPiece[] {
		this.state = "text";
		this.tail = "";
		const text = textPieces(this.held.splice(0).join(""));
		return this.hasThoughts ? [{ type: "not-thinking" }, ...text] : text;
	}
}

function isNotBlank(piece: ThoughtPiece): boolean {
	return !("text" in piece) || piece.text.trim() !== "";
}

function textPieces(text: string): ThoughtPiece[] {
	return text === "" ? [] : [{ type: "text", text }];
}
