/** Takes thoughts between `<think>` and `</think>` out of the beginning of an answer. */
export interface ThoughtFilter {
	/** The text of a piece that is part of the answer. */
	push(piece: string): string;
	/** What was held back and proved to be no thought. */
	end(): string;
	/** A thought ended that had never been opened. */
	readonly sawBareEnd: boolean;
}

const opening = /^\s*<(think|thinking|thought)>/i;
const openingStart = /^\s*(?:<[a-z]{0,8}>?)?$/i;
const closing = /<\/(?:think|thinking|thought)>\s*/i;

/**
 * Makes a filter. Templates that begin the thought themselves leave `<think>` out of the answer: for models known to do so,
 * `mayLackOpening`, everything is held until the thought or the answer ends.
 */
export function filterThoughts(mayLackOpening: boolean): ThoughtFilter {
	let state: "start" | "inside" | "spacing" | "text" = "start";
	let held = "";
	let hasOpening = false;
	let sawBareEnd = false;
	const afterClosing = (): string => {
		const match = closing.exec(held);
		if (!match) {
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
				sawBareEnd ||= !hasOpening && closing.test(piece);
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
					sawBareEnd = closing.test(text);
					return text;
				}
				state = hasOpening ? "inside" : "start";
			}
			return afterClosing();
		},
		end: () => (state === "start" ? held : ""),
		get sawBareEnd() {
			return sawBareEnd;
		},
	};
}
