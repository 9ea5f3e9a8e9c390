/** A piece of an answer, told apart. */
export type ThoughtPiece =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "thinking"; readonly text: string }
	/** What came as thinking is the answer itself, and comes again as text. */
	| { readonly type: "not-thinking" };

/** Tells the thoughts between `<think>` and `</think>` at the beginning of an answer from its text. */
export interface ThoughtFilter {
	/** The content of a piece, as far as it is known. */
	push(piece: string): readonly ThoughtPiece[];
	/** Text that was held back and proved to be no thought, or one that was never closed, unless a limit cut it. */
	end(isCut: boolean): readonly ThoughtPiece[];
	/** Thoughts come apart from the text, so that all of that is text. */
	passAll(): void;
}

const opening = /^\s*<(think|thinking|thought)>\s*/i;
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
 * Makes a filter. A thought is what an answer begins with: after an opening tag or, with `isInside`, without one. Elsewhere a closing
 * tag alone may as well be quoted, so such an answer is shown as it came; a thought that is never closed is the answer.
 */
export function filterThoughts(isInside = false): ThoughtFilter {
	let state: "start" | "inside" | "spacing" | "text" = "start";
	/** All that came, until it is told apart. */
	const held: string[] = [];
	/** The end of what came inside, which may be the beginning of the closing tag. */
	let tail = "";
	let hasThoughts = false;
	const textOf = (text: string): ThoughtPiece[] => (text === "" ? [] : [{ type: "text", text }]);
	const thoughtOf = (text: string): ThoughtPiece[] => {
		const shown = hasThoughts ? text : text.trimStart();
		hasThoughts ||= shown !== "";
		return shown === "" ? [] : [{ type: "thinking", text: shown }];
	};
	const release = (): ThoughtPiece[] => {
		state = "text";
		const text = textOf(held.splice(0).join(""));
		return hasThoughts ? [{ type: "not-thinking" }, ...text] : text;
	};
	const inside = (piece: string): ThoughtPiece[] => {
		const text = tail + piece;
		const match = closing.exec(text);
		if (!match) {
			tail = closingStart.exec(text)?.[0] ?? "";
			return thoughtOf(text.slice(0, text.length - tail.length));
		}
		held.length = 0;
		const rest = text.slice(match.index + match[0].length);
		state = rest === "" ? "spacing" : "text";
		return [...thoughtOf(text.slice(0, match.index)), ...textOf(rest)];
	};
	const start = (): ThoughtPiece[] => {
		const text = held.join("");
		const match = opening.exec(text);
		if (match || (isInside && !openingStart.test(text))) {
			state = "inside";
			return inside(text.slice(match?.[0].length ?? 0));
		}
		return openingStart.test(text) ? [] : release();
	};
	return {
		push: piece => {
			if (state === "text") {
				return textOf(piece);
			}
			if (state === "spacing") {
				const rest = piece.trimStart();
				state = rest === "" ? "spacing" : "text";
				return textOf(rest);
			}
			held.push(piece);
			return state === "start" ? start() : inside(piece);
		},
		end: isCut => (held.length === 0 || (isCut && hasThoughts) ? [] : release()),
		passAll: () => {
			if (state === "start" && held.length === 0) {
				state = "text";
			}
		},
	};
}
