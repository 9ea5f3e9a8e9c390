import { expect, test } from "vitest";
import { applyHunks, placeEdits } from "../../../../src/tools/contract/edits.ts";
import { createRandom } from "../../../helpers/random.ts";

const edited = (text: string, ...edits: Parameters<typeof placeEdits>[1]): string =>
	applyHunks(text, placeEdits(text, edits, "a.txt"));

test.each([
	["a\nb\nc", { find: "b", replace: "x\ny" }, "a\nx\ny\nc"],
	["a\r\nb\r\nc", { find: "a\nb", replace: "x\ny\nz" }, "x\r\ny\r\nz\r\nc"],
	["a\r\nb\r\nc", { find: "a\r\nb", replace: "x" }, "x\r\nc"],
	["a\r\nb\r\n", { find: "b\n", replace: "" }, "a\r\n"],
	["a\nb\r\nc\r\nd\r\n", { find: "a", replace: "a\na" }, "a\r\na\nb\r\nc\r\nd\r\n"],
	["\uFEFFa", { find: "a", replace: "b" }, "\uFEFFb"],
	["x x", { find: "x", replace: "y", startLine: 1 }, undefined],
	["x\nx", { find: "x", replace: "y", startLine: 2 }, "x\ny"],
	["x\nx", { find: "x", replace: "y", startLine: 3 }, undefined],
	["x\nx", { find: "x\nx", replace: "y", startLine: 2 }, undefined],
	["aaa", { find: "aa", replace: "b" }, undefined],
	["a", { find: "A", replace: "b" }, undefined],
	["a  b", { find: "a b", replace: "c" }, undefined],
	["a", { find: "a", replace: "a" }, undefined],
	["a", { find: "", replace: "b" }, undefined],
	["😀b", { find: "b", replace: "c" }, "😀c"],
	["a$&b", { find: "b", replace: "$&$1" }, "a$&$&$1"],
])("U12: %j with %j becomes %j", (text, edit, after) => {
	if (after === undefined) {
		expect(() => edited(text, edit)).toThrow(expect.objectContaining({ name: "ToolFailure" }));
	} else {
		expect(edited(text, edit)).toBe(after);
	}
});

test("an edit of an empty file tells the model how to fill it", () => {
	for (const text of ["", "\r\n"]) {
		expect(() => edited(text, { find: "a", replace: "b" })).toThrow("Call create_file");
	}
});

test("edits that overlap are refused; neighbors are not", () => {
	expect(() => edited("abcd", { find: "abc", replace: "x" }, { find: "cd", replace: "y" })).toThrow(
		"overlap",
	);
	expect(edited("abcd", { find: "cd", replace: "y" }, { find: "ab", replace: "x" })).toBe("xy");
});

test("placing agrees with replacing in the text itself, whatever the line ends", () => {
	const random = createRandom(7);
	for (let n = 0; n < 2000; n += 1) {
		const end = random.pick(["\n", "\r\n"]);
		const lines = Array.from(
			{ length: 1 + random.below(8) },
			(_, index) => `${index}${random.pick(["", "a", "é", "😀 b"])}`,
		);
		const at = random.below(lines.length);
		const count = 1 + random.below(lines.length - at);
		const find = lines.slice(at, at + count).join("\n");
		const text = lines.join(end);
		const replace = random.pick(["", "new", "two\nlines", "\n"]);
		const expected = [
			...lines.slice(0, at),
			replace.replaceAll("\n", text.includes("\r\n") ? end : "\n"),
			...lines.slice(at + count),
		].join(end);
		expect(edited(text, { find, replace })).toBe(expected);
	}
});
