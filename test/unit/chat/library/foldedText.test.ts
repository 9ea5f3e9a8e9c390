import { describe, expect, test } from "vitest";
import { foldedWords, foldText, rangesOfWords } from "../../../../src/chat/library/foldedText.ts";

/** The text with what was found between brackets. */
function marked(text: string, query: string): string {
	return rangesOfWords(text, foldedWords(query)).reduceRight(
		(result, { start, end }) =>
			`${result.slice(0, start)}[${result.slice(start, end)}]${result.slice(end)}`,
		text,
	);
}

describe("a folded text", () => {
	test.each([
		["Éclair", "eclair"],
		["ＦＵＬＬ", "full"],
		["STRASSE", "straße"],
		["ΟΔΟΣ", "οδος"],
		["İstanbul", "istanbul"],
		["e\u0301", "é"],
		["ﬁnd", "find"],
		["Łódź", "łodz"],
	])("%j is the same as %j", (one, other) => {
		expect(foldText(one)).toBe(foldText(other));
	});
});

describe("ranges of words", () => {
	test.each([
		["The cat sat", "AT", "The c[at] s[at]"],
		["déjà vu, deja vu", "deja", "[déjà] vu, [deja] vu"],
		["Große Straße", "strasse", "Große [Straße]"],
		["🎬 Film 🎬", "film 🎬", "[🎬] [Film] [🎬]"],
		["de\u0301ja", "deja", "[de\u0301ja]"],
		["aaaa", "aa", "[aaaa]"],
		["abcd", "ab cd", "[abcd]"],
		["nothing", "else", "nothing"],
		["한국어", "한국", "[한국]어"],
	])("%j for %j are %j", (text, query, expected) => {
		expect(marked(text, query)).toBe(expected);
	});
});

test("a query's words are taken once each, at most 16", () => {
	expect(foldedWords("  Cat cát\tCAT dog ")).toEqual(["cat", "dog"]);
	expect(foldedWords(" \n ")).toEqual([]);
	expect(foldedWords(Array.from({ length: 40 }, (_, index) => `w${index}`).join(" "))).toHaveLength(
		16,
	);
});
