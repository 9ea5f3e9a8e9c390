import { findSecrets, maskKeyLines } from "../../../common/secretContent.ts";
import { secretRule } from "../../../paths/sensitivePaths.ts";

/** Lines of a document, counted from 0; both are in it. */
export interface ChangedLines {
	readonly startLine: number;
	readonly endLine: number;
}

const hunkHead = /^@@ -\d+(?:,\d+)? \+(?<start>\d+)(?:,(?<count>\d+))? @@/;

/**
 * The prompt for a file's change: its name, and the hunks of its diff as a fenced block. With `range`, only the hunks that touch
 * these lines of the file as it is now. Undefined when nothing is left.
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

/** A hunk that only removes has its place between two lines, and touches both. */
function touches(hunk: string, { startLine, endLine }: ChangedLines): boolean {
	const { start = "1", count = "1" } = hunkHead.exec(hunk)?.groups ?? {};
	const first = Number(start) - 1;
	const last = first + Math.max(Number(count), 1) - 1;
	return first <= endLine && startLine <= last + (count === "0" ? 1 : 0);
}

const fencedDiff = /^[^\n]*\n```diff\n[\s\S]*\n```$/;

/**
 * The beginning of a change's prompt, at most `max` code points long, that ends with a whole hunk. Undefined for any other prompt,
 * and where not even the first hunk fits.
 */
export function shortenChange(prompt: string, max: number): string | undefined {
	const end = "\n```";
	if (!fencedDiff.test(prompt)) {
		return undefined;
	}
	const head = [...prompt].slice(0, max).join("");
	// The next hunk's first signs are as many as the block's end.
	const cut = head.lastIndexOf("\n@@ ");
	return cut > head.indexOf("\n@@ ") ? `${head.slice(0, cut)}${end}` : undefined;
}

/**
 * Why a change may hold a secret: the rule that one of its file's names meets, or the kind of secret it shows. Undefined when
 * neither is so.
 */
export function secretOf(names: readonly string[], prompt: string): string | undefined {
	const rule = names.map(secretRule).find(found => found !== undefined);
	const plain = prompt.replaceAll(/^[+\- ]/gm, "");
	const masked = maskKeyLines(prompt) === prompt ? undefined : "private key";
	return rule ?? findSecrets(plain)[0]?.kind ?? masked;
}
