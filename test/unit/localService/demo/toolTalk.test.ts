import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../src/client/index.ts";
import { answerQuestion } from "../../../../src/localService/demo/demoEngine.ts";

const names = [
	"get_selection",
	"get_active_file",
	"rename_file",
	"apply_edit",
	"replace_selection",
	"generate_video",
	"get_problems",
	"search_text",
	"read_file",
];

function answer(text: string, results: readonly string[] = [], offered: readonly string[] = names) {
	const messages: ChatMessage[] = [
		{ role: "user", content: text },
		...results.flatMap((content, index): ChatMessage[] => [
			{ role: "assistant", content: "" },
			{ role: "tool", tool_call_id: `c${index}`, content },
		]),
	];
	const { events } = answerQuestion({
		model: "llm-4-turbo-tools",
		messages,
		custom_tools: offered.map(name => ({ type: "function", function: { name } })),
	});
	const call = events.find(event => event.type === "tool-call");
	const said = events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
	return { call: call && [call.name, JSON.parse(call.arguments)], said };
}

const selection = "src/a.ts, lines 1-1:\nHello there";

test.each([
	["Explain the selection", "get_selection", {}],
	["Please make the selection upper case", "get_selection", {}],
	["Make a video of the selection", "get_selection", {}],
	["Which problems are there?", "get_problems", {}],
	["Fix the problems here", "get_active_file", {}],
	["Rename this file to prices.ts", "get_active_file", {}],
	["rename src/a.ts to src/b.ts", "rename_file", { path: "src/a.ts", newPath: "src/b.ts" }],
	["search for groupBy", "search_text", { query: "groupBy" }],
	["read src/pricing.ts", "read_file", { path: "src/pricing.ts" }],
])("«%s» begins with %s", (text, name, input) => {
	expect(answer(text).call).toEqual([name, input]);
});

test("a selection is changed, or made a video, with what its result holds", () => {
	expect(answer("make the selection upper case", [selection]).call).toEqual([
		"replace_selection",
		{ text: "HELLO THERE" },
	]);
	expect(answer("make a video of the selection", [selection]).call).toEqual([
		"generate_video",
		{ prompt: "Hello there" },
	]);
});

test("the last result is passed on, and ends the errand", () => {
	const { call, said } = answer("make the selection upper case", [selection, "Changed src/a.ts."]);
	expect(call).toBeUndefined();
	expect(said).toContain("Changed src/a.ts.");
	expect(answer("make the selection upper case", ["Nothing is selected."]).said).toContain(
		"Nothing is",
	);
});

test("nothing is called that was not offered", () => {
	expect(answer("Explain the selection", [], []).call).toBeUndefined();
	expect(
		answer("make the selection upper case", [selection], ["get_selection"]).call,
	).toBeUndefined();
});

test("the open file is renamed within its folder, or to the path that is named", () => {
	const open = "src/pricing.ts (typescript) (with unsaved changes):\nconst a = 1;";
	expect(answer("rename this file to prices.ts", [open]).call).toEqual([
		"rename_file",
		{ path: "src/pricing.ts", newPath: "src/prices.ts" },
	]);
	expect(answer("rename this file to `lib/prices.ts`.", [open]).call).toEqual([
		"rename_file",
		{ path: "src/pricing.ts", newPath: "lib/prices.ts" },
	]);
});

const open =
	"src/a.ts (typescript):\nimport { b } from './b';\nconst total = cuont;\nconst x = f(1";
const problems = [
	"src/a.ts:1:10 hint ts: 'b' is declared but its value is never read.",
	"src/a.ts:2:15 error ts: Cannot find name 'cuont'. Did you mean 'count'?",
	"src/a.ts:3:14 error ts: ')' expected.",
].join("\n");

test("problems are read of the open file, and those a rule fits become one edit", () => {
	expect(answer("fix the problems here", [open]).call).toEqual([
		"get_problems",
		{ path: "src/a.ts" },
	]);
	expect(answer("fix the problems here", [open, problems]).call).toEqual([
		"apply_edit",
		{
			files: [
				{
					path: "src/a.ts",
					edits: [
						{ find: "import { b } from './b';\n", replace: "", startLine: 1 },
						{ find: "const total = cuont;", replace: "const total = count;", startLine: 2 },
					],
				},
			],
		},
	]);
});

test("what was fixed and what no rule fits is said, and nothing is proposed when no rule fits", () => {
	const { call, said } = answer("fix the problems here", [open, problems, "Changed src/a.ts."]);
	expect(call).toBeUndefined();
	expect(said).toMatch(/Changed src\/a\.ts\..*line 2.*No rule of mine.*line 3/s);
	const hard = answer("fix the problems here", [open, "src/a.ts:3:14 error ts: ')' expected."]);
	expect(hard.call).toBeUndefined();
	expect(hard.said).toContain("No rule of mine fits");
	expect(answer("fix the errors", [open, "The editor shows no problems."]).said).toContain(
		"shows no problems",
	);
});

test("a selection is explained by counting, in the language of its file", () => {
	const { said } = answer("explain the selection", [
		"src/a.ts, lines 1-3:\ninterface Line {\n\tsku: string;\n}",
	]);
	expect(said).toMatch(
		/takes a language model.*src\/a\.ts, lines 1-3.*typescript.*interface `Line`/s,
	);
	expect(answer("explain the selection", ["Nothing is selected."]).said).toContain(
		"Nothing is selected.",
	);
});

test("of a video that is being made its card is spoken of, and of one that is not, what the tool said", () => {
	const text = "make a video of the selection";
	expect(answer(text, [selection, "The video is being made; its id is 7."]).said).toContain("card");
	expect(answer(text, [selection, "Denied: no."]).said).toContain("Denied: no.");
});
