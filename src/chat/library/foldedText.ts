/** A stretch of a text, in UTF-16 units; `end` is the first that no longer belongs to it. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/**
 * A text as a search compares it: without case, accents and compatibility forms, so that «Éclair» is found by «eclair» and
 * full-width letters by plain ones.
 */
export function foldText(text: string): string {
	return isAscii(text) ? text.toLowerCase() : foldAny(text);
}

/** The words of a query, folded, each once; at most 16. */
export function foldedWords(query: string): readonly string[] {
	const words = foldText(query)
		.split(/\s+/)
		.filter(word => word !== "");
	return [...new Set(words)].slice(0, maxWords);
}

/** Where any of the folded words is in a text, in order; what overlaps or touches is one range. */
export function rangesOfWords(text: string, words: readonly string[]): readonly TextRange[] {
	const { folded, originOf } = foldWithOrigins(text);
	const found = words
		.flatMap(word => occurrences(folded, word))
		.map(({ start, end }) => ({ start: originOf(start), end: originOf(end - 1, true) }))
		.sort((a, b) => a.start - b.start || a.end - b.end);
	const merged: TextRange[] = [];
	for (const range of found) {
		const last = merged.at(-1);
		if (last && range.start <= last.end) {
			merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
		} else {
			merged.push(range);
		}
	}
	return merged;
}

/** Where the first of the folded words is in a text; undefined when none does. */
export function firstPlace(text: string, words: readonly string[]): number | undefined {
	const { folded, originOf } = foldWithOrigins(text);
	const places = words.map(word => folded.indexOf(word)).filter(place => place !== -1);
	return places.length === 0 ? undefined : originOf(Math.min(...places));
}

const maxWords = 16;

// oxlint-disable-next-line no-control-regex -- ASCII begins with the control characters.
const ascii = /^[\u0000-\u007f]*$/;

function isAscii(text: string): boolean {
	return ascii.test(text);
}

/** Upper case before lower, so that letters meet whose lower cases differ, such as «ß» and «SS» or the two sigmas. */
function foldAny(text: string): string {
	return text
		.normalize("NFKD")
		.replaceAll(/\p{M}+/gu, "")
		.toUpperCase()
		.toLowerCase()
		.replaceAll("ς", "σ");
}

interface FoldedText {
	readonly folded: string;
	/** The unit of the text that a unit of the folded one comes from; with `isEnd`, the unit after that character. */
	originOf(index: number, isEnd?: boolean): number;
}

function foldWithOrigins(text: string): FoldedText {
	if (isAscii(text)) {
		return {
			folded: text.toLowerCase(),
			originOf: (index, isEnd = false) => index + (isEnd ? 1 : 0),
		};
	}
	const parts: string[] = [];
	const starts: number[] = [];
	const ends: number[] = [];
	let at = 0;
	for (const character of text) {
		const folded = foldText(character);
		parts.push(folded);
		for (let unit = 0; unit < folded.length; unit += 1) {
			starts.push(at);
			ends.push(at + character.length);
		}
		at += character.length;
	}
	return {
		folded: parts.join(""),
		originOf: (index, isEnd = false) => (isEnd ? ends[index] : starts[index]) ?? text.length,
	};
}

function occurrences(folded: string, word: string): TextRange[] {
	const found: TextRange[] = [];
	for (let start = folded.indexOf(word); start !== -1; start = folded.indexOf(word, start + 1)) {
		found.push({ start, end: start + word.length });
	}
	return found;
}
