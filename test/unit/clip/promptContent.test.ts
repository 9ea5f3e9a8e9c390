import { expect, test } from "vitest";
import { readPrompt } from "../../../src/clip/promptContent.ts";

test("a fence's words give the title, the first line's number and the lit lines", () => {
	expect(readPrompt('```python title="my total.py" line=7 {2}\na = 1\nb = 2\n```')).toEqual({
		type: "code",
		code: "a = 1\nb = 2",
		language: "python",
		caption: "my total.py",
		firstLine: 7,
		lit: [2],
	});
});

test("the language that a fence names is never guessed", () => {
	const code = "const a = () => 1;\nfunction b() {}\nconst c = 2;";
	expect(readPrompt(`\`\`\`typescript\n${code}\n\`\`\``)).toMatchObject({ language: "typescript" });
	expect(readPrompt(code)).toMatchObject({ language: "javascript" });
});

test("what a code prints is with it, and is no other version of it", () => {
	expect(readPrompt("```python\nprint(1 + 1)\n```\n\n```text\n2\n```")).toMatchObject({
		type: "code",
		code: "print(1 + 1)",
		output: "2",
	});
	expect(readPrompt("```text\nprint\n```\n```text\n2\n```").type).toBe("change");
});

test("code in JavaScript and then in TypeScript is one change, in other languages it is none", () => {
	const fences = (language: string): string =>
		`\`\`\`js\nlet a = f(1);\n\`\`\`\n\n\`\`\`${language}\nlet a: A = f(1);\n\`\`\``;
	expect(readPrompt(fences("ts"))).toMatchObject({ type: "change", language: "ts" });
	expect(readPrompt(fences("rust")).type).not.toBe("change");
});

test("T45: a prompt of a fence's signs alone is read in time", () => {
	const signs = "`".repeat(150_000);
	expect([signs, signs.replaceAll("`", "~")].map(text => readPrompt(text).type)).toEqual([
		"prose",
		"prose",
	]);
});
