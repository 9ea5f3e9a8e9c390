/** A piece of an answer, told apart. */
export type ThoughtPiece =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "thinking"; readonly text: string }
	/** What came as thinking is the answer itself, and comes again as text. */
	| { readonly type: "not-thinking" };

const opening = /^\s*<(think|thinking|thought)>\s*/i;
/** Blanks that a thought may follow; some models write nothing else without an end. */
const maxBlanks = 1_000;
const openingStart = /^\s*(?:<[a-z]{0,8}>?)?$/i;
const closing = /<\/(?:think|thinking|thought)>\s*/i;
const closingStart = /<(?:\/[a-z]{0,8})?$/i;

/** Models whose templates open the thought themselves, so that no answer of theirs holds the opening tag. */
const opened = /deepseek-r1|\bqwq\b|-thinking\b/i;

/** Whether a model's answers may begin inside a thought, known by its id. */
export function beginsInThought(model: string): boolean {
	return opened.test(model);
}

/**
 * Tells the thoughts between `<think>` and `</think>` at the beginning of an answer from its text. A thought is what an answer
 * begins with: after an opening tag or, with `isInside`, without one. Elsewhere a closing tag alone may as well be quoted, so
 * such an answer is shown as it came; a thought that is never closed is the answer.
 */
export class ThoughtFilter {
	private readonly isInside: boolean;
	private state: "start" | "inside" | "spacing" | "text" = "start";
	/** All that came, until it is told apart. */
	private readonly held: string[] = [];
	/** The end of what came inside, which may be the beginning of the closing tag. */
	private tail = "";
	private hasThoughts = false;

	constructor(isInside = false) {
		this.isInside = isInside;
	}

	/** The content of a piece, as far as it is known. */
	push(piece: string): readonly ThoughtPiece[] {
		if (this.state === "text") {
			return textPieces(piece);
		}
		if (this.state === "spacing") {
			const rest = piece.trimStart();
			this.state = rest === "" ? "spacing" : "text";
			return textPieces(rest);
		}
		this.held.push(piece);
		return this.state === "start" ? this.start() : this.inside(piece);
	}

	/** Text that was held back and proved to be no thought, or one that was never closed, unless a limit cut it. */
	end(isCut: boolean): readonly ThoughtPiece[] {
		return this.held.length === 0 || (isCut && this.hasThoughts) ? [] : this.release();
	}

	/** Thoughts come apart from the text, so that all of that is text. */
	passAll(): void {
		if (this.state === "start" && this.held.length === 0) {
			this.state = "text";
		}
	}

	private start(): ThoughtPiece[] {
		const text = this.held.join("");
		const match = opening.exec(text);
		if (match || (this.isInside && !openingStart.test(text))) {
			this.state = "inside";
			return this.inside(text.slice(match?.[0].length ?? 0));
		}
		return text.length < maxBlanks && openingStart.test(text) ? [] : this.release();
	}

	private inside(piece: string): ThoughtPiece[] {
		const text = this.tail + piece;
		const match = closing.exec(text);
		if (!match) {
			this.tail = closingStart.exec(text)?.[0] ?? "";
			return this.thoughtPieces(text.slice(0, text.length - this.tail.length));
		}
		this.held.length = 0;
		const rest = text.slice(match.index + match[0].length);
		this.state = rest === "" ? "spacing" : "text";
		return [...this.thoughtPieces(text.slice(0, match.index)), ...textPieces(rest)];
	}

	private thoughtPieces(text: string): ThoughtPiece[] {
		const shown = this.hasThoughts ? text : text.trimStart();
		this.hasThoughts ||= shown !== "";
		return shown === "" ? [] : [{ type: "thinking", text: shown }];
	}

	private release(): ThoughtPiece[] {
		this.state = "text";
		const text = textPieces(this.held.splice(0).join(""));
		return this.hasThoughts ? [{ type: "not-thinking" }, ...text] : text;
	}
}

function textPieces(text: string): ThoughtPiece[] {
	return text === "" ? [] : [{ type: "text", text }];
}
