import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** The longest formula, in characters. Longer ones stay text, which bounds the search for the end. */
export const maxFormula = 4000;

/** The longest formula between single dollars, in characters. Text between two prices is usually longer. */
const maxDollarFormula = 500;

/** Adds formulas to the parser: inline `$…$` and `\(…\)`, display `$$…$$`, `\[…\]` and `\begin{align}…\end{align}`. */
export function addMathRules(parser: MarkdownIt): void {
	parser.block.ruler.before("blockquote", "math_block", readBlock, {
		alt: ["paragraph", "reference", "blockquote", "list"],
	});
	parser.inline.ruler.before("escape", "math_inline", readInline);
}

/** Whether text between delimiters can be a formula: it has a letter or a digit, and no code. */
function isFormula(content: string): boolean {
	return /[\p{L}\p{N}]/u.test(content) && !content.includes("`");
}

/** Signs of a formula: a command, a relation, an exponent, an index, an arithmetic expression. */
const formulaSign =
	/\\[a-z]|[=^{}<>≤≥≈∑∏∫√∞]|(?<![\p{L}\p{N}])\p{L}_\p{L}?\p{N}*(?![\p{L}\p{N}_])|[\p{L}\p{N})]\s*[+*/·×−-]\s*\p{N}|(?<!\p{L})\p{L}\s*[+*·×−-]\s*\p{L}(?!\p{L})|\p{N}\s*[+*/·×−-]/iu;

/**
 * Whether escaped brackets contain text rather than a formula, as in `\[WIP\]`: Markdown escapes brackets the same way. A single letter or number in
 * parentheses, like `\(n\)`, is a formula; in brackets it is a checkbox or a note.
 */
function isBracketed(content: string, closer: string): boolean {
	const isOneSymbol = closer === "\\)" && /^\p{L}?\p{N}*$/u.test(content.trim());
	return closer !== "$$" && !isOneSymbol && !formulaSign.test(content);
}

interface Delimiters {
	readonly opener: string;
	readonly closer: string;
	/** Whether they are a part of the formula, as those of an environment are. */
	readonly isInside?: true;
}

/** The environments that KaTeX draws outside of another formula. */
const environment =
	/\\begin\{((?:(?:align(?:at|ed|edat)?|equation|gather(?:ed)?|split|[dr]?cases|array|CD|small(?=matrix)|[pbBvV]?(?=matrix))(?:matrix)?)\*?)\}/y;

/** Returns the delimiters of a display formula that starts at a position, or undefined. */
function delimitersAt(source: string, position: number): Delimiters | undefined {
	if (source.startsWith("$$", position)) {
		return { opener: "$$", closer: "$$" };
	}
	if (source.startsWith("\\[", position)) {
		return { opener: "\\[", closer: "\\]" };
	}
	environment.lastIndex = position;
	const [opener = "", name = ""] = environment.exec(source) ?? [];
	return opener === "" ? undefined : { opener, closer: `\\end{${name}}`, isInside: true };
}

/** Whether a text between dollars on lines of their own is a formula although it has a blank line. */
function isFormulaWithBlankLine(content: string): boolean {
	return formulaSign.test(content) && !prose.test(content.replaceAll(wordsOfFormula, ""));
}

/** Parses a formula of whole lines; only dollars on lines of their own may have blank lines between them. Its closing delimiter ends a line. */
function readBlock(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const indent = state.sCount[startLine] ?? 0;
	const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
	const delimiters = delimitersAt(state.src, start);
	if (delimiters === undefined || indent - state.blkIndent >= 4) {
		return false;
	}
	const { opener, closer, isInside } = delimiters;
	const isAlone =
		closer === "$$" && state.src.slice(start, state.eMarks[startLine]).trim() === "$$";
	const lines: string[] = [];
	let [length, hasBlank] = [0, false];
	for (let line = startLine; line < endLine && length <= maxFormula; line++) {
		const isFirst = line === startLine;
		const from = isFirst
			? start + opener.length
			: (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
		const text = state.src.slice(from, state.eMarks[line]).trimEnd();
		const isBlank = !isFirst && text === "";
		const isOutside = !isFirst && !isBlank && (state.sCount[line] ?? 0) < state.blkIndent;
		const end = text.indexOf(closer);
		if (
			isOutside ||
			(isBlank && !isAlone) ||
			(end !== -1 && end + closer.length !== text.length) ||
			(hasBlank && end > 0)
		) {
			return false;
		}
		hasBlank ||= isBlank;
		if (!isBlank) {
			lines.push(end === -1 ? text : text.slice(0, end));
		}
		length += text.length + 1;
		if (end !== -1) {
			const content = lines.join("\n").trim();
			return (
				(!isFirst || isInside === true || !isBracketed(content, closer)) &&
				(!hasBlank || isFormulaWithBlankLine(content)) &&
				finishBlock(
					state,
					startLine,
					line + 1,
					isInside ? opener + lines.join("\n") + closer : content,
					isSilent,
				)
			);
		}
	}
	return false;
}

function finishBlock(
	state: StateBlock,
	startLine: number,
	nextLine: number,
	content: string,
	isSilent: boolean,
): boolean {
	if (!isFormula(content)) {
		return false;
	}
	if (!isSilent) {
		const token = state.push("math_block", "", 0);
		token.content = content;
		token.map = [startLine, nextLine];
		state.line = nextLine;
	}
	return true;
}

/** Parses a formula within a paragraph. */
function readInline(state: StateInline, isSilent: boolean): boolean {
	const { src, pos, posMax } = state;
	const first = src[pos];
	if (first !== "$" && first !== "\\") {
		return false;
	}
	const found = findInline(src.slice(pos, Math.min(posMax, pos + maxFormula)), src[pos - 1] ?? " ");
	if (!found) {
		return false;
	}
	if (!isSilent) {
		const isDisplay = found.isDisplay && !isInSentence(src, pos, pos + found.length);
		const token = state.push(isDisplay ? "math_display" : "math_inline", "", 0);
		token.content = found.content.trim();
	}
	state.pos = pos + found.length;
	return true;
}

/** Whether a formula between double dollars has text beside it on its line. As a block it would split the sentence. */
function isInSentence(source: string, start: number, end: number): boolean {
	const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
	const after = /[^\n]*/.exec(source.slice(end, end + maxFormula))?.[0] ?? "";
	return source.startsWith("$$", start) && (before.trim() !== "" || /[\p{L}\p{N}]/u.test(after));
}

interface InlineFormula {
	readonly content: string;
	/** Characters from the opening delimiter to the end of the closing one. */
	readonly length: number;
	readonly isDisplay: boolean;
}

function findInline(text: string, before: string): InlineFormula | undefined {
	const inParentheses = text.startsWith("\\(") ? { opener: "\\(", closer: "\\)" } : undefined;
	const delimiters: Delimiters | undefined = delimitersAt(text, 0) ?? inParentheses;
	if (delimiters !== undefined) {
		const { opener, closer, isInside } = delimiters;
		const end = text.indexOf(closer, opener.length);
		const content = text.slice(opener.length, end);
		return end !== -1 && isFormula(content) && (isInside || !isBracketed(content, closer))
			? {
					content: isInside ? opener + content + closer : content,
					length: end + closer.length,
					isDisplay: closer !== "\\)",
				}
			: undefined;
	}
	return text.startsWith("$") ? (findDollars(text, before) ?? findSpaced(text, before)) : undefined;
}

/** A closing dollar: after something other than white space, and not before something that makes it a price, a variable or a call. */
const dollarEnd = /(?<=[^\s\\$])\$(?![\w$({])/g;

/** Code between two dollars that are names, as in `$.get/$.post`. */
const codeOfDollars = /^\.(?!\d)|[/(=]$/;

/** A price and the start of a sentence, such as “5 and you get” or “10/month or”. */
const price = /^\d[\d.,]{0,30}(?:[kKmMbB]|\/\w{1,30})?[\s,;:–-]+(?:[a-z]{2,}|\d)/i;

/** Words or a pattern between two unrelated dollars: `$HOME first, then ^abc$`. */
const prose = /(?<![\\\p{L}{])\p{L}{2,}[,.;:]?\s+\p{L}{2,}|\s\^[\p{L}[(]/u;

/** Text commands of a formula: `\text{if it is}`. */
const wordsOfFormula = /\\(?:text|textbf|textit|mathrm|operatorname|mbox)\*?\s*\{[^{}]*\}/g;

/**
 * Finds a formula between single dollars. Prices and shell variables stay text: no letter or digit before the first dollar or after the last, no
 * white space just inside, on one line, and nothing like “$5 and you get 10$”.
 */
function findDollars(text: string, before: string): InlineFormula | undefined {
	if (/[\w$\\]/.test(before) || !/^\$[^\s$]/.test(text)) {
		return undefined;
	}
	const line = /^[^\n]*/.exec(text.slice(0, maxDollarFormula))?.[0] ?? "";
	dollarEnd.lastIndex = 2;
	const end = dollarEnd.exec(line)?.index;
	const content = line.slice(1, end);
	return end === undefined ||
		!isFormula(content) ||
		price.test(content) ||
		codeOfDollars.test(content) ||
		prose.test(content.replaceAll(wordsOfFormula, ""))
		? undefined
		: { content, length: end + 1, isDisplay: false };
}

/** Finds a formula between single dollars with white space inside both of them: a symbol, or what has a sign of a formula and none of a price. */
function findSpaced(text: string, before: string): InlineFormula | undefined {
	const line = text.slice(0, maxDollarFormula);
	const [whole = "", content = ""] = /[\w$\\]/.test(before)
		? []
		: (/^\$ +([^\s$](?:[^$\n]*[^\s$\\])?) +\$(?![\w$])/.exec(line) ?? []);
	const isSymbol = /^\p{L}$/u.test(content);
	const isLikely =
		formulaSign.test(content) &&
		!/^[\d.,]+\s*\D?$|[-+*/=,;:]$/.test(content) &&
		!price.test(content) &&
		!prose.test(content.replaceAll(wordsOfFormula, ""));
	return isSymbol || isLikely ? { content, length: whole.length, isDisplay: false } : undefined;
}
