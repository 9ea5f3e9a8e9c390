import { readDiff } from "../../../clip/changeLines.ts";
import { formatCount } from "../../../shared/locale.ts";
import * as l10n from "@vscode/l10n";
import { findSecrets, maskKeyLines } from "../../../common/secretContent.ts";
import { secretRule } from "../../../paths/sensitivePaths.ts";

/** Length of a prompt compared with the limit, in Unicode code points. docs/interface.md §4.1, §8. */
interface PromptLength {
	readonly characters: number;
	/** The number of characters above the limit, or 0. */
	readonly excess: number;
}

/** The end of a sentence, including a closing quotation mark or bracket. */
const sentenceEnd = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/gu;

const lineEnd = /\n/g;

/** Measures a prompt against the service's limit. */
export function measurePrompt(prompt: string, max: number): PromptLength {
	const characters = [...prompt].length;
	return { characters, excess: Math.max(0, characters - max) };
}

/** A shortened prompt, and where it ends. */
interface ShortPrompt {
	readonly text: string;
	readonly end: "change" | "sentence" | "line" | "word" | "character";
}

/**
 * Shortens a prompt to at most `max` code points. Shortens a change to whole hunks. Cuts other text at the last end of a sentence in its second half,
 * otherwise at an end of a line, white space, or a character. Never splits a character. Returns undefined for a prompt that fits.
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
	// Whether the cut is exactly at an end depends on the text after it.
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

export function tooLongMessage({ characters, excess }: PromptLength, max: number): string {
	return l10n.t(
		"The prompt has {0} characters, {1} over the service's limit of {2}.",
		formatCount(characters),
		formatCount(excess),
		formatCount(max),
	);
}

/** Lines of a document, counted from 0, both inclusive. */
export interface ChangedLines {
	readonly startLine: number;
	readonly endLine: number;
}

const hunkHead = /^@@ -\d+(?:,\d+)? \+(?<start>\d+)(?:,(?<count>\d+))? @@/;

/**
 * Returns the prompt for a file's change: its name, and the hunks of its diff in a fenced block. With `range`, uses only the hunks that touch these
 * lines of the current file. Returns undefined if nothing is left.
 */
export function changePrompt(name: string, diff: string, range?: ChangedLines): string | undefined {
	const hunks = hunksOf(diff).filter(hunk => !range || touches(hunk, range));
	return hunks.length === 0 ? undefined : `${name}\n\`\`\`diff\n${hunks.join("\n")}\n\`\`\``;
}

/** Returns the first changed line of a change's prompt, in the file after it, counted from 0. */
export function changedLine(prompt: string): number {
	const lines = readDiff(prompt.replaceAll(/^```.*$/gm, ""))?.lines ?? [];
	const at = lines.findIndex(({ kind }) => kind === "added" || kind === "removed");
	// A removed line has the number of the next one that is left.
	const after = lines.slice(Math.max(0, at)).find(({ numbers }) => numbers?.after !== undefined);
	const before = lines[at]?.numbers?.before;
	return Math.max(0, (after?.numbers?.after ?? before ?? 1) - 1);
}

/** Returns why `changePrompt` has nothing to show. */
export function noChangeMessage(name: string, diff: string, range?: ChangedLines): string {
	if (diff !== "" && hunksOf(diff).length === 0) {
		return l10n.t("The change of {0} can't be shown: it has no text, or is too large.", name);
	}
	return range
		? l10n.t("The selected lines haven't changed since the last commit.")
		: l10n.t("{0} hasn't changed since the last commit.", name);
}

function hunksOf(diff: string): readonly string[] {
	return `\n${diff.trimEnd()}`
		.split(/\n(?=@@ )/)
		.slice(1)
		.map(hunk => hunk.replaceAll(/\r(?=\n|$)/g, ""));
}

/** A hunk that only removes lines is between two lines, and touches both. */
function touches(hunk: string, { startLine, endLine }: ChangedLines): boolean {
	const { start = "1", count = "1" } = hunkHead.exec(hunk)?.groups ?? {};
	const first = Number(start) - 1;
	const last = first + Math.max(Number(count), 1) - 1;
	return first <= endLine && startLine <= last + (count === "0" ? 1 : 0);
}

const fencedDiff = /^[^\n]*\n```diff\n[\s\S]*\n```$/;

/** Shortens a change's prompt to whole hunks of at most `max` code points; undefined for others, or if none fits. */
export function shortenChange(prompt: string, max: number): string | undefined {
	const end = "\n```";
	if (!fencedDiff.test(prompt)) {
		return undefined;
	}
	const head = [...prompt].slice(0, max).join("");
	// The next hunk's header starts with as many characters as the end of the block has.
	const cut = head.lastIndexOf("\n@@ ");
	return cut > head.indexOf("\n@@ ") ? `${head.slice(0, cut)}${end}` : undefined;
}

/** Returns why a change may contain a secret: the rule that matches a file name, or the kind of secret. Returns undefined if there is none. */
export function secretOf(names: readonly string[], prompt: string): string | undefined {
	const rule = names.map(secretRule).find(found => found !== undefined);
	const plain = prompt.replaceAll(/^[+\- ]/gm, "");
	const masked = maskKeyLines(prompt) === prompt ? undefined : "private key";
	return rule ?? findSecrets(plain)[0]?.kind ?? masked;
}
