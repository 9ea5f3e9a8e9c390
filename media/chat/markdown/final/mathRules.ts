import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** The longest formula, in characters. Longer ones stay text, which bounds the search for the end. */
const maxFormula = 4000;

/** The longest formula between single dollars, in characters. Text between two prices is usually longer. */
const maxDollarFormula = 500;

/** Adds formulas to the parser: inline `$…$` and `\(…\)`, display `$$…$$` and `\[…\]`. */
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
	const isOneSymbol = closer === "\\)" && /^\s*\p{L}?\p{N}*\s*$/u.test(content);
	return closer !== "$$" && !isOneSymbol && !formulaSign.test(content);
}

/** Returns the closing delimiter for a formula that starts at a position, or undefined. */
function closerAt(source: string, position: number): string | undefined {
	if (source.startsWith("$$", position)) {
		return "$$";
	}
	if (source.startsWith("\\[", position)) {
		return "\\]";
	}
	return undefined;
}

/** Parses a formula of whole lines without a blank one. Its closing delimiter ends a line. */
function readBlock(
	state: StateBlock,
	startLine: number,
	endLine: number,
	isSilent: boolean,
): boolean {
	const indent = state.sCount[startLine] ?? 0;
	const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
	const closer = closerAt(state.src, start);
	if (closer === undefined || indent - state.blkIndent >= 4) {
		return false;
	}
	const lines: string[] = [];
	let length = 0;
	for (let line = startLine; line < endLine && length <= maxFormula; line++) {
		const isFirst = line === startLine;
		const isInside = isFirst || (state.sCount[line] ?? 0) >= state.blkIndent;
		const from = isFirst ? start + 2 : (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
		const text = state.src.slice(from, state.eMarks[line]).trimEnd();
		const end = text.indexOf(closer);
		if (!isInside || (!isFirst && text === "") || (end !== -1 && end + 2 !== text.length)) {
			return false;
		}
		lines.push(end === -1 ? text : text.slice(0, -2));
		length += text.length + 1;
		if (end !== -1) {
			const content = lines.join("\n").trim();
			return (
				(!isFirst || !isBracketed(content, closer)) &&
				finishBlock(state, startLine, line + 1, content, isSilent)
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
	const closer = closerAt(text, 0) ?? (text.startsWith("\\(") ? "\\)" : undefined);
	if (closer !== undefined) {
		const end = text.indexOf(closer, 2);
		const content = text.slice(2, end);
		return end !== -1 && isFormula(content) && !isBracketed(content, closer)
			? { content, length: end + 2, isDisplay: closer !== "\\)" }
			: undefined;
	}
	return text.startsWith("$") ? findDollars(text, before) : undefined;
}

/** A closing dollar: after something other than white space, and not before something that makes it a price or a variable. */
const dollarEnd = /(?<=[^\s\\$])\$(?![\w$])/g;

/** A price and the start of a sentence, such as “5 and you get” or “10/month or”. */
const price = /^\d[\d.,]*(?:[kKmMbB]|\/\w+)?[\s,;:–-]+(?:[a-z]{2,}|\d)/i;

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
		prose.test(content.replaceAll(wordsOfFormula, ""))
		? undefined
		: { content, length: end + 1, isDisplay: false };
}
