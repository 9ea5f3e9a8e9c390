import { expect, test } from "vitest";
import { selectedText } from "../../../src/editor/selection.ts";

/** An editor over these lines with these selections, each as [line, from, to] within one line or whole lines. */
function editorWith(lines: readonly string[], selections: readonly (readonly number[])[]) {
	const ranges = selections.map(([line = 0, from = 0, to = 0, endLine = line]) => ({
		start: { line, character: from },
		end: { line: endLine, character: to },
	}));
	return {
		selections: ranges,
		document: {
			uri: { path: "/docs/notes.md", toString: () => "file:///docs/notes.md" },
			getText: (range: (typeof ranges)[number]) =>
				range.start.line === range.end.line
					? (lines[range.start.line] ?? "").slice(range.start.character, range.end.character)
					: lines.slice(range.start.line, range.end.line + 1).join("\n"),
		},
	} as unknown as Parameters<typeof selectedText>[0];
}

const lines = ["a river", "a boat", "", "dawn"];

test("one selection comes with its document and its lines, counted from 0", () => {
	expect(selectedText(editorWith(lines, [[1, 2, 6]]))).toEqual({
		text: "boat",
		uri: "file:///docs/notes.md",
		name: "notes.md",
		startLine: 1,
		endLine: 1,
	});
});

test("several cursors' selections are joined in the order of the document, not of the clicks", () => {
	const editor = editorWith(lines, [
		[3, 0, 4],
		[0, 2, 7],
	]);
	expect(selectedText(editor)).toMatchObject({ text: "river\ndawn", startLine: 0, endLine: 3 });
});

test("cursors without a selection beside one with are left out", () => {
	const editor = editorWith(lines, [
		[0, 1, 1],
		[1, 0, 6],
	]);
	expect(selectedText(editor)).toMatchObject({ text: "a boat", startLine: 1 });
});

test("a selection of several lines keeps its line breaks", () => {
	expect(selectedText(editorWith(lines, [[0, 0, 6, 1]]))?.text).toBe("a river\na boat");
});

test("whole lines end with the last of them, not with the one the cursor is in", () => {
	const place = { startLine: 0, endLine: 1 };
	expect(selectedText(editorWith(lines, [[0, 0, 0, 2]]))).toMatchObject(place);
	expect(selectedText(editorWith(lines, [[0, 0, 6, 1]]))).toMatchObject(place);
});

test("nothing selected, white space alone, and no editor give nothing", () => {
	expect(selectedText(editorWith(lines, [[0, 0, 0]]))).toBeUndefined();
	expect(selectedText(editorWith(["   "], [[0, 0, 3]]))).toBeUndefined();
	expect(selectedText(undefined)).toBeUndefined();
});
