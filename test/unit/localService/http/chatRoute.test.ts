import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { HttpFailure } from "../../../../src/localService/base/failureResponse.ts";
import { endless } from "../../../helpers/echoEngine.ts";
import { sendRaw } from "../rawHttp.ts";
import {
	authorization,
	chatRequest,
	refusalFrom,
	startTestService,
	type TestService,
	testToken,
} from "../testService.ts";

const path = "/v1/chat/messages";

/** An engine that says what a test gives it. */
function scriptedEngine(...events: readonly EngineEvent[]): Engine {
	return {
		async *answer() {
			yield* events;
		},
	};
}

const start: EngineEvent = { type: "message-start", role: "assistant" };
const end: EngineEvent = { type: "message-end" };
const say = (text: string): EngineEvent => ({ type: "text-delta", text });

function rawChat(service: TestService, body: object): string {
	const text = JSON.stringify(body);
	return [
		`POST ${path} HTTP/1.1`,
		`Host: 127.0.0.1:${service.port}`,
		`Authorization: Bearer ${testToken}`,
		"Content-Type: application/json",
		`Content-Length: ${Buffer.byteLength(text)}`,
		"",
		text,
	].join("\r\n");
}

describe("a streamed answer", () => {
	test("keeps to the letter of interface §6", async () => {
		const service = await startTestService({
			engine: scriptedEngine(start, say("Zażółć "), say('"👍"\n'), end, start, say("Two"), end),
		});
		const answer = await sendRaw(
			service.port,
			rawChat(service, chatRequest("?", { stream: true })),
		);
		expect(answer.status).toBe(200);
		expect(answer.headers.get("content-type")).toBe("text/event-stream");
		expect(answer.headers.get("cache-control")).toBe("no-store");
		expect(answer.body).toBe(
			[
				'data: {"role":"assistant","content":""}',
				'data: {"content":"Zażółć "}',
				String.raw`data: {"content":"\"👍\"\n"}`,
				"data: {}",
				"data: [DONE]",
				'data: {"role":"assistant","content":""}',
				'data: {"content":"Two"}',
				"data: {}",
				"data: [DONE]",
				"data: [END]",
				"",
			].join("\n\n"),
		);
	});

	test("without any message is only its end", async () => {
		const service = await startTestService({ engine: scriptedEngine() });
		const answer = await sendRaw(
			service.port,
			rawChat(service, chatRequest("?", { stream: true })),
		);
		expect(answer.body).toBe("data: [END]\n\n");
	});

	test("that fails before its first frame has a status and JSON", async () => {
		const engine: Engine = {
			// oxlint-disable-next-line require-yield -- it fails before there is anything to yield
			async *answer() {
				throw new HttpFailure(503, "busy", "Busy.", { "Retry-After": "7" });
			},
		};
		const service = await startTestService({ engine });
		const response = await service.ask("?", { stream: true });
		expect(response.status).toBe(503);
		expect(response.headers.get("retry-after")).toBe("7");
		expect(await refusalFrom(response)).toEqual({
			success: false,
			error: { message: "Busy.", code: "busy" },
		});
	});

	test("that fails later is cut, so that it cannot be taken for complete", async () => {
		const engine: Engine = {
			async *answer() {
				yield start;
				throw new Error("engine broke");
			},
		};
		const service = await startTestService({ engine });
		const answer = await sendRaw(
			service.port,
			rawChat(service, chatRequest("?", { stream: true })),
		);
		expect(answer.body).toContain('"role":"assistant"');
		expect(answer.raw).not.toContain("[END]");
		expect(answer.raw.endsWith("0\r\n\r\n")).toBe(false);
		expect(answer.raw).not.toContain("engine broke");
	});

	test("stops the engine when the caller leaves", async () => {
		const stopped = Promise.withResolvers<string>();
		const engine: Engine = {
			async *answer(_request, signal) {
				try {
					yield start;
					await new Promise<never>((_, reject) => {
						signal.addEventListener("abort", () => reject(new Error("left")), { once: true });
					});
				} finally {
					stopped.resolve(signal.aborted ? "aborted" : "ended");
				}
			},
		};
		const service = await startTestService({ engine });
		const leaving = new AbortController();
		const response = await service.post(path, chatRequest("?", { stream: true }), leaving.signal);
		await response.body?.getReader().read();
		leaving.abort();
		expect(await stopped.promise).toBe("aborted");
	});

	test("waits for a caller that reads slowly", async () => {
		const piece = "x".repeat(16_384);
		let produced = 0;
		const engine: Engine = {
			async *answer() {
				yield start;
				for (; produced < 4_000; produced += 1) {
					yield say(piece);
				}
			},
		};
		const service = await startTestService({ engine });
		const socket = connect({ port: service.port, host: "127.0.0.1" });
		socket.write(rawChat(service, chatRequest("?", { stream: true })));
		await new Promise(resolve => socket.once("readable", resolve));
		let before = -1;
		// Until the buffers of both ends are full; without back-pressure all 64 MB would be produced.
		while (before !== produced) {
			before = produced;
			await new Promise(resolve => setTimeout(resolve, 100));
		}
		expect(produced).toBeGreaterThan(0);
		expect(produced).toBeLessThan(2_000);
		socket.destroy();
	});

	test("L14: is cut when the service stops, and the engine with it", async () => {
		const service = await startTestService();
		const response = await service.ask(endless, { stream: true });
		const reader = response.body?.getReader();
		await reader?.read();
		await service.stop();
		const rest = async (): Promise<void> => {
			for (;;) {
				const next = await reader?.read();
				if (next?.done !== false) {
					return;
				}
			}
		};
		await expect(rest()).rejects.toThrow();
	});
});

describe("an answer without streaming", () => {
	test.each([{ stream: false }, {}])("holds all messages with %j", async fields => {
		const service = await startTestService({
			engine: scriptedEngine(start, say("One, "), say("two"), end, start, end),
		});
		const response = await service.post(path, chatRequest("?", fields));
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
		expect(await response.json()).toEqual({
			messages: [
				{ role: "assistant", content: "One, two" },
				{ role: "assistant", content: "" },
			],
		});
	});

	test("tells no secrets when the engine breaks", async () => {
		const engine: Engine = {
			// oxlint-disable-next-line require-yield -- it breaks before there is anything to yield
			async *answer() {
				throw new Error("/home/ada/secret");
			},
		};
		const service = await startTestService({ engine });
		const response = await service.ask("?");
		expect(response.status).toBe(500);
		const body = await refusalFrom(response);
		expect(body.error.code).toBe("internal_error");
		expect(JSON.stringify(body)).not.toContain("secret");
	});
});

describe("a request that breaks the interface is refused with its field and its bound", () => {
	const user = { role: "user", content: "Hi" };
	const tool = (fields: object): object => ({
		type: "function",
		function: { name: "f", ...fields },
	});
	const model = "llm-4-turbo";
	const invalid = [400, "invalid_request"] as const;
	const refused: readonly (readonly [string, unknown, number, string, RegExp])[] = [
		["no object", [], ...invalid, /^body: must be an object/],
		["null", null, ...invalid, /^body: must be an object/],
		["no messages", { model }, ...invalid, /^messages: is missing/],
		["messages as text", { model, messages: "Hi" }, ...invalid, /^messages: must be/],
		["an empty conversation", { model, messages: [] }, ...invalid, /^messages: must .*one/],
		[
			"a message without a role",
			{ model, messages: [{ content: "" }] },
			...invalid,
			/^messages\[0\]\.role: is missing/,
		],
		[
			"a message without content",
			{ model, messages: [user, { role: "user" }] },
			...invalid,
			/^messages\[1\]\.content: is missing; it must be text/,
		],
		[
			"content of another type",
			{ model, messages: [{ role: "user", content: 1 }] },
			...invalid,
			/^messages\[0\]\.content: must be text/,
		],
		[
			"a function call without arguments",
			{ model, messages: [{ role: "assistant", content: "", function_call: { name: "f" } }] },
			...invalid,
			/^messages\[0\]\.function_call\.arguments: is missing/,
		],
		["no model", { messages: [user] }, ...invalid, /^model: is missing/],
		["an empty model", { messages: [user], model: "" }, ...invalid, /^model: must/],
		[
			"a model nobody knows",
			{ messages: [user], model: "llm-9" },
			400,
			"unknown_model",
			/^model: must be llm-4-turbo-tools or/,
		],
		[
			"stream as text",
			chatRequest("?", { stream: "true" }),
			...invalid,
			/^stream: must be true or/,
		],
		[
			"a tool nobody knows",
			chatRequest("?", { tools: ["shell"] }),
			...invalid,
			/^tools\[0\]: must be code_interpreter or browsing/,
		],
		[
			"tools with a model that has none",
			chatRequest("?", { model, tools: ["browsing"] }),
			...invalid,
			/^tools: need a model whose id contains .tools/,
		],
		[
			"a custom tool of another type",
			chatRequest("?", { custom_tools: [{ type: "retrieval" }] }),
			...invalid,
			/^custom_tools\[0\]\.type: must be "function"/,
		],
		[
			"a custom tool without a name",
			chatRequest("?", { custom_tools: [tool({ name: "" })] }),
			...invalid,
			/^custom_tools\[0\]\.function\.name: must not be empty/,
		],
		[
			"parameters that are no object's",
			chatRequest("?", { custom_tools: [tool({ parameters: { type: "array", properties: {} } })] }),
			...invalid,
			/^custom_tools\[0\]\.function\.parameters\.type: must be "object"/,
		],
		[
			"a file without an id",
			chatRequest("?", { files: [{ file_id: "", name: "a", type: "b" }] }),
			...invalid,
			/^files\[0\]\.file_id: must not be empty/,
		],
		[
			"a file nobody uploaded",
			chatRequest("?", { files: [{ file_id: "file-x", name: "a", type: "b" }] }),
			400,
			"unknown_file",
			/^files\[0\]\.file_id: the service holds no such file/,
		],
		[
			"a temperature as text",
			chatRequest("?", { temperature: "hot" }),
			...invalid,
			/^temperature: /,
		],
		[
			"code_interpreter",
			chatRequest("?", { tools: ["code_interpreter"] }),
			501,
			"not_implemented",
			/^This service was started without code_interpreter/,
		],
		[
			"browsing, streamed",
			chatRequest("?", { tools: ["browsing"], stream: true }),
			501,
			"not_implemented",
			/^This service was started without browsing/,
		],
	];

	test.each(refused)("%s", async (_name, body, status, code, message) => {
		const service = await startTestService();
		const response = await service.post(path, body);
		expect(response.status).toBe(status);
		const refusal = await refusalFrom(response);
		expect(refusal).toEqual({
			success: false,
			error: { code, message: expect.stringMatching(message) },
		});
	});

	test.each([
		[
			"every known model",
			["llm-4-turbo-tools", "llm-3.5-turbo-tools", "llm-4-turbo", "llm-3.5-turbo"].map(model =>
				chatRequest("Hi", { model }),
			),
		],
		["no tools at all", [chatRequest("Hi", { tools: [] })]],
		[
			"custom tools and the deprecated functions",
			[
				chatRequest("Hi", {
					custom_tools: [
						tool({
							description: "d",
							parameters: {
								type: "object",
								properties: { a: { type: "string", enum: ["b"] } },
								required: ["a"],
							},
						}),
					],
					functions: [{ name: "f" }],
				}),
			],
		],
		[
			"parameters of the chat-completion standard",
			[chatRequest("Hi", { temperature: 0.5, top_p: 1, max_tokens: 5, seed: 1, stop: ["x"] })],
		],
		[
			"messages of every role",
			[
				chatRequest("Hi", {
					messages: [
						{ role: "system", content: "s" },
						user,
						{ role: "assistant", content: "", tool_calls: [{ id: "1" }] },
						{ role: "tool", content: "{}", tool_call_id: "1" },
						{ role: "function", name: "f", content: "{}" },
						user,
					],
				}),
			],
		],
	])("%s is fine", async (_name, bodies) => {
		const service = await startTestService();
		for (const body of bodies) {
			expect((await service.post(path, body)).status).toBe(200);
		}
	});
});

describe("a body that is no JSON", () => {
	const send = async (body: string | Uint8Array<ArrayBuffer>): Promise<Response> => {
		const service = await startTestService();
		return fetch(`${service.baseUrl}${path}`, {
			method: "POST",
			headers: { ...authorization, "Content-Type": "application/json" },
			body,
		});
	};

	test.each([
		["empty", ""],
		["half", '{"model":'],
		["two values", "{}{}"],
		["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
		["nested without an end", "[".repeat(200_000)],
	])("%s → 400", async (_name, body) => {
		const response = await send(body);
		expect(response.status).toBe(400);
		expect((await refusalFrom(response)).error.code).toBe("invalid_json");
	});

	test("T33: hostile keys change nothing", async () => {
		const response = await send(
			'{"__proto__":{"stream":true},"constructor":{},"model":"llm-4-turbo","messages":[{"__proto__":{"role":"user"},"role":"user","content":"hello"}]}',
		);
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toContain("application/json");
		expect(Object.hasOwn(Object.prototype, "stream")).toBe(false);
	});

	test("a body with a byte-order mark is read", async () => {
		const response = await send(`\uFEFF${JSON.stringify(chatRequest("hello"))}`);
		expect(response.status).toBe(200);
	});
});

test("optional parameters that are null count as not given", async () => {
	const requests: unknown[] = [];
	const engine: Engine = {
		async *answer(request) {
			requests.push(request);
			yield* [start, say("Hi"), end];
		},
	};
	const service = await startTestService({ engine });
	const nulls = { temperature: null, top_p: null, max_tokens: null, tools: null, stream: null };
	const answer = await sendRaw(service.port, rawChat(service, chatRequest("?", nulls)));
	expect(answer.status).toBe(200);
	expect(Object.keys(requests[0] ?? {}).toSorted()).toEqual(["messages", "model"]);
	const parameters = { type: "object", properties: { a: { default: null } } };
	const deep = {
		messages: [{ role: "user", content: "?", name: null, tool_calls: null }],
		custom_tools: [{ type: "function", function: { name: "f", description: null, parameters } }],
	};
	expect((await service.post(path, chatRequest("?", deep))).status).toBe(200);
	expect(requests[1]).toMatchObject({
		messages: [{ role: "user", content: "?" }],
		custom_tools: [{ type: "function", function: { name: "f", parameters } }],
	});
});
