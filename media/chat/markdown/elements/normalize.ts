import { markHidden } from "../../../../src/common/hiddenText.ts";

/** Brings the line ends of a text to `\n`, and makes NUL visible (CommonMark 0.31.2 §2.3). */
function normalizeText(text: string): string {
	return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
}

/** What only the text to come tells about: half of a line's end or of a character, and the beginning of a run of hidden characters. */
const undecided = /[\r\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}]{1,32}$/u;

/** How much of the text before is looked at to tell whether a character is hidden, in UTF-16 code units. */
const contextLength = 16;

/** A text on its way onto the page: one kind of line ends, hidden characters shown by their codes and counted (threat T30). */
export class IncomingText {
	/** How many characters of what was taken are hidden. */
	hidden = 0;
	private context = "";
	private waiting = "";

	/** Adds a piece of the text, cut anywhere, and returns what can be shown of it. */
	take(text: string): string {
		const input = this.waiting + text;
		this.waiting = undecided.exec(input)?.[0] ?? "";
		return this.show(input.slice(0, input.length - this.waiting.length));
	}

	/** Returns what was kept back; nothing follows. */
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

/** A text that is known in full, as it is shown. */
export function asShown(text: string): string {
	return markHidden(normalizeText(text)).text;
}
