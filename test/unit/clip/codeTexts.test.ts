import { expect, test } from "vitest";
import { linesBefore } from "../../../src/clip/changeSource.ts";
import { readDiff } from "../../../src/clip/changeLines.ts";
import { codeTextsOf, coloredTokens, colorKey } from "../../../src/clip/codeTexts.ts";

test("a prompt's code is one text with its numbers, shown with spaces and kept with its tabs", () => {
	const prompt = '```makefile title="Makefile" line=7\n\n\tall: a\n\t\tcc\ta\n```';
	expect(codeTextsOf(prompt, 4)).toEqual([
		{
			lines: ["all: a", "    cc  a"],
			raw: ["all: a", "	cc	a"],
			numbers: [7, 8],
			language: "makefile",
			caption: "Makefile",
		},
	]);
});

test("a change is two texts, each version as a whole, and prose is none", () => {
	const prompt = "a.py\n```diff\n@@ -3,3 +3,3 @@\n def a():\n-\told\n+\tnew\n \tpass\n```";
	const texts = codeTextsOf(prompt, 2);
	expect(texts.map(({ lines, raw, numbers }) => ({ lines, raw, numbers }))).toEqual([
		{
			lines: ["def a():", "  old", "  pass"],
			raw: ["def a():", "	old", "	pass"],
			numbers: [3, 4, 5],
		},
		{
			lines: ["def a():", "  new", "  pass"],
			raw: ["def a():", "	new", "	pass"],
			numbers: [3, 4, 5],
		},
	]);
	expect(codeTextsOf("Some words of prose.", 4)).toEqual([]);
});

test("the file before a change is made from the file after it", () => {
	const after = ["one", "two", "new", "four", "five", "six", "last"];
	const diff = "@@ -2,2 +2,2 @@\n two\n-three\n+new\n@@ -6,2 +6,1 @@\n six\n-gone";
	const change = readDiff(diff)?.lines ?? [];
	expect(linesBefore(after, change)).toEqual({
		lines: ["one", "two", "three", "four", "five", "six", "gone", "last"],
		at: [1, 2, 5, 6],
	});
	expect(linesBefore(["one"], change)).toBeUndefined();
	expect(linesBefore(after, readDiff("-a\n+b")?.lines ?? [])).toBeUndefined();
});

test("colors are those of the text with just these lines", () => {
	const lines = ["ab", "c"];
	const colors = {
		[colorKey(lines)]: {
			styles: ["#000000", "#ffffff bi"],
			lines: [
				[1, 0, 1, 1],
				[1, 1],
			],
		},
	};
	expect(coloredTokens(lines, colors)).toEqual([
		[
			{ kind: "plain", color: "#000000", text: "a" },
			{ kind: "plain", color: "#ffffff", isBold: true, isItalic: true, text: "b" },
		],
		[{ kind: "plain", color: "#ffffff", isBold: true, isItalic: true, text: "c" }],
	]);
	expect(coloredTokens(["ab", "d"], colors)).toBeUndefined();
});
