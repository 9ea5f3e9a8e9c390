import { expect, test } from "vitest";
import {
	countHidden,
	revealHidden,
	revealInLine,
	splitHidden,
} from "../../../src/common/hiddenText.ts";

test("T30: hidden characters are shown by their code, line ends and tabs as they are", () => {
	expect(revealHidden("a\u202Eb\n\tc\u{E0041}\u0007")).toBe("a␣U+202Eb\n\tc␣U+E0041␣U+0007");
	expect(countHidden("a\r\nb\tc")).toBe(0);
	expect(countHidden("a\u200Bb\u2066")).toBe(2);
});

test.each([
	["a\u202Eb", "a␣U+202Eb"],
	["a\r\nb\tc\0", "a␣U+000D␣U+000Ab␣U+0009c␣U+0000"],
	["a\u200B\u2066\uFEFF", "a␣U+200B␣U+2066␣U+FEFF"],
	["a\u2028\u2029", "a␣U+2028␣U+2029"],
	["a\u{E0041}", "a␣U+E0041"],
	["a\u00AD", "a␣U+00AD"],
	["a\u{D800}", "a␣U+D800"],
	["a\uFE0F\u3164\uE000\uFFFC", "a␣U+FE0F␣U+3164␣U+E000␣U+FFFC"],
	["\u845B\u{E0100}\u6F22\u{E0172}\u8FBB\uFE00", "\u845B␣U+E0100\u6F22␣U+E0172\u8FBB␣U+FE00"],
	["1\u{E0141}2\uFE01+\u{E0101}", "1␣U+E01412␣U+FE01+␣U+E0101"],
	["a\u2800b\u{1D159}", "a␣U+2800b␣U+1D159"],
])("T30: in one line %j is shown as %s", (text, shown) => {
	expect(revealInLine(text)).toBe(shown);
});

test.each(["数据 é 🎬.csv", "naïve café.txt", "a-b_c (2).csv", "ملف.csv"])(
	"%s is shown as it is",
	text => {
		expect([revealInLine(text), revealHidden(text)]).toEqual([text, text]);
	},
);

/** Written with characters that show nothing alone. */
const ordinary = [
	["an emoji and its variation selector", "\u2699\uFE0F settings, 1\uFE0F\u20E3"],
	["a family", "\u{1F469}\u200D\u2764\uFE0F\u200D\u{1F468}"],
	["a skin tone and a profession", "\u{1F469}\u{1F3FD}\u200D\u{1F4BB}"],
	["the flag of Scotland", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
	[
		"Persian, also typed with two joiners",
		"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0645\u06CC\u200C\u200C\u062F",
	],
	["a Persian plural of a Latin word", "PDF\u200C\u0647\u0627"],
	["Hindi and Malayalam", "\u0915\u094D\u200D\u0937 \u0D15\u0D4D\u200D"],
] as const;

test.each(ordinary)("%s is no hidden text and shown as it is", (_, text) => {
	expect(revealInLine(text)).toBe(text);
	expect(countHidden(text)).toBe(0);
	expect(splitHidden(text)).toEqual([{ text, isHidden: false }]);
});

test.each([
	["an ideographic variation", "\u845B\u{E0100}\u57CE"],
	["a soft hyphen", "Donau\u00ADdampf"],
	["a zero-width space", "http://\u200Bexample"],
	["a mark of direction", "\u05E9\u05DC\u05D5\u05DD C++\u200E!"],
	["a mark at the start and one in the middle", "\uFEFFa\uFEFFb"],
	["what a terminal prints", "\u001B[31mred\u001B[0m\f\r\n"],
	["an icon of a font", "\uE0A0 main"],
])("%s, alone, hides no text", (_, text) => {
	expect(splitHidden(text)).toEqual([{ text, isHidden: false }]);
});

test.each([
	["tags", "\u{E0049}\u{E0067}"],
	["one tag", "\u{E0041}"],
	["an override of direction", "\u202E"],
	["an isolate", "\u2066"],
	["zero-width characters side by side", "\u200B\u200C\u200D\uFEFF"],
	["a blank letter", "\u3164"],
	["a zero-width space before tags", "\u200B\u{E0041}"],
	["bytes as variation selectors", "\uFE01\u{E0120}\u{E0131}"],
])("T30: %s are hidden text, between letters, behind an emoji and in Persian", (_, run) => {
	for (const [before, after] of [
		["a", "b"],
		["\u{1F600}", "!"],
		["\u0645", "\u0645"],
	] as const) {
		expect(splitHidden(`${before}${run}${after}`)).toEqual([
			{ text: before, isHidden: false },
			{ text: run, isHidden: true },
			{ text: after, isHidden: false },
		]);
	}
});

test("a tag sequence that is no flag is hidden text", () => {
	const parts = splitHidden("\u{1F3F4}\u{E0069}\u{E0067}\u{E006E}\u{E007F}");
	expect(parts.map(({ isHidden }) => isHidden)).toEqual([false, true]);
});

test("what is hidden in a long text of any script is found in one pass", () => {
	const text =
		"\u0645\u200C".repeat(300_000) + "\u200B".repeat(300_000) + "\u{1F469}\u200D".repeat(100_000);
	expect(
		splitHidden(text)
			.map(part => part.text)
			.join(""),
	).toBe(text);
});
