import { describe, expect, test } from "vitest";
import { codeSamples } from "../../../../src/localService/demo/codeSamples.ts";
import { guessLanguage } from "../../../../src/localService/base/languageGuess.ts";
import { outlineOf } from "../../../../src/localService/demo/outline.ts";
import { reportText } from "../../../../src/localService/demo/textReport.ts";

describe("the language of a text", () => {
	test.each(Object.entries(codeSamples))("%s is recognised", (language, sample) => {
		expect(guessLanguage(sample)).toBe(language);
	});

	test.each([
		["a table", "name,age,city\nAda,36,London\nAlan,41,Wilmslow", "csv"],
		["notes", "# Title\n\nSome words.\n\n- one\n- two", "markdown"],
		["prose", "It was a quiet evening.\nNothing moved, and then\neverything did.", undefined],
		["nothing", "", undefined],
		["a question", "What does this do?", undefined],
	])("%s → %s", (_name, text, language) => {
		expect(guessLanguage(text)).toBe(language);
	});
});

describe("the outline of a text", () => {
	test.each([
		["typescript", ["interface Greeting", "function greet"]],
		["javascript", ["function greet"]],
		["python", ["class Greeting", "function greet"]],
		["rust", ["function letters", "function main"]],
		["go", ["function letters", "function main"]],
		["java", ["class Greeting"]],
		["c", ["function letters", "function main"]],
	])("%s", (language, names) => {
		const entries = outlineOf(codeSamples[language] ?? "", language);
		expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual(names);
	});

	test("tells the lines, counted from 1", () => {
		const text = "\nclass A {}\r\n\rexport const b = async (x: number): number => x;\ntype C = 1;";
		expect(outlineOf(text, "typescript")).toEqual([
			{ line: 2, kind: "class", name: "A" },
			{ line: 4, kind: "function", name: "b" },
			{ line: 5, kind: "type", name: "C" },
		]);
	});

	test("of Markdown is its headings, not the comments in its fences", () => {
		const text = "# One\n\n```sh\n# not a heading\n```\n\n## `Two` ##\n#no heading";
		expect(outlineOf(text, "markdown").map(({ name }) => name)).toEqual(["One", "Two"]);
	});
});

describe("a report", () => {
	test("counts lines, words, characters and bytes", () => {
		const report = reportText("Zażółć gęślą\n\n👍 it's", undefined);
		expect(report).toContain("| Looks like | plain text |");
		expect(report).toContain("| Lines | 3 (1 blank) |");
		expect(report).toContain("| Words | 3 |");
		expect(report).toContain("| Characters | 20 |");
		expect(report).toContain("| Bytes in UTF-8 | 30 |");
		expect(report).toContain("| Longest line | 12 characters |");
		expect(report).not.toContain("Outline");
	});

	test("names reminders and cuts a long outline", () => {
		const code = Array.from({ length: 25 }, (_, index) => `function f${index}() {} // TODO`).join(
			"\n",
		);
		const report = reportText(code, "javascript");
		expect(report).toContain("| Reminders such as TODO | 25 |");
		expect(report).toContain("- line 20: function `f19`");
		expect(report).not.toContain("`f20`");
		expect(report).toContain("- and 5 more");
	});

	test("of a megabyte takes no time to speak of", () => {
		// Of this thread's own, which other programs on the machine do not add to.
		const processorTime = (): number => {
			const { user, system } = process.threadCpuUsage();
			return (user + system) / 1000;
		};
		for (const unit of ["a{ b: c; ", "select ", "[[[[", "word ", '"k": ', "\n# ", "((((", "- \n"]) {
			const startedAt = processorTime();
			reportText(unit.repeat(1_000_000 / unit.length), undefined);
			expect(processorTime() - startedAt, unit).toBeLessThan(3_000);
		}
	});
});
