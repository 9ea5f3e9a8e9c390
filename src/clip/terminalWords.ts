import type { TerminalColor } from "./codeToken.ts";
import type { PrintedPiece } from "./printedText.ts";

/** A line of a session, split into its prompt with the space behind it, and the command. */
export interface PromptedLine {
	readonly prompt: string;
	readonly text: string;
}

const name = String.raw`[\w.-]+@[\w.-]+`;
const folder = String.raw`(?:~|\.{0,2}/|[A-Z]:[\\/])[^\s>$%#]*`;
/** Signs that end a prompt. Vite prints an arrow before the names of addresses. */
const signs = String.raw`(?:[$%#❯λ»▶›⟩]|➜(?!\s+\S+:(?:\s|$)))`;

/** Prompts of shells and of programs that read commands, each with the space before the command. */
const prompts: readonly string[] = [
	// oh-my-zsh: an arrow, a folder, and a branch.
	String.raw`➜  [^\s:]+(?: git:\([^)\n]*\))?(?: ✗)?`,
	// A folder or a user, what git tells, and a sign.
	String.raw`(?:${name}|\[[^\]\n]*\])(?:[ :]\S*)?(?: \S+){0,3}? ?${signs}`,
	String.raw`${folder}(?: \S+){0,4}? ?${signs}`,
	String.raw`(?:${name}[ :])?${folder}>`,
	// The second line of a prompt.
	String.raw`[╰└]─*(?:${signs}|>)?`,
	String.raw`(?:ba|da|k|z)?sh-[\d.]+[$#]`,
	String.raw`(?:mysql|sqlite|redis|mongo\w*|\w+=[#>]|irb\([^)\n]*\):\d+(?::\d+)?>|>>)>?`,
	signs,
];
const prompt = new RegExp(
	String.raw`^(?<prompt>(?:\([\w.-]+\) )?(?:(?:${prompts.join("|")})(?: +|$)|PS(?: [^>\n]*)?> ?|[A-Z]:\\[^>\n]*> ?))(?<text>\S.*|)$`,
	"u",
);

/** Signs that begin comments, headings or lists of scripts as well. */
const vague = /^[#%>»▶›] +$/;

/** Splits a line without color sequences. Returns undefined for output, which may begin with a vague sign where `isSure` prompts are known. */
export function readPromptLine(line: string, isSure = false): PromptedLine | undefined {
	const { prompt: before, text } = prompt.exec(line)?.groups ?? {};
	if (before === undefined || text === undefined || (isSure && vague.test(before))) {
		return undefined;
	}
	// A session's last prompt may have lost its space.
	return { prompt: before.endsWith(" ") || before.endsWith(">") ? before : `${before} `, text };
}

/** Whether a line is a command behind a prompt that can't be part of a script. */
export function isCertainPrompt(line: string): boolean {
	const found = readPromptLine(line);
	return found !== undefined && found.text !== "" && !vague.test(found.prompt);
}

const bareSign = new RegExp(String.raw`^(?:[╰└]─*)?(?:${signs}|>)? *$`, "u");
/** Signs of shells that often have a line above. The others end prompts of one line as well, below any output. */
const isOfTwoLines = /[❯➜λ»▶›⟩╰└]/u;
const heading = new RegExp(String.raw`^(?:[╭┌]|${name}(?:\s|$))`, "u");
const otherHeading = new RegExp(String.raw`^(?:${folder}(?:\s|$)|[\w.-]+ (?:on|in|via)\s+\S)`, "u");

/** Whether a line is the first of a prompt of two, whose second one has only a sign before the command. */
export function isPromptHead(line: string, isColored: boolean, next: string | undefined): boolean {
	const below = next === undefined ? undefined : readPromptLine(next, true);
	if (below === undefined || !bareSign.test(below.prompt)) {
		return false;
	}
	const isOther = otherHeading.test(line) || (isColored && /^[\p{L}~/.[(]/u.test(line));
	return heading.test(line) || (isOther && isOfTwoLines.test(below.prompt));
}

/** A part of a prompt, and its color as in the shells that have it. */
interface PromptPiece {
	readonly text: string;
	readonly color: TerminalColor;
}

const parts = new RegExp(
	String.raw`(?<sign>[❯➜λ»▶])|(?<branch>(?<=git:\()[^)]*|(?<=on )\S+)|(?<git>git:\(|(?<=git:\([^)]*)\))|(?<folder>${folder}|(?<=➜  )\S+)|(?<other>.)`,
	"gsu",
);
const partColors: Readonly<Record<string, TerminalColor>> = {
	sign: "green",
	branch: "magenta",
	git: "blue",
	folder: "cyan",
	other: "dim",
};

/** Returns a prompt without colors of its own in pieces. */
export function promptPieces(text: string): readonly PromptPiece[] {
	const pieces: { text: string; readonly color: TerminalColor }[] = [];
	for (const { 0: part, groups = {} } of text.matchAll(parts)) {
		const kind = Object.keys(partColors).find(kind => groups[kind] !== undefined) ?? "other";
		const color = partColors[kind] ?? "dim";
		const last = pieces.at(-1);
		if (last?.color === color) {
			last.text += part;
		} else {
			pieces.push({ text: part, color });
		}
	}
	return pieces;
}

type Rule = readonly [pattern: string, color: TerminalColor];

const number = String.raw`(?<![\w.-])[\d,]+`;

/** Words and signs of programs that print without colors, in the order in which they are tried. */
const rules: readonly Rule[] = [
	// Short status of git, and signs of a summary of changes.
	[String.raw`(?<=^ ?)(?:[MRT]{1,2}|UU) (?=\S)`, "yellow"],
	[String.raw`(?<=^)A[ M] (?=\S)`, "green"],
	[String.raw`(?<=^ ?)(?:\?\?|D{1,2}) (?=\S)`, "red"],
	[String.raw`(?<=^\s*)(?:[✓✔√]|PASS(?:ED)?\b|ok\b)|[✓✔]|\bPASSED\b`, "green"],
	[
		String.raw`(?<=^\s*)(?:[✗✘×✖]|(?:[A-Za-z]*Error|error|fatal)\b:?)|[✗✘✖]|\bFAIL(?:ED|URE)?\b`,
		"red",
	],
	[String.raw`⚠|(?<=^\s*)(?:[Ww]arn(?:ing)?\b:?|WARN(?:ING)?\b:?)`, "yellow"],
	[String.raw`(?<=^\s*)[❯➜→](?= )`, "cyan"],
	[String.raw`(?<=^)[-+] (?=\S)`, "dim"],
	[String.raw`${number} (?:pass(?:ed|ing)?|succeeded|insertions?\(\+\))(?!\w)`, "green"],
	[
		String.raw`(?<![\w.-])[1-9][\d,]* (?:fail(?:ed|ing|ures?)?|errors?|deletions?\(-\))(?!\w)`,
		"red",
	],
	[
		String.raw`(?<![\w.-])[1-9][\d,]* (?:warnings?|skipped|pending|todo|vulnerabilities)(?!\w)`,
		"yellow",
	],
	[String.raw`https?:\/\/[^\s)>\]]+`, "blue"],
	[String.raw`(?<![\w@/.-])(?:~|\.{1,2})?\/?(?:[\w@.+-]+\/)+[\w@.+-]*(?::\d+(?::\d+)?)?`, "cyan"],
	[
		String.raw`(?<![\w/.-])[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|[ch]|json|ya?ml|toml|md|html|s?css|sh|sql)(?::\d+(?::\d+)?)?(?![\w/])`,
		"cyan",
	],
	[String.raw`(?<=\s)--?[a-zA-Z][\w-]*`, "cyan"],
	[String.raw`\(?(?<![\w.])\d+(?:\.\d+)? ?(?:ms|s)\b\)?`, "dim"],
];
const anyRule = new RegExp(rules.map(([pattern]) => `(${pattern})`).join("|"), "gu");
/** A longer line is left as it is. */
const maxColored = 1000;

/** Splits a line of output that has no colors of its own: results, counts, paths, options and durations have one. */
export function colorOutput(text: string): readonly PrintedPiece[] {
	const pieces: PrintedPiece[] = [];
	let end = 0;
	const found = text.length > maxColored ? [] : text.matchAll(anyRule);
	for (const match of found) {
		const [part] = match;
		const color = rules[match.slice(1).findIndex(group => group !== undefined)]?.[1];
		pieces.push(...(match.index > end ? [{ text: text.slice(end, match.index) }] : []));
		pieces.push({ text: part, color });
		end = match.index + part.length;
	}
	return end === 0 || end < text.length ? [...pieces, { text: text.slice(end) }] : pieces;
}
