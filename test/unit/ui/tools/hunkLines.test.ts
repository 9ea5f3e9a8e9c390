import { expect, test } from "vitest";
import { placeEdits } from "../../../../src/tools/tool/edits.ts";
import { hunkLines } from "../../../../src/ui/tools/toolCardStore.ts";

const text = "import x;\nexport interface Order {\n\tid: string;\n}\n";

function shown(before: string, ...edits: (readonly [find: string, replace: string])[]) {
	const requested = edits.map(([find, replace]) => ({ find, replace }));
	return hunkLines({ before, hunks: placeEdits(before, requested, "a.ts") });
}

test("a changed fragment is shown in its whole line, with its number before and after", () => {
	expect(shown(text, ["Order", "OrderLine"])).toEqual([
		{
			before: "export interface Order {",
			after: "export interface OrderLine {",
			firstLines: { before: 2, after: 2 },
		},
	]);
});

test("lines behind added ones are numbered as they will be", () => {
	expect(shown(text, ["import x;\n", "import x;\nimport y;\n"], ["id", "key"])).toEqual([
		{ before: "import x;", after: "import x;\nimport y;", firstLines: { before: 1, after: 1 } },
		{ before: "\tid: string;", after: "\tkey: string;", firstLines: { before: 3, after: 4 } },
	]);
});

test("a line that goes as a whole leaves nothing, and none of its neighbors is shown", () => {
	expect(shown(text, ["\tid: string;\n", ""])).toEqual([
		{ before: "\tid: string;", after: "", firstLines: { before: 3, after: 3 } },
	]);
});

test("lines that are joined are shown with all that becomes one line", () => {
	expect(shown(text, ["{\n\tid", "{ id"])).toEqual([
		{
			before: "export interface Order {\n\tid: string;",
			after: "export interface Order { id: string;",
			firstLines: { before: 2, after: 2 },
		},
	]);
});

test("line ends of Windows are no part of what is shown", () => {
	const [hunk] = shown(text.replaceAll("\n", "\r\n"), ["Order", "OrderLine"]);
	expect(hunk).toMatchObject({
		before: "export interface Order {",
		after: "export interface OrderLine {",
	});
});

test("of a line as long as a file, only what is near the change is shown", () => {
	const [hunk] = shown(`${"a".repeat(5000)} needle ${"b".repeat(5000)}`, ["needle", "pin"]);
	expect(hunk?.before).toHaveLength(2 * 401 + "needle".length);
	expect(hunk?.after).toMatch(/^…a+ pin b+…$/);
});
