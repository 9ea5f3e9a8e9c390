import { createServer } from "node:http";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import type { ChatMessage } from "../../../../src/client/contract/schemas.ts";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { toError } from "../../../../src/common/errors.ts";
import { type Log, silentLog } from "../../../../src/common/log.ts";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import type { Interpreter } from "../../../../src/localService/python/codeInterpreter.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import {
	callReply,
	delta,
	errorReply,
	frames,
	type ModelReply,
	type ModelServer,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { startTestService, testToken } from "../testService.ts";
import { writeFile } from "node:fs/promises";

const demo: Engine = {
	async *answer() {
		yield { type: "message-start", role: "assistant" };
		yield { type: "text-delta", text: "the demo" };
		yield { type: "message-end" };
	},
};

interface Answer {
	/** Messages, with calls as «name(arguments)». */
	readonly messages: readonly string[];
	/** What the model did before its words. */
	readonly stages: readonly string[];
	/** What it was asked without. */
	readonly notes: readonly string[];
	readonly failure: string | undefined;
	readonly error: unknown;
}

interface Bench {
	readonly server: ModelServer;
	ask(fields?: object, python?: Interpreter, signal?: AbortSignal): Promise<Answer>;
}

async function openBench(
	replies: readonly ModelReply[],
	name = "lm",
	log: Log = silentLog,
): Promise<Bench> {
	const server = await startModelServer(replies);
	const headers = { authorization: "Bearer k" };
	const options = { servers: [{ name, baseUrl: server.url, headers }], contextLength: 0 };
	const models = new Models(() => options, demo, systemClock, log);
	return {
		server,
		ask: async (fields = {}, python, signal = new AbortController().signal) => {
			const messages = [{ role: "user", content: "Hi" }];
			const request = { model: "lm/tiny/q4", stream: true, messages, ...fields };
			return await gather(() => models.answer(request, signal, python));
		},
	};
}

async function gather(answer: () => AsyncIterable<EngineEvent>): Promise<Answer> {
	const messages: string[] = [];
	const stages: string[] = [];
	const notes: string[] = [];
	let open: string | undefined;
	try {
		for await (const event of answer()) {
			if (event.type === "message-start") {
				expect(open).toBeUndefined();
				open = "";
			} else if (event.type === "text-delta") {
				open += event.text;
			} else if (event.type === "tool-call") {
				open += `${event.name}(${event.arguments})`;
			} else if (event.type === "message-end") {
				messages.push(open ?? "?");
				open = undefined;
			} else if (event.type === "progress") {
				stages.push(event.stage);
			} else if (event.type === "note") {
				notes.push([event.kind, ...event.names].join(" "));
			}
		}
		expect(open).toBeUndefined();
		return { messages, stages, notes, failure: undefined, error: undefined };
	} catch (error) {
		const shown = open === undefined ? messages : [...messages, open];
		return { messages: shown, stages, notes, failure: toError(error).message, error };
	}
}

const weather = { type: "function", function: { name: "get_weather", description: "Weather" } };

test("a model's text streams into one message, and its name goes to the server without the server's", async () => {
	const { server, ask } = await openBench([textReply("Hel", "lo")]);
	expect((await ask({ temperature: 0.5 })).messages).toEqual(["Hello"]);
	expect(server.requests[0]).toMatchObject({
		model: "tiny/q4",
		stream: true,
		temperature: 0.5,
		messages: [{ role: "user", content: "Hi" }],
	});
	expect(server.headers[0]).toMatchObject({ authorization: "Bearer k" });
});

test("a model without a server's name is the demo's; one of a server that is gone fails in words", async () => {
	const { ask, server } = await openBench([textReply("x")]);
	expect((await ask({ model: "llm-4-turbo-tools" })).messages).toEqual(["the demo"]);
	expect((await ask({ model: "gone/tiny" })).failure).toBe(
		"The model server gone is not set up any more.",
	);
	expect(server.requests).toEqual([]);
});

test("the caller's tools go to the model, and its calls and their results come back in its own form", async () => {
	const { server, ask } = await openBench([
		callReply("get_weather", { city: "Oslo" }),
		textReply("Rain."),
	]);
	const offered = { custom_tools: [weather] };
	expect((await ask(offered)).messages).toEqual(['get_weather({"city":"Oslo"})']);
	expect(server.requests[0]).toMatchObject({ tools: [weather] });
	const call = {
		id: "call_1",
		type: "function",
		function: { name: "get_weather", arguments: "{}" },
	};
	const messages: ChatMessage[] = [
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "", tool_calls: [call] },
		{ role: "tool", content: "wet", tool_call_id: "call_1" },
	];
	expect((await ask({ ...offered, messages })).messages).toEqual(["Rain."]);
	expect(server.requests[1]?.["messages"]).toMatchObject([
		{ role: "user", content: "Hi" },
		{ role: "assistant", tool_calls: [{ id: "call_1", function: { name: "get_weather" } }] },
		{ role: "tool", content: "wet", tool_call_id: "call_1" },
	]);
});

test("a call that a server passes on as text is one in every respect, and goes back to it as a call", async () => {
	const written =
		'<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
	const { server, ask } = await openBench([
		textReply("I look.\n", ...(written.match(/[^]{1,5}/g) ?? [])),
		textReply("Rain."),
	]);
	const offered = { custom_tools: [weather] };
	expect((await ask(offered)).messages).toEqual(['I look.\nget_weather({"city":"Oslo"})']);
	const called = { name: "get_weather", arguments: '{"city":"Oslo"}' };
	const messages: ChatMessage[] = [
		{ role: "user", content: "Hi" },
		{
			role: "assistant",
			content: "I look.\n",
			tool_calls: [
				{
					id: "a1",
					type: "function",
					function: called,
				},
			],
		},
		{ role: "tool", content: "wet", tool_call_id: "a1" },
	];
	expect((await ask({ ...offered, messages })).messages).toEqual(["Rain."]);
	expect(server.requests[1]?.["messages"]).toMatchObject(messages);
});

test("a call at the end of a thought is one if the model then writes nothing", async () => {
	const call =
		'<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n';
	const thinks = (thought: string, content: string): ModelReply => ({
		body: frames(delta({ reasoning_content: thought }), delta({ content }, "stop")),
	});
	const offered = { custom_tools: [weather] };
	for (const reply of [
		thinks(`I look.\n${call}`, "\n"),
		textReply(`<think>I look.\n${call}</think>`),
	]) {
		const { messages } = await (await openBench([reply])).ask(offered);
		expect(messages.join("").trim()).toBe('get_weather({"city":"Oslo"})');
	}
	const answered = await openBench([thinks(`I look.\n${call}`, "It rains.")]);
	expect((await answered.ask(offered)).messages).toEqual(["It rains."]);
	const without = await openBench([thinks(`${call}But no.`, "")]);
	expect((await without.ask(offered)).failure).toBe("The model thought and then did not answer.");
});

test("a tool of the service that a model calls in text is run there", async () => {
	const { ask, server } = await openBench([
		textReply('{"name": "code_interpreter", "arguments": {"code": "print(1)"}}'),
		textReply("It is 1."),
	]);
	const { messages } = await ask({}, await fakePython());
	expect(messages.at(-1)).toBe("It is 1.");
	const sent = z.array(z.looseObject({ role: z.string() })).parse(server.requests[1]?.["messages"]);
	expect(sent.slice(-2)).toMatchObject([
		{ role: "assistant", tool_calls: [{ function: { name: "code_interpreter" } }] },
		{ role: "tool" },
	]);
});

test("a deprecated function is offered as a tool, and its call and result are matched", async () => {
	const { server, ask } = await openBench([textReply("Rain.")]);
	const messages = [
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "", function_call: { name: "f", arguments: "{}" } },
		{ role: "function", name: "f", content: "wet" },
	];
	await ask({ messages, functions: [{ name: "f" }] });
	const sent = server.requests[0]?.["messages"] as {
		tool_call_id?: string;
		tool_calls?: { id: string }[];
	}[];
	expect(sent[2]).toMatchObject({ role: "tool", content: "wet" });
	expect(sent[2]?.tool_call_id).toBe(sent[1]?.tool_calls?.[0]?.id);
	expect(server.requests[0]?.["tools"]).toEqual([{ type: "function", function: { name: "f" } }]);
});

/** A question whose answer called a tool, with the tool's result. */
const afterCall = [
	{ role: "user", content: "Hi" },
	{
		role: "assistant",
		content: "",
		tool_calls: [
			{ id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } },
		],
	},
	{ role: "tool", content: "wet", tool_call_id: "c1" },
];

test("what a model thought before a call goes back to it with the call's result, and to nobody else", async () => {
	const call = {
		index: 0,
		id: "c1",
		function: { name: "get_weather", arguments: "{}" },
		extra_content: { google: { thought_signature: "s" } },
	};
	const reply = {
		body: frames(
			delta({ reasoning_content: "hm" }),
			delta({ reasoning_content: "m" }),
			delta({ tool_calls: [call] }),
			delta({}, "tool_calls"),
		),
	};
	const { server, ask } = await openBench([reply, textReply("Rain.")]);
	expect((await ask({ custom_tools: [weather] })).messages).toEqual(["get_weather({})"]);
	await ask({ messages: afterCall });
	expect(server.requests[1]?.["messages"]).toMatchObject([
		{},
		{ reasoning_content: "hmm", tool_calls: [{ id: "c1", extra_content: call.extra_content }] },
		{},
	]);
});

test.each([
	{
		message:
			"messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
		code: "wrong_api_format",
	},
	{
		error: {
			message:
				"'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
		},
	},
	{
		detail: [
			{
				type: "extra_forbidden",
				loc: ["body", "messages", 1, "assistant", "reasoning_content"],
				msg: "Extra inputs are not permitted",
			},
		],
	},
])("a server that refuses the thoughts it sent gets its calls without them: %j", async body => {
	const call = { index: 0, id: "c1", function: { name: "get_weather", arguments: "{}" } };
	const thinking = delta({ reasoning_content: "hm" });
	const reply = { body: frames(thinking, delta({ tool_calls: [call] }), delta({}, "tool_calls")) };
	const { server, ask } = await openBench([reply, errorReply(422, body), textReply("Rain.")]);
	await ask({ custom_tools: [weather] });
	for (let question = 0; question < 2; question += 1) {
		expect((await ask({ messages: afterCall })).messages).toEqual(["Rain."]);
	}
	const thoughts = server.requests.map(({ messages: sent }) => JSON.stringify(sent).includes("hm"));
	expect(thoughts).toEqual([false, true, false, false]);
	expect(server.requests[2]?.["messages"]).toMatchObject(afterCall);
});

test.each([{}, { reasoning_effort: "high" }])(
	"a model that can't think beside tools is asked not to, and a note says so: %j",
	async fields => {
		const message =
			"Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
		const refused = errorReply(400, { error: { message, param: "reasoning_effort" } });
		const { server, ask } = await openBench([refused, textReply("ok")]);
		for (let question = 0; question < 2; question += 1) {
			const { messages, notes } = await ask({ custom_tools: [weather], ...fields });
			expect([notes, messages]).toEqual([["noThinking"], ["ok"]]);
		}
		expect((await ask(fields)).notes).toEqual([]);
		const sent = server.requests.map(request => [request["reasoning_effort"], "tools" in request]);
		const effort = fields.reasoning_effort;
		expect(sent).toEqual([
			[effort, true],
			["none", true],
			["none", true],
			[effort, false],
		]);
	},
);

test("several messages of one answer go to the model as one", async () => {
	const { server, ask } = await openBench([textReply("x")]);
	const messages = ["a", "b"].map(content => ({ role: "assistant", content }));
	await ask({
		messages: [{ role: "user", content: "Hi" }, ...messages, { role: "user", content: "Go" }],
	});
	expect(server.requests[0]?.["messages"]).toEqual([
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "a\n\nb" },
		{ role: "user", content: "Go" },
	]);
});

test("stopping ends the request at the server", async () => {
	const { server, ask } = await openBench([
		{
			...textReply("Hello"),
			body: frames(delta({ content: "Hel" })).replace("data: [DONE]\n\n", ""),
			ending: "open",
		},
	]);
	const stop = new AbortController();
	const asked = ask({}, undefined, stop.signal);
	await expect.poll(() => server.requests.length).toBe(1);
	stop.abort();
	expect((await asked).error).toMatchObject({ name: "AbortError" });
	await expect.poll(() => server.aborted).toBe(1);
});

test("a refusal comes with the server's own words, and a wrong key is not taken for Cutaway's", async () => {
	const { ask } = await openBench([
		errorReply(401, { error: { message: "Incorrect API key provided" } }),
		errorReply(429, { error: { message: "Slow down" } }, { "retry-after": "70" }),
		errorReply(500, "<html><title>502 Bad Gateway</title></html>"),
	]);
	expect(await ask()).toMatchObject({
		failure: "lm answered 401: Incorrect API key provided",
		error: { status: 424 },
	});
	expect(await ask()).toMatchObject({ error: { status: 429, headers: { "Retry-After": "70" } } });
	expect(await ask()).toMatchObject({
		failure: "lm answered 500: 502 Bad Gateway",
		error: { status: 502 },
	});
});

test("a server that does not run is named", async () => {
	const options = {
		servers: [{ name: "lm", baseUrl: "http://127.0.0.1:9", headers: {} }],
		contextLength: 0,
	};
	const models = new Models(() => options, demo, systemClock);
	const request = { model: "lm/x", messages: [{ role: "user", content: "Hi" }] };
	const { failure } = await gather(() => models.answer(request, new AbortController().signal));
	expect(failure).toMatch(/^lm is not running|^The connection to lm broke/);
});

test("an answer that broke off fails with the server's words", async () => {
	const broken = {
		body: `${frames(delta({ content: "Hel" })).replace("data: [DONE]\n\n", "")}data: {"error":{"message":"GPU gone"}}\n\n`,
	};
	const { ask } = await openBench([broken]);
	expect(await ask()).toMatchObject({ messages: ["Hel"], failure: "lm failed: GPU gone" });
});

test("an answer at the model's limit ends short in a stream, and says so where it comes whole", async () => {
	const { ask } = await openBench([
		{ body: frames(delta({ content: "Hel" }), delta({}, "length")) },
	]);
	expect(await ask()).toMatchObject({ messages: ["Hel"], failure: "Cut at the model's limit." });
	expect(await ask({ max_tokens: 3 })).toMatchObject({ messages: ["Hel"], failure: undefined });
	expect(
		(await ask({ stream: false, messages: [{ role: "user", content: "?" }] })).messages,
	).toEqual(["Hel", "Cut at the model's limit."]);
});

const refusals: readonly object[] = [
	{ error: { message: "Unsupported parameter: 'seed' is not supported with this model." } },
	{ error: { message: "Unrecognized request argument supplied: seed" } },
	{ error: { message: "No.", code: "unknown_parameter", param: "seed" } },
	{ error: { message: "property 'seed' is unsupported" } },
	{ detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs" }] },
	{ error: { message: "Unsupported value: 'seed' does not support 7 with this model." } },
	{ error: { message: "`seed` is deprecated for this model." } },
	{ error: { message: "`top_p` and `seed` cannot both be specified for this model." } },
];

test("a call in a model's marks that can't be read is noted and logged, and isn't the answer", async () => {
	const lines: unknown[] = [];
	const log = { ...silentLog, warn: (...line: unknown[]) => lines.push(line) };
	const reply = textReply(
		"I look.\n",
		'<tool_call>{"name": "get_weather", "arguments": {</tool_call>',
	);
	const { ask } = await openBench([reply], "lm", log);
	const { messages, notes } = await ask({ custom_tools: [weather] });
	expect([notes, messages]).toEqual([["unreadCall"], ["I look.\n"]]);
	expect(lines).toEqual([["A model's call came as text that can't be read", { server: "lm" }]]);
});

test.each(refusals)(
	"a parameter the server does not know is left out, logged and noted: %j",
	async body => {
		const lines: unknown[] = [];
		const log = { ...silentLog, warn: (...line: unknown[]) => lines.push(line) };
		const { server, ask } = await openBench([errorReply(400, body), textReply("ok")], "lm", log);
		const { messages, notes } = await ask({ seed: 7, top_p: 1 });
		expect([notes, messages]).toEqual([["withoutParameter seed"], ["ok"]]);
		expect(Object.keys(server.requests[1] ?? {})).not.toContain("seed");
		expect(server.requests[1]).toMatchObject({ top_p: 1 });
		expect(lines).toEqual([
			["The model server refused a parameter", { server: "lm", parameter: "seed" }],
		]);
	},
);

test.each([
	"Argument not supported on this model: presencePenalty",
	"Model grok-4.6 does not support parameter presencePenalty.",
])("a parameter that xAI refuses in its own spelling is left out: %s", async error => {
	const code = "Client specified an invalid argument";
	const { server, ask } = await openBench([errorReply(400, { code, error }), textReply("ok")]);
	const { messages, notes } = await ask({ presence_penalty: 0 });
	expect([notes, messages]).toEqual([["withoutParameter presence_penalty"], ["ok"]]);
	expect(server.requests[1]).not.toHaveProperty("presence_penalty");
});

test("a refusal that only mentions a parameter leaves the request as it is and is told", async () => {
	const body = { error: { message: "Invalid value for 'temperature': at most 2. seed was 7." } };
	const { server, ask } = await openBench([errorReply(400, body), textReply("ok")]);
	const { failure } = await ask({ temperature: 3, seed: 7 });
	expect(failure).toBe("lm answered 400: Invalid value for 'temperature': at most 2. seed was 7.");
	expect(server.requests).toHaveLength(1);
});

test("max_tokens goes under its newer name once, and a limit is never given up", async () => {
	const newer = {
		error: {
			message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
		},
	};
	const { server, ask } = await openBench([
		errorReply(400, newer),
		errorReply(400, { error: { message: "Unsupported parameter: 'max_completion_tokens'" } }),
	]);
	expect((await ask({ max_tokens: 9 })).failure).toContain("'max_completion_tokens'");
	expect(server.requests[1]).toMatchObject({ max_completion_tokens: 9 });
	expect(server.requests).toHaveLength(2);
});

test.each([
	["service_tier", "flex", "Unsupported parameter: 'service_tier' is not supported."],
	["provider", { max_price: 1 }, "Unknown parameter: 'provider'"],
	["max_output_tokens", 9, "Unsupported parameter: 'max_output_tokens'"],
	["reasoning_effort", "none", "Unsupported value: 'reasoning_effort' does not support 'none'."],
])("a request is not repeated without %s, which bounds its cost", async (name, value, message) => {
	const { server, ask } = await openBench([errorReply(400, { error: { message } })]);
	expect((await ask({ [name]: value })).failure).toContain(message);
	expect(server.requests).toHaveLength(1);
});

test("a model that is being loaded is waited for", async () => {
	const { ask } = await openBench([
		errorReply(503, { error: { message: "Loading model", code: 503 } }),
		textReply("ok"),
	]);
	const { messages, stages } = await ask();
	expect(messages).toEqual(["ok"]);
	expect(stages).toEqual(["reading", "loading"]);
});

test("a model without tools answers without them, and a note says so", async () => {
	const { server, ask } = await openBench([
		errorReply(400, { error: { message: "tiny does not support tools" } }),
		textReply("ok"),
	]);
	for (let question = 0; question < 2; question += 1) {
		const { messages, notes } = await ask({ custom_tools: [weather] });
		expect([notes, messages]).toEqual([["noTools"], ["ok"]]);
	}
	expect(server.requests.map(request => "tools" in request)).toEqual([true, false, false]);
});

test.each([
	"Invalid 'tools': array too long. Expected an array with maximum length 2, but got an array with length 5 instead.",
	"'tools' : maximum number of items is 2",
	"The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: [FIELD_INVALID] At most 2 function declarations can be specified.",
	"You may not include more than 2 tools in your request.",
	"Too many tools: 5. The limit is 2.",
	"number of tools exceeds 2",
	"Too many tools were sent.",
])("of more tools than a server accepts, the first are offered: %s", async message => {
	const names = ["a", "b", "c", "d", "e"];
	const five = names.map(name => ({ ...weather, function: { ...weather.function, name } }));
	const { server, ask } = await openBench([
		errorReply(400, { error: { message } }),
		textReply("ok"),
	]);
	for (let question = 0; question < 2; question += 1) {
		const { messages, notes } = await ask({ custom_tools: five });
		expect([notes, messages]).toEqual([["fewerTools c d e"], ["ok"]]);
	}
	const offered = server.requests.map(({ tools }) => (tools as readonly unknown[]).length);
	expect(offered).toEqual([5, 2, 2]);
});

test.each([
	"Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64.",
	"Too many requests, at most 2 per minute with functions.",
])("a message about something else doesn't leave out tools: %s", async message => {
	const { server, ask } = await openBench([errorReply(400, { error: { message } })]);
	await ask({ custom_tools: [weather] });
	expect(server.requests).toHaveLength(1);
});

test.each([
	"Invalid schema for function 'mcp_list': In context=('properties', 'ids'), array schema missing items.",
	"* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[ids].items: missing field.",
	"tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
	"Invalid 'tools[1].function.parameters': expected an object.",
])("a tool that a server refuses leaves alone, and a note names it: %s", async message => {
	const other = { ...weather, function: { ...weather.function, name: "mcp_list" } };
	const { server, ask } = await openBench([
		errorReply(400, { error: { message } }),
		textReply("ok"),
	]);
	for (let question = 0; question < 2; question += 1) {
		const { messages, notes } = await ask({ custom_tools: [weather, other] });
		expect([notes, messages]).toEqual([["refusedTools mcp_list"], ["ok"]]);
	}
	const offered = server.requests.map(request =>
		JSON.stringify(request["tools"]).match(/mcp_list/g),
	);
	expect(offered.map(found => found?.length ?? 0)).toEqual([1, 0, 0]);
	expect(
		server.requests.every(request =>
			JSON.stringify(request["tools"]).includes(weather.function.name),
		),
	).toBe(true);
});

test("a server that refuses one tool after the other is asked without tools in the end", async () => {
	const all = Array.from({ length: 6 }, (_, index) => ({
		...weather,
		function: { ...weather.function, name: `mcp_${index}` },
	}));
	const refused = all.map(({ function: { name } }) =>
		errorReply(400, { error: { message: `Invalid schema for function '${name}'` } }),
	);
	const { server, ask } = await openBench([...refused.slice(0, 4), textReply("ok")]);
	expect((await ask({ custom_tools: all })).messages).toEqual(["ok"]);
	expect(server.requests).toHaveLength(5);
	expect(server.requests[4]).not.toHaveProperty("tools");
});

test("Ollama is asked in its own way, with the context that is set, and never shortens a conversation", async () => {
	const server = await startModelServer([ollamaReply("Rain.")], {
		"/api/version": { version: "0.9.0" },
		"/api/tags": { models: [] },
	});
	const servers = [{ name: "lm", baseUrl: `${server.url}/v1`, headers: {} }];
	const models = new Models(() => ({ servers, contextLength: 8192 }), demo, systemClock);
	const call = { id: "c", type: "function", function: { name: "f", arguments: '{"x":1}' } };
	const messages: ChatMessage[] = [
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "", tool_calls: [call] },
		{ role: "tool", content: "wet", tool_call_id: "c" },
	];
	const request = { model: "lm/tiny", stream: true, messages, max_tokens: 100 };
	const signal = new AbortController().signal;
	expect((await gather(() => models.answer(request, signal))).messages).toEqual(["Rain."]);
	expect(server.requests[0]).toMatchObject({
		model: "tiny",
		truncate: false,
		shift: false,
		options: {
			num_ctx: 8192,
			num_predict: 100,
		},
		messages: [
			{ role: "user" },
			{
				tool_calls: [
					{
						function: {
							name: "f",
							arguments: { x: 1 },
						},
					},
				],
			},
			{
				role: "tool",
				content: "wet",
				tool_name: "f",
			},
		],
	});
});

/** A Python that echoes its code, and pages that say their address. */
async function fakePython(): Promise<Interpreter> {
	const folder = await makeTempFolder();
	await writeFile(`${folder}/a`, "name,age\nAda,36\n");
	const file = {
		id: "f",
		name: "a.csv",
		mountedAs: "a.csv",
		type: "text/csv",
		size: 16,
		path: `${folder}/a`,
	};
	return {
		files: [file],
		run: async code => ({
			status: "done",
			output: `ran ${code}`,
			result: null,
			files: { count: 0, shown: [] },
			figures: [],
			hasLostState: false,
		}),
	};
}

test("files for Python are told with the last question, so the text before it stays as it was", async () => {
	const { server, ask } = await openBench([textReply("ok")]);
	const messages = [
		{ role: "system", content: "Be brief." },
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "Hello" },
		{ role: "user", content: "Add it up" },
	];
	await ask({ messages }, await fakePython());
	await ask({ messages });
	const [withFile, without] = server.requests.map(request => request["messages"] as object[]);
	expect(withFile?.slice(0, 3)).toEqual(without?.slice(0, 3));
	expect(withFile?.[3]).toMatchObject({
		role: "user",
		content: expect.stringMatching(/^Add it up\n\n[^]*a\.csv/),
	});
});

test("code_interpreter runs in the service, is shown as the demo's runs are, and the model reads the output", async () => {
	const { server, ask } = await openBench([
		callReply("code_interpreter", { code: "1+1" }),
		textReply("It is 2."),
	]);
	const { messages } = await ask({}, await fakePython());
	expect(messages).toEqual([
		"```python\n1+1\n```",
		"**Output**\n\n```text\nran 1+1\n```",
		"It is 2.",
	]);
	const [first, second] = server.requests.map(request => JSON.stringify(request));
	expect(first).toContain("a.csv (text/csv, 16 bytes), which begins:\\n  name,age\\n  Ada,36");
	expect(second).toContain('"role":"tool","tool_call_id":"call_1","content":"**Output**');
});

test("a tool that must be called is asked for once, also where the service runs it itself", async () => {
	const { server, ask } = await openBench([
		callReply("code_interpreter", { code: "1+1" }),
		textReply("It is 2."),
	]);
	await ask({ custom_tools: [weather], tool_choice: "required" }, await fakePython());
	expect(server.requests.map(request => request["tool_choice"])).toEqual(["required", undefined]);
});

test("arguments that are not what a tool takes are told to the model, and nothing is run", async () => {
	const { server, ask } = await openBench([
		callReply("code_interpreter", { cod: 1 }),
		textReply("Sorry."),
	]);
	expect((await ask({}, await fakePython())).messages).toEqual(["Sorry."]);
	expect(JSON.stringify(server.requests[1])).toContain("Nothing was run");
});

test("a call of a tool that was not offered is told to the model and not to the caller", async () => {
	const { server, ask } = await openBench([callReply("rm_rf", {}), textReply("Sorry.")]);
	expect((await ask({ custom_tools: [weather] })).messages).toEqual(["Sorry."]);
	expect(JSON.stringify(server.requests[1])).toContain("There is no tool rm_rf.");
});

test("the client reads a model's answer from the service, streamed and whole, without a complaint", async () => {
	const server = await startModelServer([
		callReply("code_interpreter", {}),
		textReply("Hel", "lo"),
	]);
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	const engine = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
	const { baseUrl } = await startTestService({ engine });
	const connection = connectionTo(baseUrl, { apiKey: testToken });
	const client = createServiceClient({ connection: async () => connection, clock: systemClock });
	const request = { model: "lm/tiny", messages: [{ role: "user", content: "Hi" }] };
	const types = new Set<string>();
	let text = "";
	for await (const event of client.streamChat(request)) {
		types.add(event.type);
		text += event.type === "text-delta" ? event.text : "";
	}
	expect([...types]).toEqual(["message-start", "text-delta", "message-end", "stream-end"]);
	const { messages } = await client.chat(request);
	expect(messages).toMatchObject([{ role: "assistant", content: "Hello" }]);
	expect(text).toBe("Hello");
});

test("a model that calls tools without end is stopped after 16 rounds", async () => {
	const { server, ask } = await openBench([callReply("code_interpreter", { code: "1" })]);
	const { messages } = await ask({}, await fakePython());
	expect(messages.at(-1)).toBe("The model called tools 16 times in a row; the answer ends here.");
	expect(server.requests).toHaveLength(16);
});

test("a round of both kinds of calls runs the service's and passes on the caller's", async () => {
	const calls = [
		{ index: 0, id: "a", function: { name: "code_interpreter", arguments: '{"code":"1"}' } },
		{ index: 1, id: "b", function: { name: "get_weather", arguments: "{}" } },
	];
	const { ask } = await openBench([
		{
			body: frames(
				delta({ content: "Look:" }),
				delta({ tool_calls: calls }),
				delta({}, "tool_calls"),
			),
		},
	]);
	const { messages } = await ask({ custom_tools: [weather] }, await fakePython());
	expect(messages).toEqual([
		"Look:",
		"```python\n1\n```",
		expect.stringContaining("ran 1"),
		"get_weather({})",
	]);
});

test("an answer that mentions </think> takes nothing from the answers after it", async () => {
	const mention = "A thought ends with </think>.";
	const { ask } = await openBench([textReply(mention), textReply("Hi. ", mention, " So.")]);
	expect((await ask()).messages).toEqual([mention]);
	expect((await ask()).messages).toEqual([`Hi. ${mention} So.`]);
});

test.each([{}, { max_tokens: 9 }, { stream: false }])(
	"a call cut off at the model's limit is neither run nor passed on: %j",
	async fields => {
		const words = "Cut at the model's limit inside a tool call, which was not run.";
		const calls = ["code_interpreter", "get_weather"].map((name, index) => ({
			index,
			id: name,
			function: {
				name,
				arguments: '{"code":"1"}',
			},
		}));
		const { server, ask } = await openBench([
			{ body: frames(delta({ content: "Look:" }), delta({ tool_calls: calls }, "length")) },
		]);
		const { messages, failure } = await ask(
			{ custom_tools: [weather], ...fields },
			await fakePython(),
		);
		expect([...messages, ...(failure === undefined ? [] : [failure])]).toEqual(["Look:", words]);
		expect(server.requests).toHaveLength(1);
	},
);

test("a server that does not say what it is is asked again after a minute, or when it answers 404", async () => {
	let asked = 0;
	let status = 200;
	const server = createServer((request, response) => {
		if (request.url === "/api/version") {
			asked += 1;
			response.destroy();
			return;
		}
		response.writeHead(status, { "content-type": "text/event-stream" });
		response.end(textReply("ok").body);
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { port } = z.object({ port: z.number() }).parse(server.address());
	const servers = [{ name: "lm", baseUrl: `http://127.0.0.1:${port}`, headers: {} }];
	const clock = createFakeClock();
	const models = new Models(() => ({ servers, contextLength: 0 }), demo, clock);
	const ask = async (): Promise<number> => {
		const request = { model: "lm/x", messages: [{ role: "user", content: "Hi" }] };
		await gather(() => models.answer(request, new AbortController().signal));
		return asked;
	};
	expect([await ask(), await ask()]).toEqual([1, 1]);
	await clock.advance(61_000);
	expect([await ask(), await ask()]).toEqual([2, 2]);
	status = 404;
	expect([await ask(), await ask()]).toEqual([2, 3]);
});

test.each([
	["on this machine", "127.0.0.1"],
	["elsewhere", "0.0.0.0"],
])(
	"a server %s may be silent for longer than fetch waits, and Stop ends it at once",
	{ tags: "thorough" },
	async (_, host) => {
		const server = await startModelServer([
			{ ...textReply("Slow."), delayMs: 2_500 },
			{ body: "", ending: "open" },
		]);
		const before = getGlobalDispatcher();
		setGlobalDispatcher(new Agent({ headersTimeout: 200, bodyTimeout: 200 }));
		onTestFinished(() => setGlobalDispatcher(before));
		const servers = [{ name: "lm", baseUrl: `http://${host}:${server.port}`, headers: {} }];
		const models = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
		const request = { model: "lm/x", stream: true, messages: [{ role: "user", content: "Hi" }] };
		const stop = new AbortController();
		const ask = (): Promise<Answer> => gather(() => models.answer(request, stop.signal));
		expect(await ask()).toMatchObject({ messages: ["Slow."], failure: undefined });
		const asked = ask();
		await expect.poll(() => server.requests.length).toBe(2);
		stop.abort();
		expect((await asked).error).toMatchObject({ name: "AbortError" });
		await expect.poll(() => server.aborted).toBe(1);
	},
);

test("thoughts, tokens and the limit are told beside the answer", async () => {
	const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
	const chunks = [delta({ reasoning_content: "hm" }), delta({ content: "Hi" }, "length"), usage];
	const { server } = await openBench([{ body: frames(...chunks) }]);
	const setup = { servers: [{ name: "lm", baseUrl: server.url, headers: {} }], contextLength: 0 };
	const models = new Models(() => setup, demo, systemClock);
	const messages = [{ role: "user", content: "Hi" }];
	const told: EngineEvent[] = [];
	const request = { model: "lm/tiny", stream: true, messages, max_tokens: 2 };
	for await (const event of models.answer(request, new AbortController().signal)) {
		told.push(event);
	}
	expect(told).toEqual([
		{ type: "progress", stage: "reading" },
		{ type: "thinking", text: "hm" },
		{ type: "message-start", role: "assistant" },
		{ type: "text-delta", text: "Hi" },
		{ type: "usage", input: 7, output: 2 },
		{ type: "message-end" },
		{ type: "finish", reason: "length" },
	]);
});

test("a model of another kind than the user wants is not asked, and the answer says why", async () => {
	const server = await startModelServer([textReply("Never"), textReply("Hello")]);
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	for (const engine of ["ollama", "vscode", "demo"] as const) {
		const setup = { servers, contextLength: 0, engine };
		const models = new Models(() => setup, demo, systemClock);
		const request = { model: "lm/tiny", messages: [{ role: "user", content: "Hi" }] };
		const { messages, failure } = await gather(() =>
			models.answer(request, new AbortController().signal),
		);
		expect(messages).toEqual([]);
		expect(failure).toContain(`cutaway.localService.engine is “${engine}”`);
	}
	expect(server.requests).toEqual([]);
});

test("a server that is silent tells its own trouble, and a model of the demo is left out as well", async () => {
	const servers = [{ name: "lm", baseUrl: "http://127.0.0.1:9", headers: {} }];
	const ask = (engine: "ollama" | "demo", model: string) => {
		const models = new Models(() => ({ servers, contextLength: 0, engine }), demo, systemClock);
		const request = { model, messages: [{ role: "user", content: "Hi" }] };
		return gather(() => models.answer(request, new AbortController().signal));
	};
	expect((await ask("ollama", "lm/tiny")).failure).toContain("lm is not running");
	expect((await ask("ollama", "llm-4")).failure).toContain("leaves this model out");
	expect((await ask("demo", "llm-4")).messages).toEqual(["the demo"]);
});

test.each([
	["a server as OpenAI's", "/v1", {}, textReply("Hi"), 8192],
	[
		"Ollama",
		"",
		{
			"/api/version": { version: "0.9.0" },
			"/api/tags": { models: [{ name: "tiny", digest: "d-context" }] },
			"/api/ps": { models: [{ name: "tiny", context_length: 4096 }] },
		},
		ollamaReply("Hi"),
		4096,
	],
] as const)(
	"the context in effect of a model of %s is told once its answer is over",
	async (_, path, pages, reply, tokens) => {
		const server = await startModelServer([reply], {
			"/v1/models": { data: [{ id: "other" }, { id: "tiny", max_model_len: 8192 }] },
			...pages,
		});
		const servers = [{ name: "lm", baseUrl: `${server.url}${path}`, headers: {} }];
		const models = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
		const told: EngineEvent[] = [];
		const request = { model: "lm/tiny", stream: true, messages: [{ role: "user", content: "Hi" }] };
		for await (const event of models.answer(request, new AbortController().signal)) {
			told.push(event);
		}
		expect(told.filter(({ type }) => type === "context")).toEqual([{ type: "context", tokens }]);
		expect(told.at(-1)).toEqual({ type: "message-end" });
	},
);
