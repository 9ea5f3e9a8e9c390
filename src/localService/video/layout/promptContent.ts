import { plainLooks } from "../../../common/clipLooks.ts";
import { looksLikeCode } from "../../../common/plainMarkdown.ts";
import { guessLanguage } from "../../base/index.ts";
import { readTerminal, type TerminalLine } from "./terminalLines.ts";
import { expandTabs } from "./columns.ts";
import { type ChangeLine, compareCode, looksLikeDiff, readDiff } from "./changeLines.ts";

/** The kind of a prompt, as far as drawing it goes. */
export type PromptContent =
	| { readonly type: "prose"; readonly text: string }
	| {
			readonly type: "code";
			readonly code: string;
			/** As a fence names it or the text gives away; for the title and the colors. */
			readonly language: string | undefined;
			/** The words before the code; may be empty. */
			readonly caption: string;
			/** Numbers of the lines, from 1, that the fence's `{3-5,9}` lights; absent without one. */
			readonly lit?: readonly number[];
	  }
	| {
			readonly type: "terminal";
			readonly lines: readonly TerminalLine[];
			/** The words before the session; may be empty. */
			readonly caption: string;
	  }
	| {
			readonly type: "change";
			readonly lines: readonly ChangeLine[];
			readonly language: string | undefined;
			/** The words before the change, or the names of its files; may be empty. */
			readonly caption: string;
	  };

/** Read as prose: what a user would read as a text, marks and all. */
const proseLanguages = new Set(["markdown", "csv"]);

const fencePattern =
	/(?:^|\n)(?<fence>`{3,}|~{3,})[ \t]*(?<language>[\w+#.-]*)(?<meta>[^\n]*)\n(?<code>[\s\S]*?)(?:\n\k<fence>|$)/;

/** Tells code from prose, with tabs as blanks in code: a diff or two versions of a code first, then a fenced block that is most of the prompt, then the signs of a language, then what the lines look like. */
export function readPrompt(prompt: string, tabSize = plainLooks.tabSize): PromptContent {
	const text = prompt.replaceAll(/\r\n?/g, "\n");
	const change = readChange(text, tabSize);
	if (change) {
		return change;
	}
	const fenced = fencePattern.exec(text);
	const { code = "", meta = "" } = fenced?.groups ?? {};
	const said = text.trim().length - (fenced?.[0].trim().length ?? 0);
	if (fenced && code.trim().length > said) {
		const language = fenced.groups?.["language"]?.toLowerCase() || guessCodeLanguage(code);
		const caption = text.slice(0, fenced.index).trim();
		const terminal = readTerminal(trimCode(code, tabSize), language ?? "");
		if (terminal) {
			return { type: "terminal", lines: terminal, caption };
		}
		const lit = litLines(meta, code);
		return {
			type: "code",
			code: trimCode(code, tabSize),
			language,
			caption,
			...(lit.length > 0 && { lit }),
		};
	}
	const language = looksLikeMarkup(text) ? "html" : guessCodeLanguage(text);
	const isCode = language === undefined ? looksLikeCode(text) : !proseLanguages.has(language);
	return isCode && text.trim() !== ""
		? { type: "code", code: trimCode(text, tabSize), language, caption: "" }
		: { type: "prose", text };
}

const diffLanguages = new Set(["diff", "patch"]);

/** A diff, fenced or not, or two fenced blocks of one language that are most of the prompt: before and after. */
function readChange(text: string, tabSize: number): PromptContent | undefined {
	const fences = [...text.matchAll(new RegExp(fencePattern, "g"))];
	const [first, second, ...more] = fences.map(match => ({
		caption: text.slice(0, match.index).trim(),
		language: match.groups?.["language"]?.toLowerCase() ?? "",
		code: match.groups?.["code"] ?? "",
	}));
	const lengthOf = (part: (match: RegExpExecArray) => string | undefined): number =>
		fences.reduce((sum, match) => sum + (part(match)?.length ?? 0), 0);
	const said = text.trim().length - lengthOf(([whole]) => whole);
	const isMost = lengthOf(match => match.groups?.["code"]) > said;
	if (first && isMost && second?.language === first.language && more.length === 0) {
		const change = compareCode(first.code, second.code, tabSize);
		const language = first.language || guessCodeLanguage(second.code);
		return change && { type: "change", lines: change.lines, language, caption: first.caption };
	}
	const isFenced = first !== undefined && !second && isMost && diffLanguages.has(first.language);
	const change =
		isFenced || looksLikeDiff(text) ? readDiff(isFenced ? first.code : text, tabSize) : undefined;
	if (!change) {
		return undefined;
	}
	const after = change.lines.filter(({ kind }) => kind === "same" || kind === "added");
	const language =
		languageOfFile(change.files[0]) ?? guessCodeLanguage(after.map(line => line.text).join("\n"));
	const words = isFenced ? first.caption : "";
	return {
		type: "change",
		lines: change.lines,
		language,
		caption: words || change.files.join(", "),
	};
}

/** Endings of file names that are not names of their languages. */
const languagesOfEndings: Readonly<Record<string, string>> = {
	hs: "haskell",
	mk: "make",
	pl: "perl",
	py: "python",
	rb: "ruby",
	yml: "yaml",
};

function languageOfFile(name = ""): string | undefined {
	const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
	return ending === undefined ? undefined : (languagesOfEndings[ending] ?? ending);
}

/** Fields of a type look like rules of a style sheet when the selection begins or ends among them. */
function guessCodeLanguage(text: string): string | undefined {
	const language = guessLanguage(text);
	const isTypes =
		language === "css" && /^\s*(?:export |import |interface |const |function )/m.test(text);
	return isTypes ? "typescript" : language;
}

/** Most lines are tags, and one of them closes something. */
function looksLikeMarkup(text: string): boolean {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	const tags = lines.filter(line => /^\s*<[/!a-z].*>\s*$/i.test(line));
	return tags.length / lines.length > 0.6 && /<\/[\w-]+>|\/>/.test(text);
}

const emptyStart = /^(?:[ \t]*\n)+/;

/** The lines that a fence's words name, as in `{3-5,9}`, counted from the first that is not empty. */
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

/** Without empty lines around it and without the indentation that all lines share. */
function trimCode(code: string, tabSize: number): string {
	const kept = code.replace(emptyStart, "").trimEnd();
	const lines = kept.split("\n").map(line => expandTabs(line, tabSize));
	const indents = lines
		.filter(line => line.trim() !== "")
		.map(line => line.length - line.trimStart().length);
	const shared = Math.min(...indents);
	return lines.map(line => line.slice(Number.isFinite(shared) ? shared : 0)).join("\n");
}
