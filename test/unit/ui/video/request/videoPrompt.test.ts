import { describe, expect, test } from "vitest";
import {
	measurePrompt,
	promptTitle,
	shortenPrompt,
	tooLongMessage,
} from "../../../../../src/ui/video/request/videoPrompt.ts";
import { createRandom } from "../../../../helpers/random.ts";

describe("a prompt's length", () => {
	test("is counted in Unicode code points, as the service counts it", () => {
		expect(measurePrompt("🚣".repeat(4000), 4000)).toEqual({ characters: 4000, excess: 0 });
		expect(measurePrompt("🚣".repeat(4001), 4000)).toEqual({ characters: 4001, excess: 1 });
	});

	test("is rejected with how much is too much", () => {
		expect(tooLongMessage(measurePrompt("a".repeat(5234), 4000), 4000)).toBe(
			"The prompt has 5,234 characters, 1,234 over the service's limit of 4,000.",
		);
	});
});

describe("shortening", () => {
	test("ends at the last whole sentence that fits", () => {
		const text = "A boat leaves. It is dawn! Gulls follow the boat for a while.";
		expect(shortenPrompt(text, 40)).toEqual({
			text: "A boat leaves. It is dawn!",
			end: "sentence",
		});
	});

	test("takes a sentence that ends exactly at the limit", () => {
		expect(shortenPrompt("One two. Three.", 8)).toEqual({ text: "One two.", end: "sentence" });
	});

	test("does not take a dot inside a word for an end", () => {
		expect(shortenPrompt("call list.map then list.filter over it", 26)).toEqual({
			text: "call list.map then",
			end: "word",
		});
	});

	test("does not cut back more than half to find a sentence's end", () => {
		const short = shortenPrompt(`Hm. ${"word ".repeat(40)}`, 100);
		expect(short?.text.length).toBeGreaterThan(50);
		expect(short?.end).toBe("word");
	});

	test("says that rows of a table end at a line, and not at a sentence", () => {
		const rows = "date,item,price\n".repeat(20);
		expect(shortenPrompt(rows, 50)).toEqual({
			text: rows.slice(0, 47),
			end: "line",
		});
	});

	test("prefers a sentence's end to a line's that comes later", () => {
		expect(shortenPrompt("A first whole sentence. And one\nthat goes on", 36)).toEqual({
			text: "A first whole sentence.",
			end: "sentence",
		});
	});

	test("says that a text without a gap is cut", () => {
		expect(shortenPrompt("x".repeat(30), 20)).toEqual({ text: "x".repeat(20), end: "character" });
	});

	test("treats the sentences of other scripts alike", () => {
		expect(shortenPrompt("一艘船。 黎明。 海鸥", 8)).toEqual({
			text: "一艘船。 黎明。",
			end: "sentence",
		});
	});

	test("has nothing to do for a prompt that fits", () => {
		expect(shortenPrompt("short", 4000)).toBeUndefined();
	});

	test("never gives more than the limit, never half a character, and never nothing", () => {
		const random = createRandom(7);
		const parts = ["a", "word ", ". ", "\n", "🚣", "é", "!", "。", "   "];
		for (let round = 0; round < 500; round++) {
			const text = `x${Array.from({ length: 60 }, () => random.pick(parts)).join("")}`;
			const max = 1 + random.below(50);
			const short = shortenPrompt(text, max)?.text ?? "";
			expect([...short].length).toBeLessThanOrEqual(max);
			expect(short.isWellFormed()).toBe(true);
			expect(short.length).toBeGreaterThan(0);
			expect(text.startsWith(short)).toBe(true);
		}
	});
});

test("a title is one line and says when it goes on", () => {
	expect(promptTitle("two\n  lines\tof text")).toBe("two lines of text");
	expect(promptTitle("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
	expect([...promptTitle("🚣".repeat(100), 10)]).toHaveLength(10);
});

test("a title leaves out what marks a heading, a list or a comment, and is never empty for it", () => {
	expect(promptTitle("# Corner Roastery\n\nA shop")).toBe("Corner Roastery A shop");
	expect(promptTitle("// a boat\n// a river")).toBe("a boat // a river");
	expect(promptTitle("- item")).toBe("item");
	expect(promptTitle("###")).not.toBe("");
});

test("a title of code is no fence and no comment", () => {
	expect(promptTitle("```ts\n// Runs late.\n/* All\n of it. */\nrun(late);\n```")).toBe(
		"run(late);",
	);
	expect(promptTitle("Runs late\n```ts\nrun(late);\n```")).toBe("Runs late");
});
