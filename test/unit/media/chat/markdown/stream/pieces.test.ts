import { describe, expect, test } from "vitest";
import { createMarkdownEngine } from "../../../../../../media/chat/markdown/final/engine.ts";
import { PieceSplitter } from "../../../../../../media/chat/markdown/stream/pieces.ts";

const engine = createMarkdownEngine();

/** The pieces of a text, and how many characters the judge was given to look at. */
function split(source: string): { readonly pieces: string[]; readonly judged: number } {
	let judged = 0;
	const splitter = new PieceSplitter((before, next) => {
		judged += before.length;
		return engine.judgeBoundary(before, next);
	});
	const pieces: string[] = [];
	for (const line of source.split("\n")) {
		const finished = splitter.addLine(line);
		if (finished) {
			pieces.push(finished.source);
		}
	}
	return { pieces: [...pieces, splitter.rest], judged };
}

describe("A text is cut", () => {
	test("between blocks that a blank line parts", () => {
		expect(split("one\n\n# two\n\nthree").pieces).toEqual(["one\n\n", "# two\n\n", "three\n"]);
	});

	test("right after code", () => {
		expect(split("```\na\n\nb\n```\nafter").pieces).toEqual(["```\na\n\nb\n```\n", "after\n"]);
	});

	test("not inside code, a list or a quote, whatever is in them", () => {
		for (const source of [
			"~~~\na\n\n# b\n\n~~",
			"- a\n\n- b\n\n  c\n\n- d",
			"1. a\n\n   ```\n   x\n\n   y",
		]) {
			expect(split(source).pieces).toEqual([`${source}\n`]);
		}
	});

	test("after a list once something else begins", () => {
		expect(split("- a\n\n- b\n\nafter").pieces).toEqual(["- a\n\n- b\n\n", "after\n"]);
	});
});

test.each([
	["a list", "- item\n\n"],
	["code", "```\nline\n\n"],
	["a list with code", "- a\n\n  ```\n  x\n\n"],
	["an open list that text seems to end", "- a\n\n  - b\n\n c\n\n"],
])("Looking for cuts in %s costs in proportion to its length", (_name, unit) => {
	const cost = (length: number): number => split(unit.repeat(length / unit.length)).judged / length;
	expect(cost(200_000)).toBeLessThanOrEqual(4 * Math.max(1, cost(20_000)));
});
