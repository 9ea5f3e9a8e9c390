/** A text to be read, with its title apart when it has one. */
export interface ReadableText {
	/** Empty when the text begins with its first sentence. */
	readonly title: string;
	readonly body: string;
}

/** A first line longer than this is a sentence and not a title. */
const maxTitleCharacters = 80;

const headingMark = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;

/**
 * Takes the marks of Markdown off a text, as a reader would see it: headings, lists, emphasis, code and links become plain
 * words. A heading at the beginning, or a short first line before an empty one, is the title.
 * @see https://spec.commonmark.org/0.31.2/
 */
export function readMarkdown(text: string): ReadableText {
	const lines = text.trim().split("\n");
	const [first = "", second, ...others] = lines;
	const heading = headingMark.exec(first)?.[1];
	const isTitled =
		second !== undefined && second.trim() === "" && first.length <= maxTitleCharacters;
	const hasMore = [second ?? "", ...others].some(line => line.trim() !== "");
	if (hasMore && (heading !== undefined || (isTitled && /^\s{0,3}[\p{L}\p{N}“"'‘]/u.test(first)))) {
		return { title: plainLine(first), body: plain(lines.slice(1)) };
	}
	return { title: "", body: plain(lines) };
}

/** A text without the marks of Markdown. */
export function plainMarkdown(text: string): string {
	return plain(text.split("\n"));
}

function plain(lines: readonly string[]): string {
	return lines
		.filter(line => !/^\s*(?:`{3,}|~{3,})|^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(line))
		.map(plainLine)
		.join("\n")
		.trim();
}

function plainLine(line: string): string {
	return plainWords(
		line
			.replace(headingMark, "$1")
			.replace(/^\s{0,3}(?:>\s?)+/, "")
			.replace(/^(\s*)[-*+]\s+\[ \]\s+/, "$1☐ ")
			.replace(/^(\s*)[-*+]\s+\[[xX]\]\s+/, "$1☑ ")
			.replace(/^(\s*)[-*+]\s+/, "$1• "),
	);
}

/**
 * Emphasis has no blank just inside its marks, which a product or a range has; underscores inside a word are part of it. Marks are at
 * most 1,000 characters apart, so that marks without an end are read in the time of the text's length.
 */
function plainWords(line: string): string {
	return line
		.replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "$1")
		.replaceAll(/(`+)(.{1,1000}?)\1/g, "$2")
		.replaceAll(/(\*\*|~~)(?=\S)(.{1,1000}?)(?<=\S)\1/g, "$2")
		.replaceAll(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,1000}?)(?<=\S)\*(?!\*)/gu, "$1")
		.replaceAll(/(?<![\p{L}\p{N}_])(__?)(?=[^\s_])(.{1,1000}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, "$2");
}

/** Whether a text without fences is code: lines that end like statements or are indented like blocks: rare in prose. */
export function looksLikeCode(text: string): boolean {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	const codeLines = lines.filter(line =>
		/[;{}[\](),]\s*$|^\s*[}\])]|=>|:=|\w\(.{0,1000}\)/.test(line),
	);
	const statements = lines.filter(line => /[;{}]\s*$/.test(line));
	return codeLines.length / lines.length > 0.6 && statements.length > 0;
}
