import { expect, test } from "vitest";
import type { Engine, EngineEvent } from "../../../../src/localService/engine.ts";
import { HttpFailure } from "../../../../src/localService/base/httpFailure.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { authorization, chatRequest, startTestService, type TestService } from "../testService.ts";

const id = "0123456789abcdef-01";

/** An engine whose every answer is these events. */
function engineOf(...events: readonly EngineEvent[]): Engine {
	return {
		async *answer() {
			yield* events;
		},
	};
}

const thinking: EngineEvent = { type: "thinking", text: "Hm" };
const start: EngineEvent = { type: "message-start", role: "assistant" };
const hi: EngineEvent = { type: "text-delta", text: "Hi" };
const end: EngineEvent = { type: "message-end" };

function listen(service: TestService, under = id, headers: object = authorization) {
	return fetch(`${service.baseUrl}/v1/cutaway/details/${under}`, { headers: { ...headers } });
}

function ask(service: TestService, headers: object = { "x-cutaway-details": id }) {
	return fetch(`${service.baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: { ...authorization, "Content-Type": "application/json", ...headers },
		body: JSON.stringify(chatRequest("Hi", { stream: true })),
	});
}

async function detailsIn(response: Response): Promise<object[]> {
	const frames = (await response.text()).split("\n\n").filter(frame => frame.startsWith("data: "));
	return frames.map(frame => JSON.parse(frame.slice("data: ".length)) as object);
}

const frames =
	'data: {"role":"assistant","content":""}\n\ndata: {"content":"Hi"}\n\ndata: {}\n\ndata: [DONE]\n\ndata: [END]\n\n';

test("thoughts, tokens and the limit go beside the answer, whose frames stay to the letter", async () => {
	const usage: EngineEvent = { type: "usage", input: 7, output: 2, perSecond: 40 };
	const finish: EngineEvent = { type: "finish", reason: "length" };
	const engine = engineOf(thinking, start, hi, usage, end, finish);
	const service = await startTestService({ engine });
	const listening = await listen(service);
	expect(listening.status).toBe(200);
	expect(await (await ask(service)).text()).toBe(frames);
	expect(await detailsIn(listening)).toEqual([
		{ type: "thinking", index: 0, text: "Hm" },
		{ type: "thought", index: 0, ms: expect.any(Number) },
		usage,
		finish,
	]);
});

test("nobody who does not listen hears of them", async () => {
	const service = await startTestService({ engine: engineOf(thinking, start, hi, end) });
	expect(await (await ask(service, {})).text()).toBe(frames);
	expect(await (await ask(service)).text()).toBe(frames);
	const whole = await service.ask("Hi");
	expect(await whole.json()).toEqual({ messages: [{ role: "assistant", content: "Hi" }] });
});

test("a thought is told with the message that it comes before", async () => {
	const engine = engineOf(thinking, start, hi, end, thinking, { type: "not-thinking" }, start, end);
	const service = await startTestService({ engine });
	const listening = await listen(service);
	await (await ask(service)).text();
	expect(await detailsIn(listening)).toMatchObject([
		{ type: "thinking", index: 0 },
		{ type: "thought", index: 0 },
		{ type: "thinking", index: 1 },
		{ type: "not-thinking", index: 1 },
	]);
});

test("listening needs the token, a fresh id, and ends when no answer begins", async () => {
	const clock = createFakeClock();
	const service = await startTestService({ engine: engineOf(start, end), clock });
	expect((await listen(service, id, {})).status).toBe(401);
	expect((await listen(service, "short")).status).toBe(400);
	const first = await listen(service);
	expect((await listen(service)).status).toBe(409);
	await clock.advance(30_000);
	expect(await detailsIn(first)).toEqual([]);
	const again = await listen(service);
	expect(again.status).toBe(200);
	await again.body?.cancel();
});

test("an answer that fails ends its details as well", async () => {
	const engine: Engine = {
		async *answer() {
			yield thinking;
			throw new Error("broken");
		},
	};
	const service = await startTestService({ engine });
	const listening = await listen(service);
	expect((await ask(service)).status).toBe(500);
	expect(await detailsIn(listening)).toMatchObject([{ type: "thinking" }, { type: "thought" }]);
});

test("S2: an answer that breaks off for a reason says it beside the stream, which has no words for it", async () => {
	const engine: Engine = {
		async *answer() {
			yield* [start, hi];
			throw new HttpFailure(502, "model_answer_failed", "lm failed: out of memory");
		},
	};
	const service = await startTestService({ engine });
	const listening = await listen(service);
	await expect((await ask(service)).text()).rejects.toThrow("terminated");
	expect(await detailsIn(listening)).toEqual([
		{ type: "failed", error: { message: "lm failed: out of memory", code: "model_answer_failed" } },
	]);
});

test("a request that is refused ends its details at once", async () => {
	const service = await startTestService({
		engine: engineOf(start, end),
		clock: createFakeClock(),
	});
	const listening = await listen(service);
	const response = await fetch(`${service.baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: { ...authorization, "Content-Type": "application/json", "x-cutaway-details": id },
		body: JSON.stringify({ model: "llm-4-turbo", messages: [] }),
	});
	expect(response.status).toBe(400);
	expect(await detailsIn(listening)).toEqual([]);
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
	const listening = await listen(service);
	const asked = ask(service);
	for (let step = 0; step < 2; step += 1) {
		await expect.poll(() => resume.length).toBe(1);
		await clock.advance(10_000);
		resume.pop()?.();
	}
	const answer = await asked;
	await clock.advance(60_000);
	await answer.body?.cancel();
	expect(await detailsIn(listening)).toEqual([
		{ type: "progress", stage: "loading" },
		{ type: "progress", stage: "loading" },
		{ type: "progress", stage: "working" },
	]);
});
