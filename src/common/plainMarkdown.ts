export interface ReadableText {
	/** Empty if the text has no title. */
	readonly title: string;
	readonly body: string;
}

/** The longest first line that counts as a title. */
const maxTitleCharacters = 80;

const headingMark = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;

/** Styles of words, each with an invisible character that begins such a word in styled text. */
const styleMarks = { italic: "\u2060", bold: "\u2061", code: "\u2062", struck: "\u2063" } as const;
const styleEnd = "\u2064";
const styledWord = /([\u2060-\u2063][^\u2060-\u2064]*(?:\u2064|$))/;

/** Begins the lines of a quotation in styled text. */
export const quoteMark = "\u2065";

type WordStyle = keyof typeof styleMarks;

/** Splits text of `readMarkdown` with styles into parts of one style, without its marks. */
export function styledParts(
	text: string,
): readonly { readonly text: string; readonly style: WordStyle | undefined }[] {
	const styles = ["italic", "bold", "code", "struck"] as const;
	return text
		.split(styledWord)
		.map(part => ({
			text: part.replaceAll(/[\u2060-\u2064]/g, ""),
			style: styles.find(style => part.startsWith(styleMarks[style]) && part.length > 1),
		}))
		.filter(part => part.text !== "");
}

/**
 * Removes Markdown syntax: headings, lists, emphasis, code and links become plain words. A heading at the beginning, or a short first line before an
 * empty one, becomes the title. With styles, marks the words of italic, bold, code and struck text for
 * `styledParts`, and the lines of quotations.
 * @see https://spec.commonmark.org/0.31.2/
 */
export function readMarkdown(text: string, isStyled = false): ReadableText {
	const lines = text.trim().split("\n");
	const [first = "", second, ...others] = lines;
	const heading = headingMark.exec(first)?.[1];
	const isTitled =
		second !== undefined && second.trim() === "" && first.length <= maxTitleCharacters;
	const hasMore = [second ?? "", ...others].some(line => line.trim() !== "");
	if (hasMore && (heading !== undefined || (isTitled && /^\s{0,3}[\p{L}\p{N}“"'‘]/u.test(first)))) {
		return { title: plainLine(first, isStyled), body: plain(lines.slice(1), isStyled) };
	}
	return { title: "", body: plain(lines, isStyled) };
}

export function plainMarkdown(text: string): string {
	return plain(text.split("\n"), false);
}

function plain(lines: readonly string[], isStyled: boolean): string {
	return lines
		.filter(line => !/^\s*(?:`{3,}|~{3,})|^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(line))
		.map(line => plainLine(line, isStyled))
		.join("\n")
		.trim();
}

function plainLine(line: string, isStyled: boolean): string {
	return plainWords(
		line
			.replace(headingMark, "$1")
			.replace(/^\s{0,3}(?:>\s?)+/, isStyled ? quoteMark : "")
			.replace(/^(\s*)[-*+]\s+\[ \]\s+/, "$1☐ ")
			.replace(/^(\s*)[-*+]\s+\[[xX]\]\s+/, "$1☑ ")
			.replace(/^(\s*)[-*+]\s+/, "$1• "),
		isStyled,
	);
}

/**
 * Emphasis marks have no space just inside, unlike a product or a range. Underscores inside a word belong to it. Marks are at most 1,000 characters
 * apart, so that unclosed marks take linear time. Code is set aside, because its signs are no marks.
 */
function plainWords(line: string, isStyled: boolean): string {
	const codes: string[] = [];
	const styled = (words: string, style: WordStyle): string =>
		isStyled
			? words.replaceAll(/\S+/g, word =>
					/[\u2060-\u2064]/.test(word) ? word : `${styleMarks[style]}${word}${styleEnd}`,
				)
			: words;
	return line
		.replaceAll(
			/(`+)(.{1,1000}?)\1/g,
			(_, _ticks, code: string) => `${styleMarks.code}${codes.push(code) - 1}${styleEnd}`,
		)
		.replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "$1")
		.replaceAll(/(\*\*|~~)(?=\S)(.{1,1000}?)(?<=\S)\1/g, (_, sign: string, words: string) =>
			styled(words, sign === "~~" ? "struck" : "bold"),
		)
		.replaceAll(
			/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,1000}?)(?<=\S)\*(?!\*)/gu,
			(_, words: string) => styled(words, "italic"),
		)
		.replaceAll(
			/(?<![\p{L}\p{N}_])(__?)(?=[^\s_])(.{1,1000}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu,
			(_, sign: string, words: string) => styled(words, sign === "__" ? "bold" : "italic"),
		)
		.replaceAll(/\u2062(\d+)\u2064/g, (whole, index: string) =>
			styled(codes[Number(index)] ?? whole, "code"),
		);
}

/** Guesses whether a text without fences is code, by lines that end like statements or are indented like blocks. */
export function looksLikeCode(text: string): boolean {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	const codeLines = lines.filter(line =>
		/[;{}[\](),]\s*$|^\s*[}\])]|=>|:=|\w\(.{0,1000}\)/.test(line),
	);
	const statements = lines.filter(line => /[;{}]\s*$/.test(line));
	return codeLines.length / lines.length > 0.6 && statements.length > 0;
}

/**
 * Escapes text of a model, a service or a file for the editor's messages and inputs, where `[words](command:…)` would become a link that runs a
 * command and `$(name)` an icon. docs/security.md.
 */
export function plainLabel(text: string): string {
	return text.replaceAll("](", "] (").replaceAll("$(", "$ (");
}

/** Escapes a text so that Markdown shows it literally, without formatting, links or images. CommonMark §2.4. */
export function escapeMarkdown(text: string): string {
	return text
		.replaceAll(/[\\`*_[\]<>|~&!#]/g, "\\$&")
		.replaceAll(/^([ \t]*)([-+=]|\d+[.)])/gm, "$1\\$2")
		.replaceAll(/\b(https?|mailto|www)([:.])/gi, "$1\\$2");
}

/** Fences text with at least `least` backticks, and enough that no fence inside it ends it. CommonMark §4.5. */
export function fence(text: string, info = "", least = 3): string {
	const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
	const ticks = "`".repeat(Math.max(least, longest + 1));
	const end = text === "" || text.endsWith("\n") ? "" : "\n";
	return `${ticks}${info}\n${text}${end}${ticks}`;
}
