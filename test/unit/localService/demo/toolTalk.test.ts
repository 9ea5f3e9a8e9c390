import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../src/client/contract/schemas.ts";
import { answerQuestion } from "../../../../src/localService/demo/demoEngine.ts";

const names = [
	"get_selection",
	"get_active_file",
	"rename_file",
	"apply_edit",
	"replace_selection",
	"generate_video",
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
	const reply = events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
	return { call: call && [call.name, JSON.parse(call.arguments)], reply };
}

const selection = "src/a.ts, lines 1-1:\nHello there";

test.each([
	["Show the selection", "get_selection", {}],
	["Show a sample edit of the selection", "get_selection", {}],
	["Please make the selection upper case", "get_selection", {}],
	["Make a video of the selection", "get_selection", {}],
	["Rename this file to prices.ts", "get_active_file", {}],
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

test("the last result is passed on, and calls nothing more", () => {
	const { call, reply } = answer("make the selection upper case", [selection, "Changed src/a.ts."]);
	expect(call).toBeUndefined();
	expect(reply).toContain("Changed src/a.ts.");
	expect(answer("make the selection upper case", ["Nothing is selected."]).reply).toContain(
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

test("a selection that is asked about is passed on as the tool told it, without a guess at what it means", () => {
	const { reply } = answer("show the selection", [selection]);
	expect(reply).toMatch(/just what the tool returned.*Hello there/s);
	expect(answer("show the selection", ["Nothing is selected."]).reply).toContain(
		"Nothing is selected.",
	);
});

test("of a video that is being made the answer mentions its card, and of one that is not, the tool's message", () => {
	const text = "make a video of the selection";
	expect(answer(text, [selection, "The video is being made; its id is 7."]).reply).toContain(
		"card",
	);
	expect(answer(text, [selection, "Denied: no."]).reply).toContain("Denied: no.");
});
