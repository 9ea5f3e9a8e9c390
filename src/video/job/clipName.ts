import type { VideoJob } from "./videoJob.ts";
import { looksLikeCode, readMarkdown } from "../../common/plainMarkdown.ts";

export interface ClipName {
	/** The symbol that the code declares, such as `volumeDiscount`; of several, the first one, or none if the file is known. */
	readonly symbol: string | undefined;
	/** The file name, such as `pricing.ts`. */
	readonly file: string | undefined;
	/** Whether the text is a change of the file. */
	readonly isChange: boolean;
}

const fence =
	/(?:^|\n)[ \t]*(?<mark>`{3,}|~{3,})[ \t]*(?<language>[\w+#.-]*)[^\n]*\n(?<code>[\s\S]*?)(?:\n[ \t]*\k<mark>|$)/;
const proseFile = /\.(?:md|mdx|markdown|txt|text|rst|adoc|tex|org)$|^[^.]+$/i;
const fileName = /^[\w@().+-]+\.\w{1,12}$/;
/** Longer symbols aren't used as names. */
const maxSymbolCharacters = 40;

/** Returns the name of a job's clip. Returns undefined for images, and for text and titled storyboards, which are named by their words. */
export function clipName({
	request,
	source,
}: Pick<VideoJob, "request" | "source">): ClipName | undefined {
	if (request.kind === "image" || (request.kind === "storyboard" && request.title)) {
		return undefined;
	}
	const prompt =
		request.kind === "text" ? request.prompt : (request.text ?? request.scenes[0]?.prompt ?? "");
	const found = fence.exec(prompt);
	const words = (found ? prompt.slice(0, found.index) : "").trim();
	const file = fileName.test(words) ? words : source?.name;
	if (found && words !== "" && words !== file) {
		return undefined;
	}
	const isCodeFile = source !== undefined && !proseFile.test(source.name);
	if (!found && !isCodeFile && !looksLikeCode(prompt)) {
		return undefined;
	}
	const { language = "", code = prompt } = found?.groups ?? {};
	const isChange = /^(?:diff|patch)$/i.test(language);
	const symbols = isChange ? [] : declaredSymbols(code);
	// One of several symbols isn't a name for all of the text.
	const isName = symbols.length === 1 || file === undefined;
	const symbol = symbols.find(each => isName && each.length <= maxSymbolCharacters);
	return symbol === undefined && file === undefined ? undefined : { symbol, file, isChange };
}

const modifiers = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|async|override|pub(?:\([^)]*\))?|open|sealed|data|inline|extern|unsafe|partial|readonly|suspend)\s+)*`;
const name = String.raw`(?<name>[\p{L}_$][\p{L}\p{N}_$]*)`;
const declarations = [
	String.raw`^\s*${modifiers}(?:function\s*\*?|class|interface|enum|struct|trait|record|object|module|namespace|type|def|fn|fun|protocol|union|message|service|macro)\s+(?:self\.)?${name}`,
	String.raw`^\s*func\s+(?:\([^)]*\)\s*)?${name}`,
	String.raw`^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index)\s+(?:if\s+not\s+exists\s+)?${name}`,
	// A method, or a function of languages like C and Java.
	String.raw`^\s*(?:[\p{L}\p{N}_<>\[\],.*&:?@]+\s+)*[*&]*${name}\([^;]*\)[^;=()]*\{\s*$`,
].map(source => new RegExp(source, "iu"));
/** Keywords where a name or a type would be. */
const statements =
	/(?:^|\s)(?:if|for|while|switch|catch|return|with|else|match|new|throw|await|function|case|do|super)[\s(]/;
const variable = new RegExp(
	String.raw`^\s*${modifiers}(?:const|let|var|val)\s+${name}\s*[:=]`,
	"u",
);

/**
 * Returns the symbols that code declares: functions and types with the least indentation, or else variables outside all blocks. Skips comments and
 * multiline strings.
 */
function declaredSymbols(code: string): readonly string[] {
	const lines = code
		.replaceAll(/\r\n?/g, "\n")
		.replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|"""[\s\S]*?"""|'''[\s\S]*?'''/g, "")
		.split("\n")
		.filter(line => !/^\s*(?:$|\/\/|#(?!\[)|--|;|\*)/.test(line))
		.map(line => ({ line, indent: line.length - line.trimStart().length }));
	const outside = lines.filter(({ indent }) => indent === 0);
	// A selection often starts within its first line, whose indentation is then unknown.
	const isInBlock = lines.length > 1 && lines.slice(1).every(({ indent }) => indent > 0);
	const found = symbolsIn(lines, declarations);
	return found.length > 0 || isInBlock ? found : symbolsIn(outside, [variable]);
}

function symbolsIn(
	lines: readonly { readonly line: string; readonly indent: number }[],
	patterns: readonly RegExp[],
): readonly string[] {
	const found = lines.flatMap(({ line, indent }) => {
		const symbol = symbolIn(line, patterns);
		return symbol === undefined ? [] : [{ symbol, indent }];
	});
	const least = Math.min(...found.map(({ indent }) => indent));
	// A function with overloads is declared more than once.
	return [...new Set(found.filter(({ indent }) => indent === least).map(({ symbol }) => symbol))];
}

function symbolIn(line: string, patterns: readonly RegExp[]): string | undefined {
	for (const pattern of patterns) {
		const { 0: whole = "", groups } = pattern.exec(line.slice(0, 400)) ?? {};
		const isMethod = pattern === declarations.at(-1);
		if (groups?.["name"] !== undefined && !(isMethod && statements.test(whole))) {
			return groups["name"];
		}
	}
	return undefined;
}

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
	const text = describingWords(prompt);
	const { title, body } = looksLikeCode(text) ? { title: "", body: "" } : readMarkdown(text);
	return start(title || body || text, max);
}

/** Returns the beginning of a prompt's text, with its heading, in one line of at most `max` code points. */
export function promptText(prompt: string, max: number): string {
	return start(describingWords(prompt), max);
}

/** Returns the words before a fence, which describe more than code does. If there are none, the code without the comments at its start. */
function describingWords(prompt: string): string {
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
