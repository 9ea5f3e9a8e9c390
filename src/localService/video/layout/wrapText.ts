/** Space for text, and a measuring function. */
export interface TextArea {
	/** Width in the unit of `widthOf`. */
	readonly width: number;
	readonly widthOf: (text: string) => number;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export interface WrappedLine {
	readonly text: string;
	/** Indentation, in the unit of the area's width. */
	readonly indent: number;
	/** Cells of a table's row, each with its start in the unit of the area's width, and its end if it is placed by that; absent for other lines. */
	readonly cells?: readonly { readonly text: string; readonly at: number; readonly end?: number }[];
	readonly isHead?: boolean;
	/** Whether it is a line of a quotation, beside a bar. */
	readonly isQuote?: boolean;
	/** Whether there is a gap above, as above a paragraph. */
	readonly isApart?: boolean;
}

/** Wraps a text at spaces, and inside a word only if it is wider than a line. List items continue below their first word, not below their mark. */
export function wrapText(text: string, room: TextArea): readonly WrappedLine[] {
	return text.split("\n").flatMap(paragraph => wrapParagraph(paragraph, room));
}

/** Returns the number of words that are wider than a line. */
export function countBroken(text: string, room: TextArea): number {
	return text.split("\n").reduce((sum, paragraph) => {
		const width = room.width - hangOf(paragraph, room).rest;
		const broken = breakUnits(paragraph).filter(unit => room.widthOf(unit.text) > width);
		return sum + broken.length;
	}, 0);
}

/** If all lines of a text are longer, they were probably wrapped at a width. */
const hardWrapFrom = 50;

/** Joins lines that were wrapped at a width, as in comments and mails. Keeps lists, headings and empty lines separate. */
export function joinHardWraps(text: string): string {
	const paragraphs: string[] = [];
	let previous = "";
	for (const line of text.split("\n")) {
		const isItem = /^\s*(?:\d+[.)]|[-*+•#>|])\s/.test(line);
		const goesOn = previous.length >= hardWrapFrom && /^\s*[\p{L}\p{N}("“'‘`]/u.test(line);
		if (goesOn && !isItem) {
			paragraphs.push(`${paragraphs.pop() ?? ""} ${line.trim()}`);
		} else {
			paragraphs.push(line);
		}
		previous = line;
	}
	return paragraphs.join("\n");
}

/** The least line width relative to the area, for balancing. */
const narrowest = 0.55;
const balancingSteps = 7;

/**
 * Wraps a text into as few lines as `wrapText`. Those of a paragraph are of lengths as equal as possible, so that no word is alone in its last line.
 * Doesn't break additional words.
 */
export function balanceText(text: string, room: TextArea): readonly WrappedLine[] {
	return text.split("\n").flatMap(paragraph => balanceParagraph(paragraph, room));
}

function balanceParagraph(text: string, room: TextArea): readonly WrappedLine[] {
	let best = wrapText(text, room);
	let low = room.width * narrowest;
	let high = room.width;
	for (let step = 0; step < balancingSteps && best.length > 1; step += 1) {
		const width = (low + high) / 2;
		const lines = wrapText(text, { ...room, width });
		if (lines.length === best.length && isAlike(lines, best)) {
			best = lines;
			high = width;
		} else {
			low = width;
		}
	}
	return best;
}

/** Whether words are broken at the same places. In scripts without spaces, a line may end after any word. */
function isAlike(left: readonly WrappedLine[], right: readonly WrappedLine[]): boolean {
	const joinedLines = (lines: readonly WrappedLine[]): string =>
		lines.map(({ text }) => text).join(" ");
	return left.some(({ text }) => spaceless.test(text)) || joinedLines(left) === joinedLines(right);
}

/** Mark of a list item with its indentation. */
const itemMark = /^(?<blanks>\s*)(?<mark>(?:[•◦‣▪☐☑]|\p{Nd}{1,3}[.)])\s)\s*(?=\S)/u;

/** Indentation per space before an item, in em. Two spaces place it below the text of its parent item. */
const blankIndent = 0.45;

/** The greatest indentation of items relative to the area. A wider mark has no text below it. */
const maxIndentShare = 0.25;

/** Returns the indentation of a paragraph's first line and of the others. */
function hangOf(
	paragraph: string,
	room: TextArea,
): { readonly first: number; readonly rest: number } {
	const { blanks = "", mark = "" } = itemMark.exec(paragraph)?.groups ?? {};
	const most = room.width * maxIndentShare;
	const first = Math.min(blanks.length * blankIndent, most);
	const hang = room.widthOf(mark);
	return { first, rest: first + (hang <= most ? hang : 0) };
}

function wrapParagraph(paragraph: string, room: TextArea): readonly WrappedLine[] {
	const { first, rest } = hangOf(paragraph, room);
	const narrow = { ...room, width: room.width - rest };
	const lines: WrappedLine[] = [];
	let line: WrappedLine = { text: "", indent: first };
	for (const { text, isGlued } of breakUnits(paragraph)) {
		for (const [index, piece] of breakWord(text, narrow, joint).entries()) {
			const space = line.text === "" || (isGlued && index === 0) ? "" : " ";
			const longer = `${line.text}${space}${piece}`;
			if (room.widthOf(longer) <= room.width - line.indent) {
				line = { text: longer, indent: line.indent };
			} else {
				lines.push(...(line.text === "" ? [] : [line]));
				line = { text: piece, indent: rest };
			}
		}
	}
	return line.text === "" ? [] : [...lines, line];
}

/** A part of a text that can start a line. */
interface BreakUnit {
	readonly text: string;
	/** Whether there is no space before it. */
	readonly isGlued: boolean;
}

/** Scripts without spaces between words. */
const spaceless =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Characters that must not start a line, and those that must not end one. @see https://www.w3.org/TR/jlreq/#characters_not_starting_a_line */
const neverFirst =
	/^[\p{Pe}\p{Pf}\p{M}、。，．・：；？！ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々〻‼⁇…%％!,.:;?)\]}]/u;
const neverLast = /[\p{Ps}\p{Pi}¥＄$£#]$/u;

const words = new Intl.Segmenter("ja", { granularity: "word" });

/** Splits a paragraph at possible line breaks: at spaces, and between words of scripts without spaces. */
export function breakUnits(paragraph: string): readonly BreakUnit[] {
	const parts = paragraph.split(/\s+/).filter(part => part !== "");
	return parts.flatMap(part => {
		if (!spaceless.test(part)) {
			return [{ text: part, isGlued: false }];
		}
		const units: string[] = [];
		for (const { segment } of words.segment(part)) {
			const before = units.at(-1);
			const isFixed = before !== undefined && (neverFirst.test(segment) || neverLast.test(before));
			if (isFixed) {
				units.push(`${units.pop() ?? ""}${segment}`);
			} else {
				units.push(segment);
			}
		}
		return units.map((text, index) => ({ text, isGlued: index > 0 }));
	});
}

/** Characters after which URLs and compound names are preferably broken. */
const joint = /[/\\\-._?&=#:,;]/;

/** Returns the word, or pieces as long as possible for a line. With `joint`, prefers to break after a matching letter. */
export function breakWord(word: string, room: TextArea, joint?: RegExp): readonly string[] {
	if (room.widthOf(word) <= room.width) {
		return [word];
	}
	const pieces: string[] = [];
	let piece = "";
	for (const { segment } of graphemes.segment(word)) {
		if (piece !== "" && room.widthOf(piece + segment) > room.width) {
			const letters = [...piece];
			const end = joint ? letters.findLastIndex(letter => joint.test(letter)) + 1 : 0;
			const cut = end > letters.length / 2 ? end : letters.length;
			pieces.push(letters.slice(0, cut).join(""));
			piece = letters.slice(cut).join("");
		}
		piece += segment;
	}
	return piece === "" ? pieces : [...pieces, piece];
}
