import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** The longest formula that is read as one, in characters; what is longer stays text, and looking for its end stays cheap. */
const maxFormula = 4000;

/** The longest formula between single dollars, in characters: what is between two prices is longer more often than a formula. */
const maxDollarFormula = 500;

/** Teaches the parser formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` set apart. */
export function addMathRules(parser: MarkdownIt): void {
	parser.block.ruler.before("blockquote", "math_block", readBlock, {
		alt: ["paragraph", "reference", "blockquote", "list"],
	});
	parser.inline.ruler.before("escape", "math_inline", readInline);
}

/** Whether what is between two delimiters can be a formula: it has a letter or a digit, and no code. */
function isFormula(content: string): boolean {
	return /[\p{L}\p{N}]/u.test(content) && !content.includes("`");
}

/** What only a formula has: a command, a relation, an exponent, an index, a sum of numbers. */
const formulaSign =
	/\\[a-z]|[=^{}<>≤≥≈∑∏∫√∞]|(?<![\p{L}\p{N}])\p{L}_\p{L}?\p{N}*(?![\p{L}\p{N}_])|[\p{L}\p{N})]\s*[+*/·×−-]\s*\p{N}|(?<!\p{L})\p{L}\s*[+*·×−-]\s*\p{L}(?!\p{L})|\p{N}\s*[+*/·×−-]/iu;

/**
 * Whether what is between escaped brackets is words in them, as in `\[WIP\]`: Markdown escapes a bracket the same way. A letter or a
 * number alone in parentheses is a formula, as answers write `\(n\)`; in brackets it is a box or a note.
 */
function isBracketed(content: string, closer: string): boolean {
	const isOneSymbol = closer === "\\)" && /^\s*\p{L}?\p{N}*\s*$/u.test(content);
	return closer !== "$$" && !isOneSymbol && !formulaSign.test(content);
}

/** Returns the end mark of the formula that begins at a position; nothing when none does. */
function closerAt(source: string, position: number): string | undefined {
	if (source.startsWith("$$", position)) {
		return "$$";
	}
	if (source.startsWith("\\[", position)) {
		return "\\]";
	}
	return undefined;
}

/** A formula of whole lines, without a blank one: its closing delimiter ends a line. */
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

/** A formula within a paragraph. */
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

/** Whether a formula between two dollars each has words beside it on its line: set apart, it would tear the sentence. */
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

/** Where a closing dollar may be: behind something, and before nothing that makes it a price or a variable. */
const dollarEnd = /(?<=[^\s\\$])\$(?![\w$])/g;

/** A sum of money and the beginning of a sentence: «5 and you get», «10/month or». */
const price = /^\d[\d.,]*(?:[kKmMbB]|\/\w+)?[\s,;:–-]+(?:[a-z]{2,}|\d)/i;

/** Words of a sentence or a pattern between two dollars that have nothing to do with each other: `$HOME first, then ^abc$`. */
const prose = /(?<![\\\p{L}{])\p{L}{2,}[,.;:]?\s+\p{L}{2,}|\s\^[\p{L}[(]/u;

/** What a formula says in words: `\text{if it is}`. */
const wordsOfFormula = /\\(?:text|textbf|textit|mathrm|operatorname|mbox)\*?\s*\{[^{}]*\}/g;

/**
 * A formula between single dollars, by the rules that keep prices and shell variables text: no letter or digit before the first
 * dollar or after the last, no white space just inside, on one line, and nothing that reads like «$5 and you get 10$».
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
