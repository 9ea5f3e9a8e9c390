import type {
	TextAttachment,
	TurnAttachment,
} from "../../attachments/attachment/turnAttachment.ts";
import { revealInLine } from "../../common/hiddenText.ts";

/** The shortest fence. Code blocks of the question itself, which may be run or rendered, have three backticks. */
const minFenceLength = 4;

/** Returns a question as it is sent: its text, then each attached text in a fence that the text can't close, under a heading with its location. */
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
	// The name comes from disk and must not look like the user's text.
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
