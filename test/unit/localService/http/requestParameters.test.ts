import { describe, expect, test } from "vitest";
import type { ChatMessage, ChatRequest } from "../../../../src/client/contract/schemas.ts";
import type { ChatEvent } from "../../../../src/client/contract/serviceClient.ts";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
import { systemClock } from "../../../../src/common/async.ts";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import { chatRequest, refusalFrom, startTestService, testToken } from "../testService.ts";

const start: EngineEvent = { type: "message-start", role: "assistant" };
const end: EngineEvent = { type: "message-end" };
const say = (text: string): EngineEvent => ({ type: "text-delta", text });
const call = (name: string, id = "c1"): EngineEvent => ({
	type: "tool-call",
	id,
	name,
	arguments: '{"city":"Oslo"}',
});

const path = "/v1/chat/messages";
const tool = (name: string): object => ({ type: "function", function: { name } });
const tools = { custom_tools: [tool("get_weather"), tool("get_time")] };
const theCall = {
	id: "c1",
	type: "function",
	function: {
		name: "get_weather",
		arguments: '{"city":"Oslo"}',
	},
};

/** An engine that says the same to everything, and the requests it got. */
function scripted(...events: readonly EngineEvent[]): { engine: Engine; requests: ChatRequest[] } {
	const requests: ChatRequest[] = [];
	const engine: Engine = {
		async *answer(request) {
			requests.push(request);
			yield* events;
		},
	};
	return { engine, requests };
}

/** The messages of an answer to a request with these fields, and the same streamed, which must say the same. */
async function answerOf(engine: Engine, fields: object): Promise<readonly ChatMessage[]> {
	const { baseUrl } = await startTestService({ engine });
	const connection = connectionTo(baseUrl, { apiKey: testToken });
	const client = createServiceClient({ connection: async () => connection, clock: systemClock });
	// What the tests say is a request; the service checks it.
	const request = chatRequest("?", fields) as ChatRequest;
	const { messages } = await client.chat(request);
	const ends: Extract<ChatEvent, { type: "message-end" }>[] = [];
	for await (const event of client.streamChat(request)) {
		if (event.type === "message-end") {
			ends.push(event);
		}
	}
	expect(ends.map(({ message }) => message)).toEqual(messages);
	return messages;
}

describe("max_tokens", () => {
	test.each([
		[1, ["Zaż👍"]],
		[2, ["Zaż👍 and"]],
		[3, ["Zaż👍 and", "two "]],
		[5, ["Zaż👍 and", "two more."]],
	])("of %i cuts what any engine says", async (maxTokens, texts) => {
		const { engine } = scripted(
			start,
			say("Zaż👍"),
			say(" and"),
			end,
			start,
			say("two more."),
			end,
		);
		const messages = await answerOf(engine, { max_tokens: maxTokens });
		expect(messages.map(({ content }) => content)).toEqual(texts);
	});

	test("leaves no call behind the cut", async () => {
		const { engine } = scripted(start, say("Hello"), call("get_weather"), end);
		expect(await answerOf(engine, { max_tokens: 1, ...tools })).toEqual([
			{ role: "assistant", content: "Hell" },
		]);
	});

	test.each([0, -1, 1.5])("of %d is refused", async maxTokens => {
		const service = await startTestService();
		const response = await service.post(path, chatRequest("?", { max_tokens: maxTokens }));
		expect(response.status).toBe(400);
		expect((await refusalFrom(response)).error.message).toContain("max_tokens");
	});
});

describe("tool_choice", () => {
	const engine = scripted(start, say("Hm"), call("get_weather"), call("get_time", "c2"), end);
	const silent = scripted(start, say("Hm"), end);

	test("none: no engine is offered a tool, and no call comes", async () => {
		expect(await answerOf(engine.engine, { ...tools, tool_choice: "none" })).toEqual([
			{ role: "assistant", content: "Hm" },
		]);
		expect(engine.requests.at(-1)).not.toHaveProperty("custom_tools");
	});

	test("of a tool: it alone is offered and called", async () => {
		const fields = { ...tools, tool_choice: tool("get_weather") };
		expect(await answerOf(engine.engine, fields)).toEqual([
			{ role: "assistant", content: "Hm", tool_calls: [theCall] },
		]);
		expect(engine.requests.at(-1)?.custom_tools).toEqual([tool("get_weather")]);
	});

	test.each(["required", tool("get_weather")])(
		"%j: a call that the engine did not make is never made for it",
		async choice => {
			expect(await answerOf(silent.engine, { ...tools, tool_choice: choice })).toEqual([
				{ role: "assistant", content: "Hm" },
			]);
		},
	);

	test.each([
		["an unknown word", { ...tools, tool_choice: "any" }],
		["a tool that is not offered", { ...tools, tool_choice: tool("get_news") }],
		["required without tools", { tool_choice: "required" }],
	])("%s is refused", async (_what, fields) => {
		const service = await startTestService();
		const response = await service.post(path, chatRequest("?", fields));
		expect(response.status).toBe(400);
		expect((await refusalFrom(response)).error.message).toContain("tool_choice");
	});
});

describe("functions", () => {
	const functions = [{ name: "get_weather" }];
	const function_call = theCall.function;

	test("a call of one is a function_call", async () => {
		const { engine } = scripted(start, call("get_weather"), end);
		expect(await answerOf(engine, { functions })).toEqual([
			{ role: "assistant", content: "", function_call },
		]);
	});

	test("what is offered as a tool too is called as a tool", async () => {
		const { engine } = scripted(start, call("get_weather"), end);
		expect(await answerOf(engine, { functions, ...tools })).toEqual([
			{ role: "assistant", content: "", tool_calls: [theCall] },
		]);
	});

	test("function_call none and of a name count as tool_choice does", async () => {
		const { engine } = scripted(start, say("Hm"), call("get_weather"), end);
		expect(await answerOf(engine, { functions, function_call: "none" })).toEqual([
			{ role: "assistant", content: "Hm" },
		]);
		const more = [...functions, { name: "get_time" }];
		const named = scripted(start, call("get_time"), call("get_weather", "c2"), end);
		const fields = { functions: more, function_call: { name: "get_time" } };
		expect(await answerOf(named.engine, fields)).toEqual([
			{ role: "assistant", content: "", function_call: { ...function_call, name: "get_time" } },
		]);
	});
});
