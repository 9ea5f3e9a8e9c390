import { formatCount } from "../../../shared/locale.ts";
import * as l10n from "@vscode/l10n";
import { shortenChange } from "./changePrompt.ts";

/** How long a prompt is beside what the service takes, in Unicode code points. Interface §4.1, §8; docs/interface.md. */
export interface PromptLength {
	readonly characters: number;
	/** How many characters are too many; 0 when it fits. */
	readonly excess: number;
}

/** Ends of a sentence, with the quotation mark or bracket that may close it. */
const sentenceEnd = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/gu;

const lineEnd = /\n/g;

/** Measures a prompt against the most characters the service takes. */
export function measurePrompt(prompt: string, max: number): PromptLength {
	const characters = [...prompt].length;
	return { characters, excess: Math.max(0, characters - max) };
}

/** A prompt that was shortened, and where it ends. */
export interface ShortPrompt {
	readonly text: string;
	readonly end: "change" | "sentence" | "line" | "word" | "character";
}

/**
 * The beginning of a prompt, at most `max` code points long: of a change, its first whole hunks; of any other text, up to the last end of a sentence in its second half, or else of a
 * line, or else up to the last white space there, or else cut between two characters. Never ends inside a character. Undefined
 * for a prompt that fits.
 */
export function shortenPrompt(prompt: string, max: number): ShortPrompt | undefined {
	const text = prompt.trim();
	const head = [...text].slice(0, max).join("");
	if (head === text) {
		return undefined;
	}
	const change = shortenChange(text, max);
	if (change !== undefined) {
		return { text: change, end: "change" };
	}
	// Whether something ends exactly at the cut shows only in what comes after it.
	const lastOf = (ends: RegExp): number =>
		[...head.matchAll(ends)]
			.map(match => match.index + match[0].length)
			.findLast(end => end < head.length || /^\s/.test(text.slice(end))) ?? 0;
	const places = [
		["sentence", lastOf(sentenceEnd)],
		["line", lastOf(lineEnd)],
		["word", head.search(/\s\S*$/)],
	] as const;
	const [end, at] = places.find(([, place]) => place >= head.length / 2) ?? [
		"character",
		head.length,
	];
	return { text: head.slice(0, at).trimEnd(), end };
}

/** Message for a prompt that is too long: how long it is and by how much. */
export function tooLongMessage({ characters, excess }: PromptLength, max: number): string {
	return l10n.t(
		"The prompt has {0} characters, {1} over the service's limit of {2}.",
		formatCount(characters),
		formatCount(excess),
		formatCount(max),
	);
}

/** Marks at the beginning of a line of Markdown or a comment, which say nothing in a title. */
const lineMark = /^(?:[#>*+\-/;%\s]|<!--)+(?=\S)/;

const fenceLine = /\n[ \t]*(?:`{3}|~{3})/;
/** A fence and the comments at the beginning of its code. */
const fencedStart =
	/^\s*(?:`{3,}|~{3,})[^\n]*(?:\n(?:\s*(?:\/\/|#(?!include|\[)|--)[^\n]*\n|\s*\/\*[\s\S]*?\*\/)*|$)/;

/** A prompt in one line of at most `max` code points, for lists, titles and notifications. */
export function promptTitle(prompt: string, max = 60): string {
	// A fence and what is in it say less than the words before it; the fence itself, and comments in it, say nothing.
	const [words = ""] = `\n${prompt}`.split(fenceLine, 1);
	const title =
		words.trim() === "" ? prompt.replace(fencedStart, "").split(fenceLine, 1).join("") : words;
	return clippedTo(flat(title, max).replace(lineMark, ""), max);
}

/** A text in one line of at most `max` code points, its words as they came. */
export function oneLine(text: string, max: number): string {
	return clippedTo(flat(text, max), max);
}

function flat(text: string, max: number): string {
	return text
		.trimStart()
		.slice(0, max * 8)
		.replaceAll(/\s+/g, " ");
}

function clippedTo(text: string, max: number): string {
	const line = text.trim();
	const characters = [...line];
	return characters.length <= max
		? line
		: `${characters
				.slice(0, max - 1)
				.join("")
				.trimEnd()}…`;
}
