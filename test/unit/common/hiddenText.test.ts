import { expect, test } from "vitest";
import { countHidden, revealHidden, revealInLine } from "../../../src/common/hiddenText.ts";

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
])("T30: in one line %j is shown as %s", (text, shown) => {
	expect(revealInLine(text)).toBe(shown);
});

test.each(["数据 é 🎬.csv", "naïve café.txt", "a-b_c (2).csv", "ملف.csv"])(
	"%s is shown as it is",
	text => {
		expect([revealInLine(text), revealHidden(text)]).toEqual([text, text]);
	},
);
