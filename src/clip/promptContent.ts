import { plainLooks } from "../common/clipLooks.ts";
import { looksLikeCode } from "../common/plainMarkdown.ts";
import { parseJson } from "../common/json.ts";
import { readTerminal, type TerminalLine } from "./terminalLines.ts";
import { expandTabs } from "./columns.ts";
import { type ChangeLine, compareCode, looksLikeDiff, readDiff } from "./changeLines.ts";

export type PromptContent =
	| { readonly type: "prose"; readonly text: string }
	| {
			readonly type: "code";
			readonly code: string;
			/** Language named by the fence or guessed from the text. */
			readonly language: string | undefined;
			/** The fence's `title="…"`, or the text before the code; may be empty. */
			readonly caption: string;
			/** Line number of the first line in its file, from the fence's `line=…`; absent if unknown. */
			readonly firstLine?: number;
			/** Highlighted lines from the fence's `{3-5,9}`, counted from 1; absent without one. */
			readonly lit?: readonly number[];
			/** Output of the code, from a further fence; absent without one. */
			readonly output?: string;
	  }
	| {
			readonly type: "terminal";
			readonly lines: readonly TerminalLine[];
			/** As for code. */
			readonly caption: string;
	  }
	| {
			readonly type: "change";
			/** The changes in sequence, each with all its lines; at least one. */
			readonly steps: readonly (readonly ChangeLine[])[];
			readonly language: string | undefined;
			/** As for code, or the file names. */
			readonly caption: string;
	  };

const proseLanguages = new Set(["markdown", "csv"]);

const fencePattern =
	/(?:^|\n)(?<fence>`{3,}(?!`)|~{3,}(?!~))[ \t]*(?<language>[\w+#.-]*)(?<meta>[^\n]*)\n(?<code>[\s\S]*?)(?:\n\k<fence>|$)/;

interface PromptFence {
	readonly whole: string;
	readonly language: string;
	readonly meta: string;
	readonly code: string;
	/** Its `title`, or the text before it. */
	readonly caption: string;
}

function fencesOf(text: string): readonly PromptFence[] {
	return [...text.matchAll(new RegExp(fencePattern, "g"))].map(match => {
		const { language = "", meta = "", code = "" } = match.groups ?? {};
		const title = /\btitle=(?:"(?<quoted>[^"]*)"|(?<bare>\S+))/.exec(meta)?.groups;
		const caption = title?.["quoted"] ?? title?.["bare"] ?? text.slice(0, match.index).trim();
		return { whole: match[0], language: language.toLowerCase(), meta, code, caption };
	});
}

const charactersOf = (texts: readonly string[]): number =>
	texts.reduce((sum, text) => sum + text.length, 0);

/** Whether the code in these fences is longer than the text besides them. */
function isMostly(text: string, fences: readonly PromptFence[]): boolean {
	const said = text.trim().length - charactersOf(fences.map(({ whole }) => whole));
	return charactersOf(fences.map(({ code }) => code)) > said;
}

/**
 * Distinguishes code from prose and replaces tabs in code by spaces. Checks first for a diff or several versions of code, then for a fenced block
 * that is most of the prompt, possibly followed by its output, then for patterns of a language, and last for the shape of the lines. The language of
 * a fence is taken as named.
 */
export function readPrompt(prompt: string, tabSize = plainLooks.tabSize): PromptContent {
	const written = prompt.replaceAll(/\r+\n/g, "\n");
	const text = lineFeeds(written);
	const fences = fencesOf(text);
	// A program returns to the start of a line to print it once more.
	const printed = fencesOf(written);
	const printedOf = (index: number): string =>
		lineFeeds(printed[index]?.whole ?? "") === fences[index]?.whole
			? (printed[index]?.code ?? "")
			: (fences[index]?.code ?? "");
	const change = readChange(text, fences, tabSize);
	if (change) {
		return change;
	}
	const [fence, second, ...more] = fences;
	const isRun =
		second !== undefined &&
		more.length === 0 &&
		outputLanguages.has(second.language) &&
		!outputLanguages.has(fence?.language ?? "");
	if (fence && isMostly(text, isRun ? fences : [fence])) {
		const language = fence.language || guessCodeLanguage(fence.code);
		const code = trimCode(fence.code, tabSize);
		const session = trimCode(printedOf(0), tabSize);
		const terminal = readTerminal(session, fence.language) ?? readTerminal(session, language ?? "");
		const { caption } = fence;
		if (terminal) {
			return { type: "terminal", lines: terminal, caption };
		}
		const lit = litLines(fence.meta, fence.code);
		const firstLine = /\bline=(\d{1,7})\b/.exec(fence.meta)?.[1];
		return {
			type: "code",
			code,
			language,
			caption,
			...(firstLine !== undefined && { firstLine: Number(firstLine) }),
			...(lit.length > 0 && { lit }),
			...(isRun && { output: trimCode(printedOf(1), tabSize) }),
		};
	}
	const language = looksLikeMarkup(text) ? "html" : guessCodeLanguage(text);
	const isCode = language === undefined ? looksLikeCode(text) : !proseLanguages.has(language);
	return isCode && text.trim() !== ""
		? { type: "code", code: trimCode(text, tabSize), language, caption: "" }
		: { type: "prose", text };
}

/** Returns a text in which each carriage return is a line break. */
const lineFeeds = (text: string): string => text.replaceAll("\r", "\n");

const diffLanguages = new Set(["diff", "patch"]);

/** Fence languages of program output. */
const outputLanguages = new Set([
	"text",
	"txt",
	"output",
	"out",
	"plaintext",
	"stdout",
	"log",
	"console",
]);

/** Languages of which one is a version of the other. */
const scriptLanguages = new Set([
	"javascript",
	"typescript",
	"jsx",
	"tsx",
	"js",
	"ts",
	"mjs",
	"mts",
]);
const familyOf = ({ language }: PromptFence): string =>
	scriptLanguages.has(language) ? "typescript" : language;

/** Reads a diff, fenced or not, or several fenced versions in one language or a related one that are most of the prompt. */
function readChange(
	text: string,
	fences: readonly PromptFence[],
	tabSize: number,
): PromptContent | undefined {
	const [first, second] = fences;
	const isMost = first !== undefined && isMostly(text, fences);
	const areVersions = fences.every(fence => familyOf(fence) === familyOf(fences[0] ?? fence));
	if (isMost && second && areVersions && !diffLanguages.has(first.language)) {
		const steps = fences.slice(1).flatMap(({ code }, index) => {
			const step = compareCode(fences[index]?.code ?? "", code, tabSize);
			return step ? [step.lines] : [];
		});
		const language = fences.at(-1)?.language || guessCodeLanguage(second.code);
		return steps.length === 0
			? undefined
			: { type: "change", steps, language, caption: first.caption };
	}
	const isFenced = isMost && !second && diffLanguages.has(first.language);
	const change =
		isFenced || looksLikeDiff(text) ? readDiff(isFenced ? first.code : text, tabSize) : undefined;
	if (!change) {
		return undefined;
	}
	const after = change.lines.filter(({ kind }) => kind === "same" || kind === "added");
	const words = isFenced ? first.caption : "";
	const language =
		languageOfFile(change.files[0] ?? words) ??
		guessCodeLanguage(after.map(line => line.text).join("\n"));
	return {
		type: "change",
		steps: [change.lines],
		language,
		caption: words || change.files.join(", "),
	};
}

/** File extensions that differ from the language's name. */
const languagesOfEndings: Readonly<Record<string, string>> = {
	hs: "haskell",
	mk: "make",
	pl: "perl",
	py: "python",
	rb: "ruby",
	yml: "yaml",
};

function languageOfFile(name: string): string | undefined {
	const ending = /^\S*\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
	return ending === undefined ? undefined : (languagesOfEndings[ending] ?? ending);
}

/** Fields of a type look like CSS rules if the selection starts or ends among them. */
function guessCodeLanguage(text: string): string | undefined {
	const language = guessLanguage(text);
	const isTypes =
		language === "css" && /^\s*(?:export |import |interface |const |function )/m.test(text);
	return isTypes ? "typescript" : language;
}

/** Whether most lines are tags, and one of them closes an element. */
function looksLikeMarkup(text: string): boolean {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	const tags = lines.filter(line => /^\s*<[/!a-z].*>\s*$/i.test(line));
	return tags.length / lines.length > 0.6 && /<\/[\w-]+>|\/>/.test(text);
}

const emptyStart = /^(?:[ \t]*\n)+/;

/** Returns the line numbers in a fence's `{3-5,9}`, counted from the first nonempty line. */
function litLines(meta: string, code: string): readonly number[] {
	const ranges = /\{([\d\s,-]+)\}/.exec(meta)?.[1]?.split(",") ?? [];
	const dropped = (emptyStart.exec(code)?.[0].split("\n").length ?? 1) - 1;
	const count = code.trimEnd().split("\n").length - dropped;
	const spans = ranges.map(range => {
		const [first = 0, last = first] = range.split("-").map(part => Number.parseInt(part, 10));
		return { first: first - dropped, last: last - dropped };
	});
	return Array.from({ length: count }, (_, index) => index + 1).filter(line =>
		spans.some(({ first, last }) => first <= line && line <= last),
	);
}

/** Removes surrounding empty lines and the common indentation. */
function trimCode(code: string, tabSize: number): string {
	const kept = code.replace(emptyStart, "").trimEnd();
	const lines = kept.split("\n").map(line => expandTabs(line, tabSize));
	const indents = lines
		.filter(line => line.trim() !== "")
		.map(line => line.length - line.trimStart().length);
	const shared = Math.min(...indents);
	return lines.map(line => line.slice(Number.isFinite(shared) ? shared : 0)).join("\n");
}

/** Patterns that indicate a language, each worth a point. Prose matches none. */
const signs: Readonly<Record<string, readonly RegExp[]>> = {
	html: [/<!doctype html/i, /<\/(?:html|body|div|p|head|span)>/i, /<(?:div|p|a|head|body)[\s>]/i],
	css: [/^[.#]?[\w-]+[^{};()=]*\{\s*$/m, /^\s*[\w-]+\s*:\s*[^;{}]+;\s*$/m],
	typescript: [
		/^\s*(?:export\s+)?(?:interface|type|enum)\s+\w+/m,
		/[\w)\]]\??:\s*(?:string|number|boolean|unknown|void|readonly)\b/,
		/\bimport\s+(?:type\s+)?[\w{*][^;]*\bfrom\s+["']/,
	],
	javascript: [
		/\b(?:const|let|var)\s+[\w{[]/,
		/=>|\bfunction\b\s*\w*\(/,
		/\brequire\(|\bmodule\.exports\b|\bconsole\.\w+\(/,
	],
	python: [
		/^\s*(?:async\s+)?def\s+\w+\(.*\).*:\s*(?:#.*)?$/m,
		/^\s*(?:from\s+[\w.]+\s+)?import\s+[\w.*]+(?:\s+as\s+\w+)?\s*$/m,
		/^\s*(?:if|elif|for|while|class|with|try|else|except)\b.*:\s*$/m,
	],
	rust: [/\bfn\s+\w+\s*[(<]/, /\blet\s+(?:mut\s+)?\w+/, /\b(?:impl|pub|match|println!)\b/],
	go: [/^package\s+\w+/m, /\bfunc\s+(?:\([^)]*\)\s*)?\w+\(/, /:=/],
	java: [/\bpublic\s+(?:final\s+|static\s+)*(?:class|interface|enum|void)\b/, /\bSystem\.out\./],
	csharp: [
		/^using\s+[\w.]+;/m,
		/\bnamespace\s+[\w.]+/,
		/\bConsole\.Write/,
		/\bstatic\s+(?:async\s+)?\w+\s+\w+\(/,
	],
	cpp: [/^\s*#include\s*<\w+>/m, /\bstd::\w+/, /\b(?:template|constexpr|auto)\b/],
	c: [/^\s*#include\s*<\w+\.h>/m, /\bint\s+main\s*\(/, /\bprintf\(/],
	sql: [/\bselect\b[\s\S]+\bfrom\b/i, /\b(?:insert\s+into|create\s+table|where|order\s+by)\b/i],
	bash: [/^#!.*\b(?:ba|z)?sh\b/m, /^\s*(?:fi|done|esac)\s*$/m, /\$\{\w+|\becho\s+["$]/],
	yaml: [/^---\s*$/m, /^[\w-]+:\s*$/m, /^\s+-\s+\w+/m],
	markdown: [/^#{1,6}\s+\S/m, /^\s*(?:[-*]|\d+\.)\s+\S/m, /^```/m, /\[[^\]]+\]\([^)]+\)/],
	csv: [/^(?:[^,\n]+,){2,}[^,\n]*\n(?:[^,\n]*,){2,}[^,\n]*$/m],
};

/** Patterns that indicate TypeScript on their own. It shares the others with JavaScript. */
const typeSigns = signs["typescript"]?.slice(0, 2) ?? [];

/** Only the start of a text is examined, because some patterns take quadratic time. */
const sampleLength = 4_000;

/** Blank lines, which several patterns would scan repeatedly. */
const blankLines = /\n(?:[^\S\n]{0,200}\n){2,}/g;

/** Returns a text's most likely language, or undefined for prose. */
export function guessLanguage(text: string): string | undefined {
	if (isJson(text)) {
		return "json";
	}
	const sample = text.replaceAll(blankLines, "\n\n").slice(0, sampleLength);
	const best = bestGuess(sample);
	const hasTypes = typeSigns.some(pattern => pattern.test(sample));
	return best === "javascript" && hasTypes ? "typescript" : best;
}

/** A single match may be accidental, unless the language has only one pattern. */
function bestGuess(sample: string): string | undefined {
	let best: string | undefined;
	let bestScore = 0;
	for (const [language, patterns] of Object.entries(signs)) {
		const hits = patterns.filter(pattern => pattern.test(sample)).length;
		const isEnough = hits >= 2 || (hits === 1 && patterns.length === 1);
		// Adds a share, so that languages with many patterns have no advantage.
		const score = hits + hits / patterns.length;
		if (isEnough && score > bestScore) {
			best = language;
			bestScore = score;
		}
	}
	return best;
}

function isJson(text: string): boolean {
	return /^\s*[{[]/.test(text) && parseJson(text) !== undefined;
}

/** A motion of the local renderer. docs/interface.md. */
export type ClipMotion = "calm" | "focus" | "change" | "typed";

/** A motion with the strength that selects it, and others with the same effect. */
export interface MotionChoice {
	readonly motion: ClipMotion;
	readonly strength: number;
	readonly others: readonly number[];
}

/** The motion strengths at which a clip focuses on the lines its fence names, and at which it is typed. docs/interface.md. */
export const focusStrength = 3;
export const typedStrength = 5;

const typed: MotionChoice = { motion: "typed", strength: typedStrength, others: [] };

/** Returns the local renderer's motions for a text, calmest first; none if there is only one. docs/interface.md. */
export function motionsFor(prompt: string): readonly MotionChoice[] {
	const content = readPrompt(prompt);
	const calm = (...others: number[]): MotionChoice => ({ motion: "calm", strength: 2, others });
	switch (content.type) {
		case "prose":
			return [calm(1, 3, 4), typed];
		case "terminal":
			return [];
		case "change":
			return [calm(1), { motion: "change", strength: 4, others: [3] }, typed];
		case "code":
			return content.lit
				? [calm(1, 4), { motion: "focus", strength: focusStrength, others: [] }, typed]
				: [calm(1, 3, 4), typed];
	}
}

/** Returns the motion of a strength; undefined if the text has only one. */
export function motionOf(prompt: string, wanted: number): ClipMotion | undefined {
	return motionsFor(prompt).find(
		({ strength, others }) => strength === wanted || others.includes(wanted),
	)?.motion;
}
