import { markHidden } from "../../../../src/common/hiddenText.ts";

/** Converts line endings to line feeds, and replaces NUL (CommonMark 0.31.2 §2.3). */
function normalizeText(text: string): string {
	return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}

/** An incomplete end: part of a line ending or character, or the start of a run of invisible characters. */
const undecided = /[\r\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}]{1,32}$/u;

/** Length of the preceding text that determines whether a character is invisible, in UTF-16 code units. */
const contextLength = 16;

/** Prepares streamed text for display: normalizes line endings, and shows and counts invisible characters. */
export class IncomingText {
	/** The number of invisible characters so far. */
	hidden = 0;
	private context = "";
	private waiting = "";

	/** Adds a chunk of any size and returns the text that can be displayed. */
	take(text: string): string {
		const input = this.waiting + text;
		this.waiting = undecided.exec(input)?.[0] ?? "";
		return this.show(input.slice(0, input.length - this.waiting.length));
	}

	/** Returns the text held back, at the end. */
	end(): string {
		const rest = this.waiting;
		this.waiting = "";
		return this.show(rest);
	}

	private show(text: string): string {
		const shown = normalizeText(text);
		const marked = markHidden(shown, this.context);
		this.hidden += marked.count;
		this.context = (this.context + shown).slice(-contextLength);
		return marked.text;
	}
}

/** Prepares a complete text for display. */
export function asShown(text: string): string {
	return markHidden(normalizeText(text)).text;
}
