import { expect, test } from "vitest";
import { createFinder } from "../../../../../media/chat/find/query.ts";
import { cpuTimeOf } from "../../../../helpers/growth.ts";

const find = (
	text: string,
	searched: string,
	isCaseSensitive = false,
	isWholeWord = false,
): string[] =>
	(createFinder({ text, isCaseSensitive, isWholeWord })?.(searched) ?? []).map(([start, end]) =>
		searched.slice(start, end),
	);

test("Nothing is looked for until something is typed", () => {
	expect(createFinder({ text: "", isCaseSensitive: false, isWholeWord: false })).toBeUndefined();
});

test("Case counts only when it is asked to, in every script", () => {
	expect(find("the", "The other THE")).toEqual(["The", "the", "THE"]);
	expect(find("the", "The other THE", true)).toEqual(["the"]);
	expect(find("ÉCOLE", "une école")).toEqual(["école"]);
	expect(find("привет", "ПРИВЕТ")).toEqual(["ПРИВЕТ"]);
	expect(find("i", "İstanbul in it")).toEqual(["i", "i"]);
});

test("A whole word has no letter, digit or underscore beside it, in every script", () => {
	expect(find("cat", "cat concat cat_2 (cat)", false, true)).toEqual(["cat", "cat"]);
	expect(find("мир", "мир миру", false, true)).toEqual(["мир"]);
	expect(find("f(", "f( of(", false, true)).toEqual(["f("]);
});

test("Every sign stands for itself", () => {
	expect(find("a.*b", "a.*b axxb")).toEqual(["a.*b"]);
	expect(find("[x](y) {1}|$^\\?+-/", "so [x](y) {1}|$^\\?+-/")).toHaveLength(1);
	expect(find("😀", "a 😀 b")).toEqual(["😀"]);
});

test("White space stands for any white space, since a line may break anywhere, but not for the end of a block", () => {
	expect(find("two words", "two\n\twords and two  words")).toHaveLength(2);
	expect(find("two words", "two\u0000words")).toEqual([]);
});

test("The time is linear in the text, whatever is looked for", () => {
	const searched = "a".repeat(1_000_000);
	for (const wanted of [`${"a".repeat(50)}b`, " a"]) {
		expect(cpuTimeOf(() => expect(find(wanted, searched)).toEqual([]))).toBeLessThan(2500);
	}
});
