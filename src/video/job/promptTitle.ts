import { looksLikeCode, readMarkdown } from "../../common/plainMarkdown.ts";

/** The longest short name of a clip, in characters. */
const maxTitleCharacters = 40;

/** Markdown and comment markers at the start of a line, which are omitted from titles. */
const lineMark = /^(?:[#>*+\-•☐☑/;%\s]|<!--)+(?=\S)/;

const fenceLine = /\n[ \t]*(?:`{3}|~{3})/;
/** A fence and the comments at the start of its code. */
const fencedStart =
	/^\s*(?:`{3,}|~{3,})[^\n]*(?:\n(?:\s*(?:\/\/|#(?!include|\[)|--)[^\n]*\n|\s*\/\*[\s\S]*?\*\/)*|$)/;

/** Returns a prompt's name in one line of at most `max` code points: its heading, otherwise its first words. */
export function promptTitle(prompt: string, max = maxTitleCharacters): string {
	const text = wordsOf(prompt);
	const { title, body } = looksLikeCode(text) ? { title: "", body: "" } : readMarkdown(text);
	return start(title || body || text, max);
}

/** Returns the beginning of a prompt's text, with its heading, in one line of at most `max` code points. */
export function promptText(prompt: string, max: number): string {
	return start(wordsOf(prompt), max);
}

/** Returns the words before a fence, which describe more than code does. If there are none, the code without the comments at its start. */
function wordsOf(prompt: string): string {
	const [words = ""] = `\n${prompt}`.split(fenceLine, 1);
	const text =
		words.trim() === "" ? prompt.replace(fencedStart, "").split(fenceLine, 1).join("") : words;
	return text.trim();
}

const start = (text: string, max: number): string => oneLine(text.replace(lineMark, ""), max);

/** Returns a text in one line of at most `max` code points. A longer text ends after a word, if one ends in its second half. */
export function oneLine(text: string, max: number): string {
	const line = text
		.trimStart()
		.slice(0, max * 8)
		.replaceAll(/\s+/g, " ")
		.trim();
	const characters = [...line];
	if (characters.length <= max) {
		return line;
	}
	const head = characters.slice(0, max).join("");
	const end = head.lastIndexOf(" ");
	const whole = end >= head.length / 2 ? head.slice(0, end) : characters.slice(0, max - 1).join("");
	return `${whole.replace(/[\s,;:–—-]+$/u, "")}…`;
}
