import { findSecrets, maskKeyLines } from "../../../common/secretContent.ts";
import { secretRule } from "../../../paths/sensitivePaths.ts";

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

/**
 * Shortens a change's prompt to at most `max` code points of whole hunks. Returns undefined for any other prompt, and if not even the first hunk
 * fits.
 */
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
