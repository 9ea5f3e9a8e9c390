import type {
	TextAttachment,
	TurnAttachment,
} from "../../attachments/attachment/turnAttachment.ts";
import { revealInLine } from "../../common/hiddenText.ts";

/** No fence is shorter: what is run or rendered as a code block of the question itself has three. */
const minFenceLength = 4;

/**
 * A question as the service reads it: its words, then every text that was attached, each in a fence that nothing in the
 * text can close, headed by where it is from.
 */
export function questionContent(prompt: string, attachments: readonly TurnAttachment[]): string {
	const texts = attachments.filter(each => each.kind === "text");
	return [prompt, ...texts.map(fencedText)].join("\n\n");
}

function fencedText(attachment: TextAttachment): string {
	const { text, language = "", omittedCharacters } = attachment;
	const fence = fenceFor(text);
	const end = text === "" || text.endsWith("\n") ? "" : "\n";
	return [
		`Attached: ${headOf(attachment)}`,
		`${fence}${language}${language === "" ? "" : " "}attached\n${text}${end}${fence}`,
		...(omittedCharacters > 0 ? [cutNote(text.length, omittedCharacters)] : []),
	].join("\n");
}

function headOf({ name, path, lines }: TextAttachment): string {
	// A name comes from the disk and must not look like words of the user.
	const place = revealInLine(path === "" ? name : path);
	if (lines === undefined) {
		return place;
	}
	return lines.first === lines.last
		? `${place}, line ${lines.first}`
		: `${place}, lines ${lines.first}–${lines.last}`;
}

function cutNote(shown: number, omitted: number): string {
	return `[Cut: the first ${shown} characters are shown, about ${omitted} more are left out.]`;
}

function fenceFor(text: string): string {
	const runs = text.match(/`+/g) ?? [];
	const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
	return "`".repeat(Math.max(minFenceLength, longest + 1));
}
