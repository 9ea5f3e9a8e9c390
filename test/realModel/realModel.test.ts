import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createServiceClient } from "../../src/client/createServiceClient.ts";
import { systemClock } from "../../src/common/async.ts";
import { isAbortError, toError } from "../../src/common/errors.ts";
import type { Engine, EngineEvent } from "../../src/localService/engine.ts";
import { Models } from "../../src/localService/models/models.ts";
import { connectionTo } from "../helpers/clientHarness.ts";
import { startTestService, testToken } from "../unit/localService/testService.ts";
import { contextLength, type LlamaServer, startLlamaServer } from "./llamaServer.ts";
import { ensureLlama, whyNoLlama } from "./llamaPackage.ts";

const noDemo: Engine = {
	// oxlint-disable-next-line require-yield -- nothing may ask it
	async *answer() {
		throw new Error("The demo was asked");
	},
};

const messages = [{ role: "user", content: "Read the first line of the file." }];

interface Bench {
	readonly llama: LlamaServer;
	readonly engine: Engine;
	/** An answer's events, as far as they came before it failed or `onEvent` threw. */
	ask(fields?: object, onEvent?: (event: EngineEvent) => Promise<void>): Promise<Answer>;
}

interface Answer {
	readonly events: readonly EngineEvent[];
	readonly text: string;
	readonly failure: string | undefined;
	readonly isLeft: boolean;
}

async function startLoaded(isEndless: boolean): Promise<LlamaServer> {
	const llama = await startLlamaServer(isEndless);
	await llama.load();
	return llama;
}

function benchOf(llama: LlamaServer): Bench {
	const servers = [{ name: "llama", baseUrl: llama.url, headers: {} }];
	const engine = new Models(() => ({ servers, contextLength: 0 }), noDemo, systemClock);
	return {
		llama,
		engine,
		ask: async (fields = {}, onEvent = async () => {}) => {
			const left = new AbortController();
			const events: EngineEvent[] = [];
			let failure: unknown;
			try {
				const request = { model: "llama/tiny", stream: true, messages, ...fields };
				for await (const event of engine.answer(request, left.signal)) {
					events.push(event);
					await onEvent(event);
				}
			} catch (error) {
				failure = error;
			} finally {
				left.abort();
			}
			const text = events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
			return {
				events,
				text,
				failure: failure === undefined ? undefined : toError(failure).message,
				isLeft: isAbortError(failure),
			};
		},
	};
}

function typesOf({ events }: Answer): string[] {
	return [...new Set(events.map(({ type }) => type))];
}

describe.skipIf(whyNoLlama)(
	`llama.cpp with a tiny model${whyNoLlama ? `: ${whyNoLlama}` : ""}`,
	() => {
		let ordinary: Bench;
		let endless: Bench;

		beforeAll(async () => {
			await ensureLlama();
			ordinary = benchOf(await startLoaded(false));
			endless = benchOf(await startLoaded(true));
		});

		afterAll(() => Promise.all([ordinary, endless].map(({ llama }) => llama.kill())));

		test("a model that is still loaded is waited for, and its text streams until it ends", async () => {
			const { llama, ask } = benchOf(await startLlamaServer());
			onTestFinished(llama.kill);
			const answer = await ask({ seed: 1 }, async event => {
				if (event.type === "progress" && event.stage === "loading") {
					await llama.load();
				}
			});
			expect(answer.failure).toBeUndefined();
			expect(typesOf(answer)).toEqual([
				"progress",
				"message-start",
				"text-delta",
				"context",
				"usage",
				"message-end",
			]);
			expect(answer.events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(1);
			expect(answer.events).toContainEqual({ type: "progress", stage: "loading" });
		});

		test("its text and its tokens are those that OpenAI's own package reads", async () => {
			const { llama, ask } = ordinary;
			const client = new OpenAI({ baseURL: `${llama.url}/v1`, apiKey: "none", maxRetries: 0 });
			for (const seed of [1, 2, 3]) {
				const { text, events, failure } = await ask({ seed });
				const { choices, usage } = await client.chat.completions.create({
					model: "tiny",
					seed,
					messages: [
						{
							role: "user",
							content: messages[0]?.content ?? "",
						},
					],
				});
				expect(failure).toBeUndefined();
				expect(text).not.toBe("");
				expect(text).toBe(choices[0]?.message.content);
				expect(events).toContainEqual({ type: "context", tokens: contextLength });
				expect(events.find(({ type }) => type === "usage")).toMatchObject({
					input: usage?.prompt_tokens,
					output: usage?.completion_tokens,
				});
			}
		});

		test("a limit of tokens cuts the answer there, and it says so", async () => {
			const { ask } = endless;
			const { events, failure } = await ask({ seed: 1, max_tokens: 5 });
			expect(failure).toBeUndefined();
			expect(events).toContainEqual({ type: "finish", reason: "length" });
			expect(events.find(({ type }) => type === "usage")).toMatchObject({ output: 5 });
		});

		test("a stop word ends the answer", async () => {
			const { ask } = endless;
			const { text, events, failure } = await ask({ seed: 1, stop: ["e"] });
			expect(failure).toBeUndefined();
			expect(text).toMatch(/^[^e]*e[^e]*/);
			expect(events.map(({ type }) => type)).not.toContain("finish");
		});

		test("an answer that is left is no longer computed, and the next one comes", async () => {
			const { llama, engine, ask } = endless;
			const left = new AbortController();
			const request = { model: "llama/tiny", stream: true, messages };
			const read = async (): Promise<void> => {
				for await (const event of engine.answer(request, left.signal)) {
					if (event.type === "text-delta") {
						expect(await llama.isBusy()).toBe(true);
						left.abort();
					}
				}
			};
			await expect(read()).rejects.toSatisfy(isAbortError);
			await expect.poll(llama.isBusy, { timeout: 30_000 }).toBe(false);
			expect((await ask({ max_tokens: 3 })).text).not.toBe("");
		});

		test("a conversation that is too long is refused with both counts, and none of it is left out", async () => {
			const { ask } = ordinary;
			const content = "first line of the file ".repeat(200);
			const { events, failure } = await ask({ messages: [{ role: "user", content }] });
			const found = /^Too long for this model: about ([\d,]+) tokens, it has 512\./.exec(
				failure ?? "",
			);
			expect(Number(found?.[1]?.replace(",", ""))).toBeGreaterThan(contextLength);
			expect(events.every(({ type }) => type === "progress")).toBe(true);
		});

		test("an answer that fills the context ends at the model's limit, with its text", async () => {
			const { ask } = endless;
			const { text, events, failure } = await ask({ seed: 1 });
			expect(failure).toBe("Cut at the model's limit.");
			expect(events).toContainEqual({ type: "finish", reason: "length" });
			expect(text.length).toBeGreaterThan(contextLength);
		});

		test("a model without tools is asked again without them, which is said", async () => {
			const { ask } = ordinary;
			const described = { name: "read_file", description: "Reads", parameters: { type: "object" } };
			const custom_tools = [{ type: "function", function: described }];
			const { text, events, failure } = await ask({ seed: 1, custom_tools });
			expect(failure).toBeUndefined();
			expect(events).toContainEqual({ type: "note", kind: "noTools", names: [] });
			expect(text).not.toBe("");
		});

		test("a server that dies in mid-answer leaves its text and a sentence", async () => {
			const { llama, ask } = benchOf(await startLoaded(true));
			const { text, failure } = await ask({}, async event => {
				if (event.type === "text-delta") {
					await llama.kill();
				}
			});
			expect(text).not.toBe("");
			expect(failure).toMatch(/^The connection to llama broke: /);
			expect((await ask()).failure).toBe("llama is not running: nothing listens at its address.");
		});

		test("through the service, its frames are the interface's", async () => {
			const { engine } = ordinary;
			const { baseUrl } = await startTestService({ engine });
			const connection = connectionTo(baseUrl, { apiKey: testToken });
			const client = createServiceClient({
				connection: async () => connection,
				clock: systemClock,
			});
			const request = { model: "llama/tiny", messages, seed: 3 };
			const types = new Set<string>();
			let text = "";
			for await (const event of client.streamChat(request)) {
				types.add(event.type);
				text += event.type === "text-delta" ? event.text : "";
			}
			expect([...types]).toEqual(["message-start", "text-delta", "message-end", "stream-end"]);
			const whole = await client.chat(request);
			expect(whole.messages).toMatchObject([{ role: "assistant", content: text }]);
		});
	},
);
