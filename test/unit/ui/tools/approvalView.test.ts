import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../../src/tools/gate/approvals.ts";
import { type FilePreview, placeEdits } from "../../../../src/tools/contract/edits.ts";
import { approvalView } from "../../../../src/ui/tools/approvalView.ts";

const text = "import x;\nexport interface Order {\n\tid: string;\n}\n";

function viewOf(preview: Partial<FilePreview>, request: Partial<ApprovalRequest> = {}) {
	const target = { label: "a.ts" } as FilePreview["target"];
	const file: FilePreview = {
		target,
		change: "edit",
		before: "",
		after: "",
		hunks: [],
		...preview,
	};
	return approvalView("id", {
		callId: "c",
		tool: {
			name: "t",
			title: "T",
			effect: "write",
		},
		summary: "",
		argumentsText: "",
		files: ["a.ts"],
		warnings: [],
		canRemember: false,
		fingerprint: "",
		preview: { files: [file] },
		...request,
	});
}

const marks = { same: " ", removed: "-", added: "+", gap: "⋯" };

/** The lines of each change, each with its mark and its number. */
function shown(before: string, ...edits: (readonly [find: string, replace: string])[]): string[][] {
	const requested = edits.map(([find, replace]) => ({ find, replace }));
	const { hunks } = viewOf({ before, hunks: placeEdits(before, requested, "a.ts") });
	return hunks.map(({ lines }) =>
		lines.map(line => `${marks[line.kind]}${line.number} ${line.text}`),
	);
}

test("a changed fragment is shown in its whole line, with a line on either side", () => {
	expect(shown(text, ["Order", "OrderLine"])).toEqual([
		[
			" 1 import x;",
			"-2 export interface Order {",
			"+2 export interface OrderLine {",
			" 3 \tid: string;",
		],
	]);
});

test("lines that an edit names and leaves alone are neither removed nor added", () => {
	const before = "a\nb\nc\nd\ne\nf\n";
	expect(shown(before, ["a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\n"])).toEqual([
		[" 1 a", "-2 b", "+2 B", " 3 c", " 4 d", "-5 e", "+5 E", " 6 f"],
	]);
	expect(shown(before, ["b\nc\nd\ne\nf", "B\nc\nd\ne\nF"])).toEqual([
		[" 1 a", "-2 b", "+2 B", " 3 c", "⋯4 ", " 5 e", "-6 f", "+6 F"],
	]);
});

test("lines behind added ones are numbered as they will be", () => {
	expect(shown(text, ["import x;\n", "import x;\nimport y;\n"], ["id", "key"])).toEqual([
		[" 1 import x;", "+2 import y;", " 3 export interface Order {"],
		[" 3 export interface Order {", "-3 \tid: string;", "+4 \tkey: string;", " 5 }"],
	]);
});

test("a line that goes as a whole, and lines that are joined, are shown as such", () => {
	expect(shown(text, ["\tid: string;\n", ""])).toEqual([
		[" 2 export interface Order {", "-3 \tid: string;", " 3 }"],
	]);
	expect(shown(text, ["{\n\tid", "{ id"])).toEqual([
		[
			" 1 import x;",
			"-2 export interface Order {",
			"-3 \tid: string;",
			"+2 export interface Order { id: string;",
			" 3 }",
		],
	]);
});

test("the end of a last line that comes or goes is shown", () => {
	expect(shown("a", ["a", "a\n"])).toEqual([[" 1 a", "+2 "]]);
});

test("line ends of Windows are no part of what is shown", () => {
	expect(shown(text.replaceAll("\n", "\r\n"), ["id", "key"])).toEqual([
		[" 2 export interface Order {", "-3 \tid: string;", "+3 \tkey: string;", " 4 }"],
	]);
});

test("of a line as long as a file, only what is near the change is shown", () => {
	const [lines] = shown(`${"a".repeat(5000)} needle ${"b".repeat(5000)}`, ["needle", "pin"]);
	expect(lines?.map(line => line.length)).toEqual([
		"-1 ".length + 2 * 401 + "needle".length,
		"+1 ".length + 2 * 401 + "pin".length,
	]);
});

test("a new file is added lines alone, cut with how many are left, and can't be taken in part", () => {
	const after = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
	const { hunks, counts } = viewOf({ change: "create", after });
	expect(counts).toEqual({ added: 40, removed: 0 });
	expect(hunks).toHaveLength(1);
	expect(hunks[0]?.number).toBeUndefined();
	expect(hunks[0]?.left).toBe(28);
	expect(new Set(hunks[0]?.lines.map(({ kind }) => kind))).toEqual(new Set(["added"]));
	expect(hunks[0]?.lines.at(-1)).toEqual({ kind: "added", number: 12, text: "line 11" });
});

test("T30: hidden characters of changed lines are shown by their code", () => {
	expect(shown("a\n", ["a", "b\u202E"])).toEqual([["-1 a", "+1 b␣U+202E"]]);
});

test.each([
	[{ seconds: 3, shape: "9:16" }, "3 s · 9:16"],
	[{ seconds: undefined, shape: "1:1" }, "1:1"],
	[{ seconds: 3, shape: undefined }, "3 s"],
	[{ seconds: undefined, shape: undefined }, ""],
])(
	"a video is shown with its prompt, and with what is known of length and shape: %o",
	(known, facts) => {
		const clip = { prompt: "A boat\non a \u202Eriver", ...known };
		const view = viewOf({}, { preview: undefined, clip });
		expect(view.clip).toEqual({ prompt: "A boat\non a ␣U+202Eriver", facts });
		expect(view.counts).toBeUndefined();
	},
);
