import { expect, test } from "vitest";
import { revealHidden } from "../../../src/common/visibleText.ts";

test.each([
	["a\u202Eb", "a␣U+202Eb"],
	["a\r\nb\tc\0", "a␣U+000D␣U+000Ab␣U+0009c␣U+0000"],
	["a\u200B\u2066\uFEFF", "a␣U+200B␣U+2066␣U+FEFF"],
	["a\u2028\u2029", "a␣U+2028␣U+2029"],
	["a\u{E0041}", "a␣U+E0041"],
	["a\u00AD", "a␣U+00AD"],
	["a\u{D800}", "a\uFFFD"],
])("T30: %j is shown as %s", (text, shown) => {
	expect(revealHidden(text)).toBe(shown);
});

test.each(["数据 é 🎬.csv", "naïve café.txt", "a-b_c (2).csv", "ملف.csv"])(
	"%s is shown as it is",
	text => {
		expect(revealHidden(text)).toBe(text);
	},
);
