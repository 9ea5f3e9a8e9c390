import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../src/client/contract/schemas.ts";
import { demoEngine, demoSentence } from "../../../../src/localService/demo/demoEngine.ts";
import type { EngineEvent } from "../../../../src/localService/engine.ts";

const names = ["get_selection", "replace_selection", "rename_file"];

/** The tool that the demo calls, or the words it answers with. */
async function answer(
	question: string,
	results: readonly string[] = [],
	offered: readonly string[] = names,
) {
	const messages: ChatMessage[] = [
		{ role: "user", content: question },
		...results.flatMap((content, index): ChatMessage[] => [
			{ role: "assistant", content: "" },
			{ role: "tool", tool_call_id: `c${index}`, content },
		]),
	];
	const custom_tools = offered.map(name => ({ type: "function" as const, function: { name } }));
	const events: EngineEvent[] = [];
	const request = { model: "llm-4-turbo-tools", messages, custom_tools };
	for await (const event of demoEngine.answer(request, new AbortController().signal)) {
		events.push(event);
	}
	const [start, content, end] = events;
	expect([start?.type, end?.type, events.length]).toEqual(["message-start", "message-end", 3]);
	return content?.type === "tool-call"
		? [content.name, JSON.parse(content.arguments)]
		: content?.type === "text-delta" && content.text;
}

test.each([
	"",
	"What can you do?",
	"Why is the sky blue?",
	"Explain the selected code.",
	"/help",
	"/fail cut",
])("the demo says what it lacks and what it can do, whatever is asked (ux 6): %j", async asked => {
	expect(await answer(asked)).toBe(demoSentence);
});

const asked = "Show a sample edit of the selection";
const selection = "src/a.ts, lines 1-1:\nHello there";

test("a sample edit reads the selection, and puts it in capitals", async () => {
	expect(await answer(asked)).toEqual(["get_selection", {}]);
	const edit = ["replace_selection", { text: "HELLO THERE" }];
	expect(await answer(asked, [selection])).toEqual(edit);
});

test("the result of a sample edit is passed on, and nothing more is called", async () => {
	expect(await answer(asked, [selection, "Changed src/a.ts."])).toContain("Changed src/a.ts.");
	expect(await answer(asked, ["Nothing is selected."])).toContain("Nothing is selected.");
});

test("nothing is called that was not offered", async () => {
	expect(await answer(asked, [], [])).toBe(demoSentence);
	expect(await answer(asked, [selection], ["get_selection"])).toContain("Hello there");
});
