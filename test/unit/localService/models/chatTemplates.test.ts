import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { ChatMessage } from "../../../../src/client/contract/schemas.ts";
import { systemClock } from "../../../../src/common/async.ts";
import type { EngineEvent } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { messagesWithin } from "../../../../src/localService/openai/turnTaking.ts";
import {
	errorReply,
	type ModelReply,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { createRandom } from "../../../helpers/random.ts";

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

const ollamaPages = {
	"/api/version": { version: "0.12.0" },
	"/api/tags": { models: [{ name: "tiny:latest" }] },
	"/api/show tiny:latest": {},
};

type Said = ChatMessage;

const messageSchema = z.looseObject({
	role: z.string(),
	content: z.string(),
	tool_call_id: z.optional(z.string()),
	tool_calls: z.optional(z.array(z.looseObject({ id: z.string() }))),
});
type Sent = z.infer<typeof messageSchema>;

async function openBench(
	replies: readonly ModelReply[],
	pages: Readonly<Record<string, unknown>> = {},
) {
	const server = await startModelServer(replies, pages);
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	const models = new Models(() => ({ servers, contextLength: 4_096 }), demo, systemClock);
	const requests = (): readonly Record<string, unknown>[] =>
		server.requests.filter(request => "messages" in request);
	return {
		requests,
		sent: (): readonly Sent[] => z.array(messageSchema).parse(requests().at(-1)?.["messages"]),
		ask: async (messages: readonly Said[], fields: object = {}): Promise<string> => {
			const request = { model: "lm/tiny", stream: true, messages: [...messages], ...fields };
			let text = "";
			const events: AsyncIterable<EngineEvent> = models.answer(
				request,
				new AbortController().signal,
			);
			for await (const event of events) {
				text += event.type === "text-delta" ? event.text : "";
				text += event.type === "message-end" ? "\n" : "";
				text += event.type === "note" ? `(${[event.kind, ...event.names].join(" ")})\n` : "";
			}
			return text;
		},
	};
}

/** What Mistral's template and interface refuse in a conversation; undefined where they take it. */
function mistralRefuses(messages: readonly Sent[]): string | undefined {
	const rest = messages[0]?.role === "system" ? messages.slice(1) : messages;
	if (rest.some(({ role }) => role === "system")) {
		return "System message must be at the beginning.";
	}
	const inTurns = rest.filter(({ role, tool_calls: calls }) => role !== "tool" && !calls);
	if (inTurns.some(({ role }, at) => (role === "user") !== (at % 2 === 0))) {
		return "conversation roles must alternate user/assistant/user/assistant/...";
	}
	if (rest.some(({ role }, at) => role === "user" && rest[at - 1]?.role === "tool")) {
		return "Unexpected role 'user' after role 'tool'";
	}
	const calls = rest.flatMap(({ tool_calls: made = [] }) => made.map(({ id }) => id));
	const results = rest.flatMap(({ tool_call_id: id }) => id ?? []);
	return calls.join() === results.join() ? undefined : "Not the same number of calls and results";
}

const user = (content: string): Said => ({ role: "user", content });
const assistant = (content: string): Said => ({ role: "assistant", content });
const calling = (...ids: readonly string[]): Said => ({
	...assistant(""),
	tool_calls: ids.map(id => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
});
const result = (id: string, content = "wet"): Said => ({ role: "tool", tool_call_id: id, content });
const system = (content: string): Said => ({ role: "system", content });

const chats: readonly (readonly [name: string, messages: readonly Said[]])[] = [
	["an answer that was stopped", [user("one"), user("two")]],
	["an answer that was stopped behind a result", [user("a"), calling("c"), result("c"), user("b")]],
	["a call without its result", [user("a"), calling("c", "d"), result("d"), user("b")]],
	["a result of no call", [user("a"), result("c"), assistant("b"), user("c")]],
	[
		"a result far behind its call",
		[user("a"), calling("c"), assistant("b"), result("c"), user("d")],
	],
	[
		"the same id in two answers",
		[user("a"), calling("c"), result("c", "1"), calling("c"), result("c", "2")],
	],
	["an answer first", [system("S"), assistant("a"), user("b")]],
	["instructions in the middle", [user("a"), system("S"), assistant("b"), system("T"), user("c")]],
];

test.each(chats)("roles take turns in a chat with %s", async (_, messages) => {
	const { ask, sent } = await openBench([textReply("ok")]);
	expect(await ask(messages)).toBe("ok\n");
	expect(mistralRefuses(sent())).toBeUndefined();
	for (const { content } of messages) {
		expect(sent().some(each => each.content.includes(content))).toBe(true);
	}
});

test("roles take turns in any chat, and nothing of it is lost", async () => {
	const { ask, sent } = await openBench([textReply("ok")]);
	const random = createRandom(7);
	for (let run = 0; run < 200; run += 1) {
		const messages = Array.from({ length: 1 + random.below(8) }, (_unused, at) => {
			const id = random.pick(["c1", "c2"]);
			return random.pick([
				user(`u${at}`),
				assistant(`a${at}`),
				calling(id),
				result(id, `r${at}`),
				system(`s${at}`),
			]);
		});
		await ask([...messages, user("last")]);
		expect(mistralRefuses(sent())).toBeUndefined();
		const all = sent()
			.map(({ content }) => content)
			.join("\n");
		expect(messages.filter(({ content }) => !all.includes(content))).toEqual([]);
	}
});

test("a stopped chat goes to Ollama in turns as well", async () => {
	const { ask, sent } = await openBench([ollamaReply("ok")], ollamaPages);
	await ask([user("one"), user("two")]);
	expect(sent()).toEqual([{ role: "user", content: "one\n\ntwo" }]);
});

test.each([
	[400, "System role not supported"],
	[500, "Jinja Exception: System role not supported"],
	[400, "Developer instruction is not enabled for models/gemma-3-27b-it"],
	[400, "Conversation roles must alternate user/assistant/user/assistant/..."],
	[400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
	[400, "tiny does not support system messages"],
])(
	"a model without a role for instructions gets them in front of the first message: %i %s",
	async (status, message) => {
		const bench = await openBench([errorReply(status, { error: { message } }), textReply("ok")]);
		const messages = [system("Be brief."), user("Hi"), assistant("Ho"), user("Go")];
		expect(await bench.ask(messages)).toBe("ok\n");
		const ordered = [user("Be brief.\n\nHi"), assistant("Ho"), user("Go")];
		expect(bench.sent()).toEqual(ordered);
		expect(await bench.ask(messages)).toBe("ok\n");
		expect(bench.sent()).toEqual(ordered);
		expect(bench.requests()).toHaveLength(3);
	},
);

test("a refusal of other instructions than the role is told, and the server is asked once", async () => {
	const bench = await openBench([errorReply(400, { error: { message: "System is busy" } })]);
	await expect(bench.ask([system("S"), user("Hi")])).rejects.toThrow("System is busy");
	expect(bench.requests()).toHaveLength(1);
});

test.each([
	"Tool call id was call_PTLP8xhu3uwZk4l3nlnrrJha but must be a-z, A-Z, 0-9, with a length of 9.",
	"Tool call IDs should be alphanumeric strings with length 9!",
])("ids of calls that another model gave are written as Mistral's take them: %s", async message => {
	const bench = await openBench([errorReply(400, { message }), textReply("ok")]);
	const messages = [
		user("a"),
		calling("call_1-x", "abcdefgh9"),
		result("call_1-x"),
		result("abcdefgh9"),
	];
	expect(await bench.ask(messages)).toBe("ok\n");
	const [, { tool_calls: calls = [] } = {}, ...results] = bench.sent();
	const ids = calls.map(({ id }) => id);
	expect(ids.every(id => /^[a-z0-9]{9}$/.test(id))).toBe(true);
	expect(ids[1]).toBe("abcdefgh9");
	expect(results.map(each => each.tool_call_id)).toEqual(ids);
});

test.each([
	"messages: text content blocks must be non-empty",
	"text content blocks must contain non-whitespace text",
	"The text field in the ContentBlock object at messages.1.content.0 is blank.",
])("an empty text beside calls is left out for a model that refuses it: %s", async message => {
	const bench = await openBench([errorReply(400, { message }), textReply("ok")]);
	const messages = [user("a"), calling("c"), result("c"), assistant(" \n"), user("b")];
	expect(await bench.ask(messages)).toBe("ok\n");
	const sent = bench.requests().map(request => JSON.stringify(request["messages"]));
	expect(sent[0]).toContain('"content":""');
	expect(sent[1]).not.toContain('"content":""');
	expect(sent[1]).not.toContain('"content":" \\n"');
});

test.each([
	{
		error: {
			message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
		},
	},
	{
		error: {
			message: "Provider returned error",
			metadata: { raw: "The `reasoning_content` in the thinking mode must be passed back" },
		},
	},
])("a model that wants the thoughts of earlier answers gets empty ones: %j", async body => {
	const bench = await openBench([errorReply(400, body), textReply("ok"), textReply("ok")]);
	const calls = [user("c"), calling("c"), result("c"), assistant("d")];
	const messages = [user("a"), assistant("b"), ...calls, user("e")];
	expect(await bench.ask(messages)).toBe("ok\n");
	expect(await bench.ask(messages)).toBe("ok\n");
	const sent = bench.requests().map(request => JSON.stringify(request["messages"]));
	expect(sent.map(text => text.split('"reasoning_content":""').length - 1)).toEqual([0, 3, 3]);
	const thought = { role: "assistant", content: "b", reasoning_content: "hm" };
	expect(messagesWithin([user("a"), thought], new Set(["thoughts"])).at(-1)).toEqual(thought);
});

test.each([
	"Assistant message must have either content or tool_calls, but not both.",
	"Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.",
])("a text beside calls is left out for a model that refuses both: %s", async message => {
	const bench = await openBench([errorReply(400, { message }), textReply("ok")]);
	const chat = [user("a"), { ...calling("c"), content: "I look." }, result("c"), user("b")];
	expect(await bench.ask(chat)).toBe("ok\n");
	expect(bench.sent()[1]).toMatchObject({ content: "", tool_calls: [{ id: "c" }] });
});

test("arguments that are not JSON go back in an object, which every template can read", async () => {
	const bench = await openBench([textReply("ok")]);
	const written = ['{"path": "a', "[1]", "", '{"path": "a"}'];
	const calls = written.map((input, at) => ({
		id: `c${at}`,
		type: "function" as const,
		function: {
			name: "f",
			arguments: input,
		},
	}));
	const results = calls.map(({ id }) => result(id, "Error: the arguments are not JSON"));
	await bench.ask([user("a"), { ...assistant(""), tool_calls: calls }, ...results, user("b")]);
	expect(bench.sent()[1]?.tool_calls).toMatchObject(
		['{"input":"{\\"path\\": \\"a"}', '{"input":"[1]"}', '{"input":""}', written[3]].map(input => ({
			function: { name: "f", arguments: input },
		})),
	);
});

test("what a server still refuses once it is left out is told, and not sent again and again", async () => {
	const message = "text content blocks must be non-empty";
	const both = "Assistant message must have either content or tool_calls, but not both.";
	const calls = [{ ...calling("c"), content: "I look." }, result("c"), calling("d"), result("d")];
	const refused = (text: string): ModelReply => errorReply(400, { message: text });
	const bench = await openBench([refused(message), refused(both), refused(both), textReply("ok")]);
	await expect(bench.ask([user("a"), ...calls, user("b")])).rejects.toThrow("but not both");
	expect(bench.requests()).toHaveLength(3);
	const last = await openBench([refused(message), refused(both), textReply("ok")]);
	await expect(last.ask([user("a"), calling("c"), result("c"), user("b")])).rejects.toThrow(both);
	expect(last.requests()).toHaveLength(2);
});

test("a server that refuses the wish for counts of tokens is asked without it, and nothing is told", async () => {
	const message = `Invalid JSON payload received. Unknown name "stream_options" at 'generation_config': Cannot find field.`;
	const bench = await openBench([errorReply(400, { error: { message } }), textReply("ok")]);
	expect(await bench.ask([user("Hi")])).toBe("ok\n");
	expect(bench.requests().map(request => "stream_options" in request)).toEqual([true, false]);
});

test("a model that may not stream is asked for the whole answer", async () => {
	const refused = errorReply(400, {
		error: {
			message: "Your organization must be verified to stream this model.",
			type: "invalid_request_error",
			param: "stream",
			code: "unsupported_value",
		},
	});
	const whole = { choices: [{ message: { content: "ok" }, finish_reason: "stop" }] };
	const bench = await openBench([refused, errorReply(200, whole)]);
	expect(await bench.ask([user("Hi")])).toBe("ok\n");
	expect(Object.keys(bench.requests()[1] ?? {})).toEqual(["model", "messages"]);
});

const bounded = {
	type: "function",
	function: {
		name: "find",
		parameters: {
			type: "object",
			properties: {
				pattern: {
					type: ["string", "null"],
					maxLength: 100_000,
					minLength: 1,
					description: "What",
				},
				lines: {
					type: "array",
					maxItems: 500,
					items: { type: "integer", minimum: 1, exclusiveMaximum: 9 },
				},
			},
			required: ["pattern"],
			additionalProperties: false,
		},
	},
};

test("no bounds go to a model's server, only what arguments a tool has", async () => {
	const bench = await openBench([textReply("ok")]);
	await bench.ask([user("Hi")], { custom_tools: [bounded] });
	expect(bench.requests()[0]?.["tools"]).toEqual([
		{
			type: "function",
			function: {
				name: "find",
				parameters: {
					type: "object",
					properties: {
						pattern: { type: "string", description: "What" },
						lines: { type: "array", items: { type: "integer" } },
					},
					required: ["pattern"],
				},
			},
		},
	]);
});

test.each([
	"failed to parse grammar",
	"Failed to initialize samplers: failed to parse grammar",
	`Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[5].parameters'`,
	"Invalid schema for function 'find': None is not of type 'string'",
	'"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
	"tools param requires --jinja flag",
	"`tool calling` is not supported with this model",
	"This model doesn't support function calling.",
	'No endpoints found that support tool use. Try disabling "read_file".',
	"'tools' is not supported",
	"Unrecognized request argument supplied: tools",
	"Unsupported param: tools",
	"Unsupported parameter(s): `tools`",
	"Unsupported tool_call_parser: None",
	"Function calling is not enabled for models/gemma-3-27b-it",
	"litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=x.",
	"litellm.UnsupportedParamsError: x does not support parameters: {'tools': [{'type': 'function'}]}",
	"Extra inputs are not permitted, field: 'tools'",
	"Model x does not support the 'tools' parameter",
	"Tool use has not been enabled, because it is unsupported by x.",
	"Tool calls aren't supported by this model",
	"This model lacks tool support",
	"Tools cannot be used with this model",
	"该模型不支持工具调用",
])(
	"a server that cannot read the tools is asked once more without them, and a note says so: %s",
	async message => {
		const bench = await openBench([errorReply(400, { error: { message } }), textReply("ok")]);
		expect(await bench.ask([user("Hi")], { custom_tools: [bounded] })).toBe("(noTools)\nok\n");
		expect(bench.requests().map(request => "tools" in request)).toEqual([true, false]);
	},
);

test.each([
	'invalid think value: "minimal" (must be "high", "medium", "low", true, or false)',
	'think value "minimal" is not supported for this model',
	'"tiny" does not support thinking',
])("Ollama is asked without an effort that it refuses: %s", async error => {
	const bench = await openBench([errorReply(400, { error }), ollamaReply("ok")], ollamaPages);
	expect(await bench.ask([user("Hi")], { reasoning_effort: "minimal" })).toBe("ok\n");
	expect(bench.requests().map(request => request["think"])).toEqual(["minimal", undefined]);
});

test("further parameters go to Ollama where it has them", async () => {
	const bench = await openBench([ollamaReply("ok")], ollamaPages);
	await bench.ask([user("Hi")], {
		think: false,
		keep_alive: "1h",
		top_k: 20,
		min_p: 0.1,
		temperature: 0.5,
		options: { num_gpu: 1 },
		max_tokens: 7,
	});
	expect(bench.requests()[0]).toMatchObject({
		model: "tiny",
		think: false,
		keep_alive: "1h",
		options: {
			top_k: 20,
			min_p: 0.1,
			temperature: 0.5,
			num_gpu: 1,
			num_predict: 7,
		},
	});
	await bench.ask([user("Hi")], {
		reasoning_effort: "low",
		response_format: { type: "json_object" },
	});
	expect(bench.requests()[1]).toMatchObject({ think: "low", format: "json" });
	expect(bench.requests()[1]).not.toHaveProperty("options.reasoning_effort");
});

test.each([
	[true, `"tiny" does not support thinking`],
	["medium", 'think value "medium" is not supported for this model'],
])("a model of Ollama that can't think %s is asked without that", async (think, error) => {
	const bench = await openBench([errorReply(400, { error }), ollamaReply("ok")], ollamaPages);
	expect(await bench.ask([user("Hi")], { think })).toBe("(withoutParameter think)\nok\n");
	expect(bench.requests().map(request => "think" in request)).toEqual([true, false]);
});
