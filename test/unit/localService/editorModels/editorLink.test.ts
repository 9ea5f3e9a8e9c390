import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { AbortError, toError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type {
	EditorModelPart,
	EditorModelRequest,
	EditorModels,
} from "../../../../src/common/modelSetup.ts";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { openLink } from "../../../helpers/editorLink.ts";

const demo: Engine = {
	async *answer() {
		yield { type: "message-start", role: "assistant" };
		yield { type: "text-delta", text: "the demo" };
		yield { type: "message-end" };
	},
};

/** The engine with these models behind a link. */
function openEngine(answer: EditorModels["answer"]): Engine {
	const setup = { servers: [], contextLength: 0 };
	return new Models(() => setup, demo, systemClock, silentLog, undefined, openLink(answer));
}

/** Models that answer with these parts, question by question, and keep what they were asked. */
function scripted(
	...answers: readonly (readonly EditorModelPart[])[]
): EditorModels["answer"] & { readonly asked: EditorModelRequest[] } {
	const asked: EditorModelRequest[] = [];
	const answer: EditorModels["answer"] = async (request, onPart) => {
		const parts = answers[asked.length] ?? [];
		asked.push(request);
		parts.forEach(onPart);
		return await Promise.resolve(undefined);
	};
	return Object.assign(answer, { asked });
}

const hello = {
	model: "vscode/acme/large",
	messages: [{ role: "user", content: "Hi" }],
	stream: true,
};

async function gather(
	engine: Engine,
	request: object = {},
	signal = new AbortController().signal,
): Promise<readonly EngineEvent[]> {
	const events: EngineEvent[] = [];
	for await (const event of engine.answer({ ...hello, ...request }, signal)) {
		events.push(event);
	}
	return events;
}

test("text and thoughts of the editor's model are the answer's", async () => {
	const answer = scripted([
		{ type: "thinking", text: "Hm." },
		{ type: "text", text: "Good " },
		{ type: "text", text: "day" },
	]);
	expect(await gather(openEngine(answer), { temperature: 0.5 })).toEqual([
		{ type: "thinking", text: "Hm." },
		{ type: "message-start", role: "assistant" },
		{ type: "text-delta", text: "Good " },
		{ type: "text-delta", text: "day" },
		{ type: "message-end" },
	]);
	expect(answer.asked).toEqual([
		{ model: "acme/large", messages: [{ role: "user", content: "Hi" }], temperature: 0.5 },
	]);
});

test("calls of the caller's tools are passed on, and their results go back with them", async () => {
	const look = { type: "function", function: { name: "look", parameters: { type: "object" } } };
	const answer = scripted(
		[{ type: "call", id: "c1", name: "look", arguments: '{"at":1}' }],
		[{ type: "text", text: "Seen" }],
	);
	const engine = openEngine(answer);
	const events = await gather(engine, { custom_tools: [look], tool_choice: "auto" });
	expect(events).toContainEqual({
		type: "tool-call",
		id: "c1",
		name: "look",
		arguments: '{"at":1}',
	});
	const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
	await gather(engine, {
		custom_tools: [look],
		messages: [
			...hello.messages,
			{ role: "assistant", content: "", tool_calls: [call] },
			{ role: "tool", tool_call_id: "c1", content: "A cat" },
		],
	});
	expect(answer.asked[0]).toMatchObject({ tools: [look], tool_choice: "auto" });
	expect(answer.asked[1]?.messages.slice(1)).toMatchObject([
		{ role: "assistant", tool_calls: [call] },
		{ role: "tool", tool_call_id: "c1", content: "A cat" },
	]);
});

test("an answer without text or calls is a failure, not an empty message", async () => {
	await expect(gather(openEngine(scripted([])))).rejects.toThrow("The model's answer is empty.");
	const thought = scripted([{ type: "thinking", text: "Hm." }]);
	await expect(gather(openEngine(thought))).rejects.toThrow("The model's answer is empty.");
});

test.each([
	["gone", 424],
	["notAllowed", 424],
	["blocked", 424],
	["quota", 402],
	["rate", 429],
	["failed", 502],
] as const)("%s is told in the editor's words, with status %i", async (reason, status) => {
	const engine = openEngine(async () => await Promise.resolve({ reason, words: "No." }));
	await expect(gather(engine)).rejects.toMatchObject({ status, message: "No." });
});

test.each([
	["Message exceeds token limit.", "Too long for this model. "],
	[
		'Request Failed: 400 {"error":{"message":"prompt token count of 64505 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
		"Too long for this model: about 64,505 tokens, it has 64,000.",
	],
	[
		"400 prompt is too long: 210000 tokens > 200000 maximum",
		"Too long for this model: about 210,000 tokens, it has 200,000.",
	],
	["the request exceeds the available context size", "Too long for this model. "],
])("a conversation that is too long is told as any server's is: %s", async (words, told) => {
	const engine = openEngine(async () => await Promise.resolve({ reason: "failed", words }));
	const failure = await gather(engine).catch((error: unknown) => error);
	expect(failure).toMatchObject({ status: 400, code: "context_length_exceeded" });
	expect(toError(failure).message.slice(0, told.length)).toBe(told);
});

test("a provider's refusal is told by its message, not by its JSON", async () => {
	const words = 'Request Failed: 400 {"error":{"message":"Bad model.","code":"x"}}';
	const engine = openEngine(async () => await Promise.resolve({ reason: "failed", words }));
	await expect(gather(engine)).rejects.toMatchObject({
		message: "Request Failed: 400 Bad model.",
	});
});

/** Models that refuse a request once in these words and then answer. */
function refusing(words: string): ReturnType<typeof scripted> {
	const asked: EditorModelRequest[] = [];
	const answer: EditorModels["answer"] = async (request, onPart) => {
		asked.push(request);
		if (asked.length === 1) {
			return await Promise.resolve({ reason: "failed", words });
		}
		onPart({ type: "text", text: "Plain" });
		return undefined;
	};
	return Object.assign(answer, { asked });
}

test.each([
	'Request Failed: 400 {"error":{"message":"This model does not support tools"}}',
	"Unsupported param: tools",
])("a model that refuses tools is asked again without them, as a server is: %s", async words => {
	const answer = refusing(words);
	const look = { type: "function", function: { name: "look" } };
	const events = await gather(openEngine(answer), { custom_tools: [look] });
	expect(events).toContainEqual({ type: "note", kind: "noTools", names: [] });
	expect(JSON.stringify(events)).toContain("Plain");
	expect(answer.asked.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
});

test("a parameter that a model refuses is left out, and a note names it", async () => {
	const answer = refusing("Unsupported parameter: 'temperature' is not supported.");
	const events = await gather(openEngine(answer), { temperature: 0.5, max_tokens: 9 });
	expect(events).toContainEqual({
		type: "note",
		kind: "withoutParameter",
		names: ["temperature"],
	});
	expect(answer.asked[1]).toEqual({
		model: "acme/large",
		messages: hello.messages,
		max_tokens: 9,
	});
});

test("H8: a provider that limits requests is waited for as long as it says", async () => {
	const asked: EditorModelRequest[] = [];
	const engine = openEngine(async (request, onPart) => {
		asked.push(request);
		if (asked.length === 1) {
			const words = "The provider is limiting requests: try again in 20ms.";
			return await Promise.resolve({ reason: "rate", words });
		}
		onPart({ type: "text", text: "Plain" });
		return undefined;
	});
	const events = await gather(engine);
	expect(events[0]).toEqual({ type: "waiting", ms: 20, attempt: 2 });
	expect(JSON.stringify(events)).toContain("Plain");
	expect(asked).toHaveLength(2);
});

test("a refusal after the answer has begun is not asked again", async () => {
	let asked = 0;
	const engine = openEngine(async (_, onPart) => {
		asked += 1;
		onPart({ type: "text", text: "One" });
		return await Promise.resolve({ reason: "failed", words: "tools are not supported" });
	});
	const look = { type: "function", function: { name: "look" } };
	await expect(gather(engine, { custom_tools: [look] })).rejects.toMatchObject({ status: 502 });
	expect(asked).toBe(1);
});

test("what rejects in the extension host is told, and nothing hangs", async () => {
	const engine = openEngine(() => Promise.reject(new Error("Broken")));
	await expect(gather(engine)).rejects.toMatchObject({ status: 502, message: "Broken" });
});

test("a model without tools answers without them, and a note says so", async () => {
	const asked: EditorModelRequest[] = [];
	const engine = openEngine(async (request, onPart) => {
		asked.push(request);
		if (request.tools) {
			return { reason: "noTools", words: "No tools." };
		}
		onPart({ type: "text", text: "Plain" });
		return await Promise.resolve(undefined);
	});
	const look = { type: "function", function: { name: "look" } };
	const events = await gather(engine, { custom_tools: [look] });
	expect(events[0]).toEqual({ type: "note", kind: "noTools", names: [] });
	expect(JSON.stringify(events)).toContain("Plain");
	expect(asked.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
});

test("Stop reaches the extension host, and what comes afterwards is dropped", async () => {
	const stopping = new AbortController();
	const canceled = Promise.withResolvers<boolean>();
	const engine = openEngine(async (_, onPart, signal) => {
		onPart({ type: "text", text: "One" });
		signal.addEventListener("abort", () => canceled.resolve(true));
		await canceled.promise;
		onPart({ type: "text", text: "Two" });
		throw new AbortError();
	});
	const events: EngineEvent[] = [];
	const reading = (async () => {
		for await (const event of engine.answer(hello, stopping.signal)) {
			events.push(event);
			stopping.abort();
		}
	})();
	await expect(reading.catch((error: unknown) => toError(error).name)).resolves.toBe("AbortError");
	expect(await canceled.promise).toBe(true);
	expect(JSON.stringify(events)).not.toContain("Two");
});

test("any other model goes on to the demo", async () => {
	const events = await gather(openEngine(scripted([])), { model: "llm-4" });
	expect(events).toContainEqual({ type: "text-delta", text: "the demo" });
});

test("parts that come at once cross in one message, in their order", async () => {
	const words = Array.from({ length: 500 }, (_, index) => `${index} `);
	const received: unknown[] = [];
	const link = openLink(async (_, onPart) => {
		for (const text of words) {
			onPart({ type: "text", text });
			await Promise.resolve();
		}
		return undefined;
	}, received);
	const texts: string[] = [];
	const body = { model: "vscode/acme/large", messages: [] };
	for await (const part of link.ask(body, new AbortController().signal)) {
		if (part.type === "text") {
			texts.push(part.text);
		}
	}
	expect(texts).toEqual(words);
	expect(received).toHaveLength(2);
});

test("an answer is canceled when who reads it leaves", async () => {
	const canceled = Promise.withResolvers<boolean>();
	const link = openLink(async (_, onPart, signal) => {
		signal.addEventListener("abort", () => canceled.resolve(true));
		onPart({ type: "text", text: "One" });
		await canceled.promise;
		throw new AbortError();
	});
	const body = { model: "acme/large", messages: [] };
	for await (const part of link.ask(body, new AbortController().signal)) {
		expect(part).toEqual({ type: "text", text: "One" });
		break;
	}
	expect(await canceled.promise).toBe(true);
});
