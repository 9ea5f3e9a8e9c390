import { describe, expect, test } from "vitest";
import { applyHunks } from "../../../../src/tools/tool/edits.ts";
import { placeCode, type Selection } from "../../../../src/tools/catalog/placeCode.ts";

const file = `import { a } from "./a.ts";

/** Adds. */
export function add(x: number, y: number): number {
	return x + y;
}

class Shop {
	open(): void {
		this.lights = true;
	}

	close(): void {
		this.lights = false;
	}
}
`;

const placed = (text: string, code: string, selection?: Selection): string =>
	applyHunks(text, placeCode(text, code, selection));

describe("a block of code is placed", () => {
	test("as the whole file where it repeats most of it, line by line", () => {
		const code = file.replace("x + y", "y + x").replace("= false", "= 0");
		const hunks = placeCode(file, code, undefined);
		expect(applyHunks(file, hunks)).toBe(code);
		expect(hunks.map(({ startLine, oldText }) => [startLine, oldText])).toEqual([
			[5, "\treturn x + y;\n"],
			[14, "\t\tthis.lights = false;\n"],
		]);
	});

	test("where its first line is, up to its last line at the same depth", () => {
		const code = "close(): void {\n\tthis.lights = false;\n\tlock();\n}\n";
		expect(placed(file, code)).toBe(file.replace("= false;\n", "= false;\n\t\tlock();\n"));
	});

	test("in place of what has the same name, comments included, when the first line differs", () => {
		const code =
			"/** Adds any. */\nexport function add(...all: number[]): number {\n\treturn sum(all);\n}";
		expect(placed(file, code)).toBe(file.replace(/\/\*\* Adds\. \*\/[\s\S]*?\n}\n/, `${code}\n`));
	});

	test("by the indentation of a language without braces", () => {
		const python = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
		expect(placed(python, "def one(x):\n    y = x\n    return y\n")).toBe(
			"def one(x):\n    y = x\n    return y\n\n\ndef two():\n    return 2\n",
		);
	});

	test("in place of the selection when it fits nowhere, and below the cursor when nothing is selected", () => {
		const start = file.indexOf("return x");
		const end = start + "return x + y;".length;
		expect(placed(file, "return 3;", { start, end })).toBe(
			file.replace("return x + y;", "return 3;"),
		);
		expect(placed(file, "check(x);", { start, end: start })).toBe(
			file.replace("x + y;\n", "x + y;\n\tcheck(x);\n"),
		);
	});

	test("at the end of a file nobody is in, also of one that ends without a line end", () => {
		expect(placed("one()", "two()")).toBe("one()\ntwo()\n");
		expect(placed("", "two()\n")).toBe("two()\n");
	});

	test("piece by piece where it leaves parts out", () => {
		const code =
			"export function add(x: number, y: number): number {\n\treturn y + x;\n}\n\n// ... existing code ...\n\nclose(): void {\n\tlock();\n}";
		expect(placed(file, code)).toBe(
			file.replace("x + y", "y + x").replace("this.lights = false", "lock()"),
		);
	});

	test("with the line ends of the file", () => {
		const windows = file.replaceAll("\n", "\r\n");
		const code = file.replace("x + y", "y +\n\t\tx");
		expect(placed(windows, code)).toBe(code.replaceAll("\n", "\r\n"));
	});
});

test("a name that is declared twice says nothing of the place", () => {
	const twice =
		"function f() {\n\tone();\n}\nfunction f() {\n\ttwo();\n}\nlet a = 1;\nlet b = 2;\nlet c = 3;\n";
	expect(placed(twice, "function f(x) {\n\tthree();\n}")).toBe(
		`${twice}function f(x) {\n\tthree();\n}\n`,
	);
});

test.each([
	["what is there already", file, file, /already contains this code/],
	["an empty block", file, " \n", /is empty/],
	[
		"parts that say nothing of their place",
		file,
		"unknown();\n// ...\nother();",
		/its place in the file isn't clear/,
	],
])("%s is refused with a sentence", (_, text, code, sentence) => {
	expect(() => placeCode(text, code, undefined)).toThrow(sentence);
});
