/** Room for text, and how to measure it. */
export interface TextArea {
	/** Width in the unit of `widthOf`. */
	readonly width: number;
	readonly widthOf: (text: string) => number;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A line of a wrapped text. */
export interface WrappedLine {
	readonly text: string;
	/** How far it begins from the edge where lines begin, in the unit of the room's width. */
	readonly indent: number;
}

/**
 * Breaks a text into lines that fit: at spaces where there are any, inside a word only when it is wider than a line. An item of a
 * list goes on below its first word, and not below its mark.
 */
export function wrapText(text: string, room: TextArea): readonly WrappedLine[] {
	return text.split("\n").flatMap(paragraph => wrapParagraph(paragraph, room));
}

/** Whether a line would have to begin or end inside a word. */
export function breaksWords(text: string, room: TextArea): boolean {
	return text.split("\n").some(paragraph => {
		const width = room.width - hangOf(paragraph, room).rest;
		return breakUnits(paragraph).some(unit => room.widthOf(unit.text) > width);
	});
}

/** Longer lines, all through a text, were broken to fit somewhere and not to say something. */
const hardWrapFrom = 50;

/** Joins lines that were broken at a width, as in comments and mails; lists, headings and empty lines stay apart. */
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

/** Lines are never made narrower than this share of the room. */
const narrowest = 0.55;
const balancingSteps = 7;

/**
 * Breaks a text into as few lines as `wrapText`, of lengths as equal as can be: no word is alone in the last one. Words
 * stay whole where they were.
 */
export function balanceText(text: string, room: TextArea): readonly WrappedLine[] {
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

/** Whether words are broken at the same places; where a script has no blanks, a line may end behind any of its words. */
function isAlike(left: readonly WrappedLine[], right: readonly WrappedLine[]): boolean {
	const wordsOf = (lines: readonly WrappedLine[]): string =>
		lines.map(({ text }) => text).join(" ");
	return left.some(({ text }) => spaceless.test(text)) || wordsOf(left) === wordsOf(right);
}

/** What begins an item of a list, as it is shown, with the blanks that say how deep in the list it is. */
const itemMark = /^(?<blanks>\s*)(?<mark>(?:[•◦‣▪☐☑]|\p{Nd}{1,3}[.)])\s)\s*(?=\S)/u;

/** How far in each blank before an item brings it: two of them below the words of the item that it is part of. */
const blankIndent = 0.45;

/** Items are set in by this share of the room at most, and a wider mark has nothing below it. */
const maxIndentShare = 0.25;

/** Where the first line of a paragraph begins and where the rest do. */
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

/** A part of a text that a line may begin with. */
interface BreakUnit {
	readonly text: string;
	/** No blank is before it. */
	readonly isGlued: boolean;
}

/** Scripts that have no blanks between words. */
const spaceless =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** No line begins with one of these, and none ends with one of those. @see https://www.w3.org/TR/jlreq/#characters_not_starting_a_line */
const neverFirst =
	/^[\p{Pe}\p{Pf}\p{M}、。，．・：；？！ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々〻‼⁇…%％!,.:;?)\]}]/u;
const neverLast = /[\p{Ps}\p{Pi}¥＄$£#]$/u;

const words = new Intl.Segmenter("ja", { granularity: "word" });

/** The parts of a paragraph between which lines may be broken: at blanks, and between words of scripts that have none. */
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

/** An address or a name of several words is rather broken behind one of these. */
const joint = /[/\\\-._?&=#:,;]/;

/**
 * The word itself when it fits a line; its pieces, each as long as fits, otherwise. With `joint`, a piece ends behind a letter that
 * matches, where its last half has one.
 */
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
