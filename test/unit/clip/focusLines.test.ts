import { expect, test } from "vitest";
import { focusLinesOf, focusOn } from "../../../src/clip/focusLines.ts";
import { motionOf, readPrompt } from "../../../src/clip/promptContent.ts";

const code = "const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;\nconst e = 5;";
const selected = `\`\`\`ts title="a.ts" line=12\n${code}\n\`\`\``;
const litOf = (prompt = ""): unknown => {
	const content = readPrompt(prompt);
	return content.type === "code" ? content.lit : content;
};

test("selected code has the numbers of its file, and its middle is proposed", () => {
	expect(focusLinesOf(selected)).toEqual({ first: 12, last: 16, named: "14" });
});

test.each([
	["12", [1]],
	["12-15", [1, 2, 3, 4]],
	[" 12 , 14 – 16 ", [1, 3, 4, 5]],
])("a clip focuses on the lines %s of a file, which keep title and numbers", (lines, lit) => {
	const prompt = focusOn(selected, lines) ?? "";
	expect(readPrompt(prompt)).toEqual({ ...readPrompt(selected), lit });
	expect(motionOf(prompt, 3)).toBe("focus");
});

test.each(["", "11", "12-17", "15-13", "12,", "top", "-12", "12 13"])(
	"lines that the code doesn't have are refused: “%s”",
	lines => {
		expect(focusOn(selected, lines)).toBeUndefined();
	},
);

test("lines named before are proposed, and replaced", () => {
	const prompt = focusOn(selected, "12,14-15") ?? "";
	expect(focusLinesOf(prompt)?.named).toBe("12, 14-15");
	expect(focusOn(prompt, "16")).toBe(`\`\`\`ts {5} title="a.ts" line=12\n${code}\n\`\`\``);
});

test("a fence's empty first lines, which its clip leaves out, shift no line", () => {
	expect(litOf(focusOn(`\`\`\`ts\n\n \n${code}\n\`\`\``, "2-3"))).toEqual([2, 3]);
});

test.each([code, code.replaceAll("\n", "\r\n"), `${code}\nconst f = \`\n\`\`\`\n\`\`\`\n\`;`])(
	"code without a fence of its own gets one and stays the same",
	prompt => {
		const focused = focusOn(prompt, "2-3") ?? "";
		expect(readPrompt(focused)).toEqual({ ...readPrompt(prompt), lit: [2, 3] });
	},
);

test.each(["A paper boat.", "```diff\n-a\n+b\n```", "```console\n$ npm test\nok\n```"])(
	"what isn't code has no lines to focus on: %s",
	prompt => {
		expect(focusLinesOf(prompt)).toBeUndefined();
		expect(focusOn(prompt, "1")).toBeUndefined();
	},
);
