/** Room for text, and how to measure it. */
export interface TextArea {
	/** Width in the unit of `widthOf`. */
	readonly width: number;
	readonly widthOf: (text: string) => number;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Breaks a text into lines that fit: at spaces where there are any, inside a word only when it is wider than a line. */
export function wrapText(text: string, room: TextArea): readonly string[] {
	return text.split("\n").flatMap(paragraph => wrapParagraph(paragraph, room));
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
export function balanceText(text: string, room: TextArea): readonly string[] {
	let best = wrapText(text, room);
	let low = room.width * narrowest;
	let high = room.width;
	for (let step = 0; step < balancingSteps && best.length > 1; step += 1) {
		const width = (low + high) / 2;
		const lines = wrapText(text, { ...room, width });
		if (lines.length === best.length && lines.join(" ") === best.join(" ")) {
			best = lines;
			high = width;
		} else {
			low = width;
		}
	}
	return best;
}

function wrapParagraph(paragraph: string, room: TextArea): readonly string[] {
	const words = paragraph.split(/\s+/).filter(word => word !== "");
	const lines: string[] = [];
	let line = "";
	for (const word of words.flatMap(word => breakWord(word, room, joint))) {
		const longer = line === "" ? word : `${line} ${word}`;
		if (room.widthOf(longer) <= room.width) {
			line = longer;
		} else {
			lines.push(line);
			line = word;
		}
	}
	return line === "" ? [] : [...lines, line];
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

/** As few groups of at most `size` items as there can be, in order, and as full as each other. */
export function pagesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
	const count = Math.ceil(items.length / size);
	const start = (index: number): number => Math.ceil((index * items.length) / count);
	return Array.from({ length: count }, (_, index) => items.slice(start(index), start(index + 1)));
}
