/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** Removes case, accents and compatibility forms, so that “eclair” matches “Éclair”, and plain letters full-width ones. */
export function foldText(text: string): string {
	return isAscii(text) ? text.toLowerCase() : foldAny(text);
}

/** Returns a query's folded words without duplicates, at most 16. */
export function foldedWords(query: string): readonly string[] {
	const words = foldText(query)
		.split(/\s+/)
		.filter(word => word !== "");
	return [...new Set(words)].slice(0, maxWords);
}

/** Returns the ranges of the folded words in a text, ascending. Merges overlapping and adjacent ranges. */
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

/** Returns the position of the first folded word in a text, or undefined if there is none. */
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

/** Converts to upper case first, so that characters with different lowercase forms compare equal, such as “ß” and “SS” or the two sigmas. */
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
	/** Returns the original index of a folded unit; with `isEnd`, the index after its character. */
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
