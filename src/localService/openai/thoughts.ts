/** Takes thoughts between `<think>` and `</think>` out of the beginning of an answer. */
export interface ThoughtFilter {
	/** The text of a piece that is part of the answer. */
	push(piece: string): string;
	/** What was held back and proved to be no thought, or one that was never closed. */
	end(): string;
}

const opening = /^\s*<(think|thinking|thought)>/i;
const openingStart = /^\s*(?:<[a-z]{0,8}>?)?$/i;
const closing = /<\/(?:think|thinking|thought)>\s*/i;
const longestClosing = "</thinking>".length;

/**
 * Makes a filter. Only a thought that an answer begins with is taken out: a closing tag alone may as well be quoted, so an answer
 * whose template left out the opening tag is shown as it came.
 */
export function filterThoughts(): ThoughtFilter {
	let state: "start" | "inside" | "spacing" | "text" = "start";
	let held = "";
	const start = (): string => {
		if (opening.test(held)) {
			state = "inside";
			return afterClosing(held.length);
		}
		return openingStart.test(held) ? "" : release();
	};
	const release = (): string => {
		const text = held;
		held = "";
		state = "text";
		return text;
	};
	/** Looks only where the last piece, so many characters long, can have ended a tag. */
	const afterClosing = (length: number): string => {
		const match = closing.exec(held.slice(-(length + longestClosing)));
		if (!match) {
			return "";
		}
		held = match.input.slice(match.index + match[0].length);
		if (held === "") {
			state = "spacing";
			return "";
		}
		return release();
	};
	return {
		push: piece => {
			if (state === "text") {
				return piece;
			}
			if (state === "spacing") {
				const rest = piece.trimStart();
				state = rest === "" ? "spacing" : "text";
				return rest;
			}
			held += piece;
			return state === "start" ? start() : afterClosing(piece.length);
		},
		end: () => release(),
	};
}
