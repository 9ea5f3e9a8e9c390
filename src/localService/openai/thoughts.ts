/** Takes thoughts between `<think>` and `</think>` out of the beginning of an answer. */
export interface ThoughtFilter {
	/** The text of a piece that is part of the answer. */
	push(piece: string): string;
	/** What was held back and proved to be no thought. */
	end(): string;
	/** Known at the end: a thought ended in the text that had never been opened. */
	readonly sawBareEnd: boolean;
}

const opening = /^\s*<(think|thinking|thought)>/i;
const openingStart = /^\s*(?:<[a-z]{0,8}>?)?$/i;
const closing = /<\/(?:think|thinking|thought)>\s*/i;
/** A closing tag that has a line to itself, as templates leave it; one in a sentence is talked about. */
const closingLine = /(?:^|\n)[ \t]*<\/(?:think|thinking|thought)>[ \t]*\n\s*/i;

/**
 * Makes a filter. Templates that begin the thought themselves leave `<think>` out of the answer: for models known to do so,
 * `mayLackOpening`, everything is held until the thought or the answer ends. A text that merely mentions the tags is kept whole.
 */
export function filterThoughts(mayLackOpening: boolean): ThoughtFilter {
	let state: "start" | "inside" | "spacing" | "text" = "start";
	let held = "";
	/** All of an answer that had no opening, to look for the end of a thought once it is known whole. */
	let seen = "";
	let hasOpening = false;
	let sawBareEnd = false;
	const afterClosing = (): string => {
		const match = (hasOpening ? closing : closingLine).exec(held);
		if (!match || (!hasOpening && isInCode(held, match.index))) {
			return "";
		}
		sawBareEnd ||= !hasOpening;
		const rest = held.slice(match.index + match[0].length);
		held = "";
		state = rest === "" ? "spacing" : "text";
		return rest;
	};
	return {
		push: piece => {
			if (state === "text") {
				seen += hasOpening ? "" : piece;
				return piece;
			}
			if (state === "spacing") {
				const rest = piece.trimStart();
				state = rest === "" ? "spacing" : "text";
				return rest;
			}
			held += piece;
			if (state === "start") {
				hasOpening = opening.test(held);
				if (!hasOpening && !mayLackOpening) {
					if (openingStart.test(held)) {
						return "";
					}
					state = "text";
					const text = held;
					held = "";
					seen = text;
					return text;
				}
				state = hasOpening ? "inside" : "start";
			}
			return afterClosing();
		},
		end: () => {
			const match = closingLine.exec(seen);
			sawBareEnd ||= match !== null && !isInCode(seen, match.index);
			return state === "start" ? held : "";
		},
		get sawBareEnd() {
			return sawBareEnd;
		},
	};
}

/** Whether a place of a text is inside a fenced block of code. */
function isInCode(text: string, place: number): boolean {
	return (text.slice(0, place).match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}
