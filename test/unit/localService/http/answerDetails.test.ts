import { expect, test } from "vitest";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { HttpFailure } from "../../../../src/localService/base/failureResponse.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { authorization, chatRequest, startTestService, type TestService } from "../testService.ts";

/** An engine whose every answer is these events, and a failure at their end. */
function engineOf(events: readonly EngineEvent[], failure?: Error): Engine {
	return {
		async *answer() {
			yield* events;
			if (failure) {
				throw failure;
			}
		},
	};
}

const thinking: EngineEvent = { type: "thinking", text: "Hm" };
const note: EngineEvent = { type: "note", kind: "withoutParameter", names: ["seed"] };
const start: EngineEvent = { type: "message-start", role: "assistant" };
const hi: EngineEvent = { type: "text-delta", text: "Hi" };
const end: EngineEvent = { type: "message-end" };

function ask(service: TestService, headers: object = { "x-cutaway-details": "1" }) {
	return fetch(`${service.baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: { ...authorization, "Content-Type": "application/json", ...headers },
		body: JSON.stringify(chatRequest("Hi", { stream: true })),
	});
}

/** What came of a stream before its end or break: the details, and each other frame as it is. */
async function framesOf(response: Response): Promise<unknown[]> {
	const decoder = new TextDecoder();
	let text = "";
	try {
		for await (const bytes of response.body ?? []) {
			text += decoder.decode(bytes, { stream: true });
		}
	} catch {
		text += "data: (broken)\n\n";
	}
	return text
		.split("\n\n")
		.filter(frame => frame.startsWith("data: "))
		.map(frame => frame.slice("data: ".length))
		.map(data =>
			data.startsWith('{"cutaway"') ? (JSON.parse(data) as { cutaway: unknown }).cutaway : data,
		);
}

const strictFrames =
	'data: {"role":"assistant","content":""}\n\ndata: {"content":"Hi"}\n\ndata: {}\n\ndata: [DONE]\n\ndata: [END]\n\n';

test("notes, thoughts, tokens and the limit come in frames of their own, where they are asked for", async () => {
	const usage: EngineEvent = { type: "usage", input: 7, output: 2, perSecond: 40 };
	const finish: EngineEvent = { type: "finish", reason: "length" };
	const notThinking: EngineEvent = { type: "not-thinking" };
	const events = [note, thinking, start, hi, usage, end, thinking, notThinking, finish];
	const service = await startTestService({ engine: engineOf(events) });
	expect(await framesOf(await ask(service))).toEqual([
		note,
		thinking,
		{ type: "thought", ms: expect.any(Number) },
		'{"role":"assistant","content":""}',
		'{"content":"Hi"}',
		usage,
		"{}",
		"[DONE]",
		thinking,
		notThinking,
		finish,
		"[END]",
	]);
});

test("a reader who asks for nothing gets the interface to the letter, whatever the model does", async () => {
	const clock = createFakeClock();
	const { promise, resolve } = Promise.withResolvers<void>();
	let isWaiting = false;
	const engine: Engine = {
		async *answer() {
			yield* [note, thinking, { type: "progress", stage: "reading" }, start] as const;
			isWaiting = true;
			await promise;
			yield* [hi, { type: "usage", input: 7 }, end, { type: "finish", reason: "length" }] as const;
		},
	};
	const service = await startTestService({ engine, clock });
	const asked = ask(service, {});
	await expect.poll(() => isWaiting).toBe(true);
	await clock.advance(60_000);
	resolve();
	expect(await (await asked).text()).toBe(strictFrames);
	const whole = await service.ask("Hi");
	expect(await whole.json()).toEqual({ messages: [{ role: "assistant", content: "Hi" }] });
});

test("S2: an answer that breaks off for a reason ends with a frame of it, for those who ask alone", async () => {
	const failure = new HttpFailure(502, "model_answer_failed", "lm failed: out of memory");
	const service = await startTestService({ engine: engineOf([start, hi], failure) });
	expect(await framesOf(await ask(service))).toEqual([
		'{"role":"assistant","content":""}',
		'{"content":"Hi"}',
		{
			type: "failed",
			status: 502,
			error: { code: "model_answer_failed", message: "lm failed: out of memory" },
		},
		"(broken)",
	]);
	expect(await framesOf(await ask(service, {}))).toEqual([
		'{"role":"assistant","content":""}',
		'{"content":"Hi"}',
		"(broken)",
	]);
});

test("a failure of the service's own after thoughts ends with a frame without its words", async () => {
	const service = await startTestService({ engine: engineOf([thinking], new Error("broken")) });
	expect(await framesOf(await ask(service))).toMatchObject([
		thinking,
		{ type: "thought" },
		{ type: "failed", status: 500, error: { code: "internal_error" } },
		"(broken)",
	]);
	expect((await ask(service, {})).status).toBe(500);
});

test("a request that is refused before anything came is refused by its status", async () => {
	const service = await startTestService({ engine: engineOf([start, end]) });
	const response = await fetch(`${service.baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: { ...authorization, "Content-Type": "application/json", "x-cutaway-details": "1" },
		body: JSON.stringify({ model: "llm-4-turbo", messages: [] }),
	});
	expect(response.status).toBe(400);
});

test("S21: what the model does is told at once and every ten seconds, until it is over", async () => {
	const clock = createFakeClock();
	const resume: (() => void)[] = [];
	const pause = (): Promise<void> => new Promise(resolve => void resume.push(resolve));
	const engine: Engine = {
		async *answer() {
			yield { type: "progress", stage: "loading" };
			await pause();
			yield start;
			await pause();
			yield { type: "message-end" };
		},
	};
	const service = await startTestService({ engine, clock });
	const answer = await ask(service);
	const frames = framesOf(answer);
	for (let step = 0; step < 2; step += 1) {
		await expect.poll(() => resume.length).toBe(1);
		await clock.advance(10_000);
		resume.pop()?.();
	}
	expect(await frames).toEqual([
		{ type: "progress", stage: "loading" },
		{ type: "progress", stage: "loading" },
		'{"role":"assistant","content":""}',
		{ type: "progress", stage: "working" },
		"{}",
		"[DONE]",
		"[END]",
	]);
});
