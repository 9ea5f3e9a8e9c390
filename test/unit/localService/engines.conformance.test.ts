import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/common/async.ts";
import { AbortError } from "../../../src/common/errors.ts";
import { silentLog } from "../../../src/common/log.ts";
import type { EditorModels } from "../../../src/common/modelSetup.ts";
import { HttpFailure } from "../../../src/localService/base/failureResponse.ts";
import { demoEngine } from "../../../src/localService/demo/demoEngine.ts";
import { EmbeddedModels } from "../../../src/localService/embedded/embeddedModels.ts";
import { type Engine, type EngineEvent, isDetail } from "../../../src/localService/engine.ts";
import { Models } from "../../../src/localService/models/models.ts";
import type { Interpreter } from "../../../src/localService/python/codeInterpreter.ts";
import { openLink } from "../../helpers/editorLink.ts";
import {
	callReply,
	delta,
	errorReply,
	frames,
	type ModelReply,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../helpers/modelServer.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

/** What a model does with a request. */
type Play = "text" | "call" | "python" | "refusal" | "empty" | "broken" | "endless";

/** An engine whose model plays these, request by request. */
interface Bench {
	readonly engine: Engine;
	readonly model: string;
	/** The question that makes the engine play, where the engine reads it from there. */
	readonly question: string;
	/** Everything that the model was asked. */
	asked(): string;
	/** The status of a refusal, which some models have no words for. */
	readonly refusalStatus?: number;
	/** Requests that were left before their answer was over. */
	left(): number;
}

const input = { at: 1 };
const code = { code: "1+1" };

const openAiReplies: Readonly<Record<Play, ModelReply>> = {
	text: textReply("Good ", "day"),
	call: callReply("look", input),
	python: callReply("code_interpreter", code),
	refusal: errorReply(429, { error: { message: "Slow down." } }),
	empty: { body: frames(delta({}, "stop")) },
	broken: { body: `data: ${JSON.stringify(delta({ content: "Go" }))}\n\n`, ending: "reset" },
	endless: { body: `data: ${JSON.stringify(delta({ content: "Go" }))}\n\n`, ending: "open" },
};

function ollamaCall(name: string, called: object): ModelReply {
	const message = {
		role: "assistant",
		content: "",
		tool_calls: [{ function: { name, arguments: called } }],
	};
	return lines(
		{ message, done: false },
		{ message: { role: "assistant", content: "" }, done: true },
	);
}

function lines(...parts: readonly object[]): ModelReply {
	return {
		body: parts.map(part => `${JSON.stringify(part)}\n`).join(""),
		headers: { "content-type": "application/x-ndjson" },
	};
}

const going = lines({ message: { role: "assistant", content: "Go" }, done: false });
const ollamaReplies: Readonly<Record<Play, ModelReply>> = {
	text: ollamaReply("Good ", "day"),
	call: ollamaCall("look", input),
	python: ollamaCall("code_interpreter", code),
	refusal: errorReply(429, { error: "Slow down." }),
	empty: ollamaReply(),
	broken: { ...going, ending: "reset" },
	endless: { ...going, ending: "open" },
};

async function openServer(
	replies: Readonly<Record<Play, ModelReply>>,
	plays: readonly Play[],
	pages: Readonly<Record<string, unknown>>,
): Promise<Bench> {
	const server = await startModelServer(
		plays.map(play => replies[play]),
		pages,
	);
	const servers = [{ name: "lm", baseUrl: `${server.url}/v1`, headers: {} }];
	return {
		engine: new Models(() => ({ servers, contextLength: 0 }), demoEngine, systemClock),
		model: "lm/tiny",
		question: "Hi",
		asked: () => JSON.stringify(server.requests),
		left: () => server.aborted,
	};
}

async function openEditor(plays: readonly Play[]): Promise<Bench> {
	const asked: unknown[] = [];
	let left = 0;
	const answer: EditorModels["answer"] = async (request, onPart, signal) => {
		const play = plays[asked.length] ?? "empty";
		asked.push(request);
		switch (play) {
			case "text":
				onPart({ type: "text", text: "Good " });
				onPart({ type: "text", text: "day" });
				return undefined;
			case "call":
				onPart({ type: "call", id: "call_1", name: "look", arguments: JSON.stringify(input) });
				return undefined;
			case "python":
				onPart({
					type: "call",
					id: "call_1",
					name: "code_interpreter",
					arguments: JSON.stringify(code),
				});
				return undefined;
			case "refusal":
				return { reason: "rate", words: "Slow down." };
			case "empty":
				return undefined;
			case "broken":
				onPart({ type: "text", text: "Go" });
				return await Promise.resolve({ reason: "failed", words: "Gone." });
			case "endless":
				onPart({ type: "text", text: "Go" });
				await new Promise(resolve => signal.addEventListener("abort", resolve));
				left += 1;
				throw new AbortError();
		}
	};
	const setup = { servers: [], contextLength: 0 };
	return await Promise.resolve({
		engine: new Models(
			() => setup,
			demoEngine,
			systemClock,
			silentLog,
			undefined,
			openLink(answer),
		),
		model: "vscode/acme/large",
		question: "Hi",
		asked: () => JSON.stringify(asked),
		left: () => left,
	});
}

const calling = (name: string, called: object): object => ({
	type: "end",
	calls: [{ name, arguments: JSON.stringify(called) }],
});

/** What the process of a model sends for each play, in place of llama.cpp. */
const childReplies: Readonly<Record<Play, readonly object[]>> = {
	text: [{ text: "Good " }, { text: "day" }, { type: "end" }],
	call: [calling("look", input)],
	python: [calling("code_interpreter", code)],
	refusal: [{ type: "failed", reason: "failed", words: "Slow down." }],
	empty: [{ type: "end" }],
	broken: [{ text: "Go" }, { type: "die" }],
	endless: [{ text: "Go" }],
};

async function openEmbedded(plays: readonly Play[]): Promise<Bench> {
	const folder = await makeTempFolder();
	const [childFile, asked, left] = ["child.mjs", "asked", "left"].map(name => join(folder, name));
	const replies = JSON.stringify(plays.map(play => childReplies[play]));
	await writeFile(
		childFile ?? "",
		`import { appendFileSync } from "node:fs";
		const replies = ${replies};
		const figures = { isCut: false, input: 7, kept: 0, output: 2, perSecond: 1, calls: [] };
		process.on("disconnect", () => process.exit(0));
		process.on("message", message => {
			appendFileSync(message.type === "stop" ? ${JSON.stringify(left)} : ${JSON.stringify(asked)}, JSON.stringify(message) + "\\n");
			const { id } = message;
			for (const reply of message.type === "stop" ? [] : replies.shift() ?? []) {
				if (reply.type === "die") { setTimeout(() => process.exit(1), 20); } else { process.send({ id, type: "text", ...figures, ...reply }); }
			}
		});`,
	);
	await writeFile(join(folder, "tiny.gguf"), "GGUF");
	const embedded = new EmbeddedModels({
		childFile: childFile ?? "",
		llamaFolder: folder,
		modelsFolder: folder,
		clock: systemClock,
		log: silentLog,
		contextLength: () => 0,
	});
	onTestFinished(() => embedded.dispose());
	const setup = { servers: [], contextLength: 0 };
	const rest = [undefined, undefined, embedded] as const;
	const linesOf = (file = ""): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
	return {
		engine: new Models(() => setup, demoEngine, systemClock, silentLog, ...rest),
		model: "embedded/tiny.gguf",
		question: "Hi",
		asked: () => linesOf(asked),
		left: () => linesOf(left).split("\n").length - 1,
		refusalStatus: 502,
	};
}

const ollamaPages = { "/api/version": { version: "0.12.0" }, "/api/tags": { models: [] } };
const engines: readonly (readonly [string, (...plays: readonly Play[]) => Promise<Bench>])[] = [
	["openai", (...plays) => openServer(openAiReplies, plays, {})],
	["ollama", (...plays) => openServer(ollamaReplies, plays, ollamaPages)],
	["vscode", (...plays) => openEditor(plays)],
	["embedded", (...plays) => openEmbedded(plays)],
];

const look = { type: "function" as const, function: { name: "look" } };

interface Played {
	/** Without what goes to the details alone. */
	readonly events: readonly EngineEvent[];
	readonly failure: unknown;
}

async function play(
	{ engine, model, question }: Pick<Bench, "engine" | "model" | "question">,
	fields: object = {},
	python?: Interpreter,
	stopping?: AbortController,
): Promise<Played> {
	const events: EngineEvent[] = [];
	const messages = [{ role: "user", content: question }];
	const request = { model, stream: true, messages, custom_tools: [look], ...fields };
	const { signal } = stopping ?? new AbortController();
	try {
		for await (const event of engine.answer(request, signal, python)) {
			if (!isDetail(event)) {
				events.push(event);
			}
			if (event.type === "text-delta") {
				stopping?.abort();
			}
		}
		checkOrder(events, true);
		return { events, failure: undefined };
	} catch (failure) {
		checkOrder(events, false);
		return { events, failure };
	}
}

/** Every message begins before its text and calls, ends after them, and before the next begins. Interface §6. */
function checkOrder(events: readonly EngineEvent[], isOver: boolean): void {
	let isOpen = false;
	for (const { type } of events) {
		expect(isOpen).toBe(type !== "message-start");
		isOpen = type !== "message-end";
	}
	expect(isOpen && isOver).toBe(false);
}

function textsOf({ events }: Played): string {
	return events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
}

const python: Interpreter = {
	files: [],
	run: async ran => ({
		status: "done",
		output: `ran ${ran}`,
		result: null,
		hasLostState: false,
		files: {
			count: 0,
			shown: [],
		},
		figures: [],
	}),
};

describe.each(engines)("The engine %s", (_, open) => {
	test("answers with one message, its text in order", async () => {
		const played = await play(await open("text"));
		expect(played.events[0]).toEqual({ type: "message-start", role: "assistant" });
		expect(textsOf(played)).toBe("Good day");
		expect(played.events.filter(({ type }) => type === "message-end")).toHaveLength(1);
		expect(played.failure).toBeUndefined();
	});

	test("passes a call of the caller's tool on, and takes its result", async () => {
		const bench = await open("call", "text");
		const { events } = await play(bench);
		const [, call] = events;
		expect(events.map(({ type }) => type)).toEqual(["message-start", "tool-call", "message-end"]);
		expect(call).toMatchObject({ name: "look", arguments: JSON.stringify(input) });
		const id = call?.type === "tool-call" ? call.id : "";
		expect(id).not.toBe("");
		const called = { id, type: "function", function: { name: "look", arguments: "{}" } };
		const messages = [
			{ role: "user", content: "Hi" },
			{ role: "assistant", content: "", tool_calls: [called] },
			{ role: "tool", tool_call_id: id, content: "A cat" },
		];
		expect(textsOf(await play(bench, { messages }))).toBe("Good day");
		expect(bench.asked()).toContain("A cat");
	});

	test("runs the service's own tool between messages, and goes on with its output", async () => {
		const bench = await open("python", "text");
		const played = await play(bench, {}, python);
		expect(textsOf(played)).toMatch(/^```python\n1\+1\n```.*ran 1\+1\n```Good day$/s);
		expect(played.events.filter(({ type }) => type === "message-end")).toHaveLength(3);
		expect(bench.asked()).toContain("ran 1+1");
	});

	test("is left as soon as the caller leaves", async () => {
		const bench = await open("endless");
		const { failure } = await play(bench, {}, undefined, new AbortController());
		expect(failure).toMatchObject({ name: "AbortError" });
		await expect.poll(() => bench.left()).toBe(1);
	});

	test.each([
		["refusal", "", /Slow down\./],
		["empty", "", /./],
		["broken", "Go", /./],
	] as const)("never ends quietly: %s", async (failing, texts, words) => {
		// A limit of requests is waited for twice.
		const bench = await open(...Array<typeof failing>(failing === "refusal" ? 3 : 1).fill(failing));
		const played = await play(bench);
		expect(textsOf(played)).toBe(texts);
		expect(played.failure).toBeInstanceOf(HttpFailure);
		const status = failing === "refusal" ? (bench.refusalStatus ?? 429) : 502;
		expect(played.failure).toMatchObject({ status, message: expect.stringMatching(words) });
	});

	test("offers no tool that the request does not", async () => {
		const bench = await open("text");
		await play(bench, { custom_tools: [] });
		expect(bench.asked()).not.toContain('"tools"');
	});
});

describe("The engine demo", () => {
	const reading = { type: "function", function: { name: "get_selection" } } as const;
	const ask = (question: string, python?: Interpreter, stopping?: AbortController) =>
		play(
			{ engine: demoEngine, model: "llm-4-turbo-tools", question },
			{ custom_tools: [reading] },
			python,
			stopping,
		);

	test("answers in order", async () => {
		const played = await ask("Hi");
		expect(played.failure).toBeUndefined();
		expect(textsOf(played)).not.toBe("");
	});

	test("passes a call of the caller's tool on", async () => {
		const { events } = await ask("Show a sample edit");
		expect(events).toContainEqual({
			type: "tool-call",
			id: expect.stringMatching(/./),
			name: "get_selection",
			arguments: "{}",
		});
	});

	test("is left as soon as the caller leaves", async () => {
		const stopping = new AbortController();
		stopping.abort();
		expect((await ask("Hi", undefined, stopping)).failure).toMatchObject({ name: "AbortError" });
	});
});
