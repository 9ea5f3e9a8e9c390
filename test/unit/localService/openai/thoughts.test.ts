import { describe, expect, test } from "vitest";
import { ThoughtFilter, type ThoughtPiece } from "../../../../src/localService/openai/thoughts.ts";

/** The text and the thoughts of an answer that comes in pieces of a length. */
function read(
	answer: string,
	length: number,
): { readonly text: string; readonly thoughts: string } {
	const filter = new ThoughtFilter();
	const all: ThoughtPiece[] = [];
	for (let start = 0; start < answer.length; start += length) {
		all.push(...filter.push(answer.slice(start, start + length)));
	}
	all.push(...filter.end(false));
	const join = (type: string): string =>
		all.map(piece => (piece.type === type && "text" in piece ? piece.text : "")).join("");
	return { text: join("text"), thoughts: join("thinking") };
}

describe.each([1, 3, 7, 1000])("An answer in pieces of %d characters", length => {
	test("has the thoughts in its middle told apart", () => {
		expect(read("One.\n\n<think>\nHm.\n\nYes.\n</think>\n\nTwo.\n", length)).toEqual({
			text: "One.\n\nTwo.\n",
			thoughts: "Hm.\n\nYes.\n\n",
		});
		expect(read("<think>a</think>One.\n<thinking>b</thinking>Two.", length)).toEqual({
			text: "One.\nTwo.",
			thoughts: "ab\n\n",
		});
	});

	test.each([
		"Write `<think>` and </think> like this: <think>x</think>.",
		"Code:\n\n```xml\n<think>\nx\n</think>\n```\n\nDone.",
		"Open\n<think>\nand never closed",
		"Ends with\n<thi",
		"A line\n<thinker>x</thinker>\n~~~\n`\n``",
	])("is shown as it came when a tag is quoted, in code or alone: %j", answer => {
		expect(read(answer, length)).toEqual({ text: answer, thoughts: "" });
	});
});

test("A tag that is not closed for long holds nothing back", () => {
	const filter = new ThoughtFilter();
	filter.push("One\n<think>\n");
	const pieces = Array.from({ length: 40 }, () => filter.push("x".repeat(1024))).flat();
	expect(pieces.length).toBeGreaterThan(5);
	expect(pieces.every(({ type }) => type === "text")).toBe(true);
});
