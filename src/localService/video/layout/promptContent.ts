import { guessLanguage } from "../../base/index.ts";

/** What a prompt is, as far as drawing it goes. */
export type PromptContent =
	| { readonly type: "prose"; readonly text: string }
	| {
			readonly type: "code";
			readonly code: string;
			/** As a fence names it or the text gives away; for the title and the colours. */
			readonly language: string | undefined;
			/** What was said before the code; may be empty. */
			readonly caption: string;
	  };

/** Read as prose: what a user would read as a text, marks and all. */
const proseLanguages = new Set(["markdown", "csv"]);

const fencePattern =
	/(?:^|\n)(?<fence>`{3,}|~{3,})[ \t]*(?<language>[\w+#.-]*)[^\n]*\n(?<code>[\s\S]*?)(?:\n\k<fence>|$)/;

/** Tells code from prose: a fenced block that is most of the prompt first, then the signs of a language, then what the lines look like. */
export function readPrompt(prompt: string): PromptContent {
	const text = prompt.replaceAll(/\r\n?/g, "\n");
	const fenced = fencePattern.exec(text);
	const code = fenced?.groups?.["code"] ?? "";
	if (fenced && code.trim().length * 2 > text.trim().length) {
		const language = fenced.groups?.["language"]?.toLowerCase() || guessCodeLanguage(code);
		const caption = text.slice(0, fenced.index).trim();
		return { type: "code", code: trimCode(code), language, caption };
	}
	const language = looksLikeMarkup(text) ? "html" : guessCodeLanguage(text);
	const isCode = language === undefined ? looksLikeCode(text) : !proseLanguages.has(language);
	return isCode && text.trim() !== ""
		? { type: "code", code: trimCode(text), language, caption: "" }
		: { type: "prose", text };
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

/** Lines that end like statements or are indented like blocks: rare in prose. */
function looksLikeCode(text: string): boolean {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	const codeLines = lines.filter(line => /[;{}[\](),]\s*$|^\s*[}\])]|=>|:=|\w\(.*\)/.test(line));
	const statements = lines.filter(line => /[;{}]\s*$/.test(line));
	return codeLines.length / lines.length > 0.6 && statements.length > 0;
}

/** Without empty lines around it and without the indentation that all lines share. */
function trimCode(code: string): string {
	const lines = code
		.replaceAll("\t", "    ")
		.replace(/^(?:[ ]*\n)+/, "")
		.trimEnd()
		.split("\n");
	const indents = lines
		.filter(line => line.trim() !== "")
		.map(line => line.length - line.trimStart().length);
	const shared = Math.min(...indents);
	return lines.map(line => line.slice(Number.isFinite(shared) ? shared : 0)).join("\n");
}
