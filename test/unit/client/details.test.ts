import { createServer, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ChatEvent, RequestNotice } from "../../../src/client/contract/serviceClient.ts";
import { HttpFailure } from "../../../src/localService/base/failureResponse.ts";
import { tooLong } from "../../../src/localService/openai/contextOverflow.ts";
import type { Engine, EngineEvent } from "../../../src/localService/engine.ts";
import { ask, clientOf } from "../../helpers/clientHarness.ts";
import { createFakeClock, type FakeClock } from "../../helpers/fakeClock.ts";
import { startTestService, testToken } from "../localService/testService.ts";

const events: readonly EngineEvent[] = [
	{ type: "thinking", text: "Hm" },
	{ type: "message-start", role: "assistant" },
	{ type: "text-delta", text: "Hi" },
	{ type: "message-end" },
	{ type: "note", kind: "fewerTools", names: ["read_file", "git.log"] },
	{ type: "usage", input: 7 },
	{ type: "finish", reason: "length" },
];

const engine: Engine = {
	async *answer() {
		yield* events;
	},
};

/** Every request that a service of somebody else's got; it answers chats, and everything else with 404. */
async function startForeignService(): Promise<{ url: string; requests: IncomingMessage[] }> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		response.writeHead(request.method === "POST" ? 200 : 404, {
			"content-type": "text/event-stream",
		});
		response.write('data: {"cutaway":{"type":"thinking","text":"Hm"}}\n\n');
		response.end('data: {"role":"assistant","content":"Hi"}\n\ndata: [DONE]\n\ndata: [END]\n\n');
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return { url: `http://127.0.0.1:${port}`, requests };
}

/** A client of the local service, and what it says between an answer's words. */
function localClient(baseUrl: string, clock?: FakeClock) {
	const connect = { apiKey: testToken, hasDetails: true } as const;
	return clientOf(baseUrl, { connect, ...(clock ? { clock } : {}) });
}

function detailsIn(received: readonly ChatEvent[]): unknown[] {
	return received.flatMap(event => (event.type === "detail" ? [[event.index, event.detail]] : []));
}

/** An engine that fails after these events, the first `times` it is asked. */
function failingEngine(before: readonly EngineEvent[], failure: Error, times = Infinity): Engine {
	let asked = 0;
	return {
		async *answer() {
			asked += 1;
			yield* asked > times ? events : before;
			if (asked <= times) {
				throw failure;
			}
		},
	};
}

test("what the local service adds to an answer comes among its events", async () => {
	const { baseUrl } = await startTestService({ engine });
	const { texts, error, events: received } = await ask(localClient(baseUrl));
	expect([texts, error]).toEqual([["Hi"], undefined]);
	expect(detailsIn(received)).toEqual([
		[0, { type: "thinking", text: "Hm" }],
		[0, { type: "thought", ms: expect.any(Number) }],
		[1, { type: "note", kind: "fewerTools", names: ["read_file", "git.log"] }],
		[1, { type: "usage", input: 7 }],
		[1, { type: "finish", reason: "length" }],
	]);
	expect(received.at(-1)?.type).toBe("stream-end");
});

test("a text that was a thought is no part of the message that ends", async () => {
	const half: readonly EngineEvent[] = [
		{ type: "message-start", role: "assistant" },
		{ type: "text-delta", text: "Okay, they say hi." },
		{ type: "was-thinking" },
		{ type: "text-delta", text: "Hello" },
		{ type: "message-end" },
	];
	const { baseUrl } = await startTestService({
		engine: {
			async *answer() {
				yield* half;
			},
		},
	});
	const { events: answered, error } = await ask(localClient(baseUrl));
	expect(error).toBeUndefined();
	expect(detailsIn(answered)).toEqual([
		[0, { type: "was-thinking" }],
		[0, { type: "thought", ms: expect.any(Number) }],
	]);
	expect(answered.find(({ type }) => type === "message-end")).toMatchObject({
		message: { role: "assistant", content: "Hello" },
	});
});

test("S2: an answer of the local service that broke off says why", async () => {
	const failure = new HttpFailure(502, "model_answer_failed", "lm failed: out of memory");
	const { baseUrl } = await startTestService({
		engine: failingEngine(events.slice(0, 3), failure),
	});
	const { texts, error } = await ask(localClient(baseUrl));
	expect(texts).toEqual(["Hi"]);
	expect(error).toMatchObject({
		kind: "interrupted",
		charge: "unknown",
		serviceMessage: "lm failed: out of memory",
		facts: { reason: "model_answer_failed" },
	});
});

test("a failure after thoughts alone is what it would have been before them", async () => {
	const failure = new HttpFailure(424, "model_server_refused_key", "lm answered 401: no key");
	const { baseUrl } = await startTestService({
		engine: failingEngine(events.slice(0, 1), failure),
	});
	const { error } = await ask(localClient(baseUrl));
	expect(error).toMatchObject({
		kind: "badRequest",
		charge: "refused",
		status: 424,
		serviceMessage: "lm answered 401: no key",
		facts: { reason: "model_server_refused_key" },
	});
});

test("reasons and tokens are read of the local service alone, and of its codes those that mean something", async () => {
	const failure = tooLong({ has: 9200, room: 4096 });
	const { baseUrl } = await startTestService({ engine: failingEngine([], failure) });
	const refused = { kind: "badRequest", charge: "refused", status: 400 };
	const { error } = await ask(localClient(baseUrl));
	expect(error).toMatchObject({
		facts: { ...refused, reason: failure.code, tokens: failure.tokens },
	});
	const strict = await ask(clientOf(baseUrl, { connect: { apiKey: testToken } }));
	expect(strict.error).toMatchObject({
		facts: { ...refused, reason: undefined, tokens: undefined },
	});
	const other = new HttpFailure(400, "invalid_request", "messages: must be a list.");
	const { baseUrl: second } = await startTestService({ engine: failingEngine([], other) });
	const { error: unknown } = await ask(localClient(second));
	expect(unknown).toMatchObject({ facts: { reason: undefined, serviceMessage: other.message } });
});

test("H8: an answer that was refused for now before any of it came is asked for again", async () => {
	const busy = new HttpFailure(429, "rate", "Wait.", { "Retry-After": "3" });
	const reading: EngineEvent = { type: "progress", stage: "reading" };
	const clock = createFakeClock();
	const { baseUrl } = await startTestService({ engine: failingEngine([reading], busy, 1) });
	const notices: RequestNotice[] = [];
	const { texts, error } = await ask(localClient(baseUrl, clock), {
		onNotice: notice => {
			notices.push(notice);
			if (notice.type === "retrying") {
				setImmediate(() => void clock.advance(notice.delayMs));
			}
		},
	});
	expect([texts, error]).toEqual([["Hi"], undefined]);
	expect(notices).toEqual([
		reading,
		{ type: "retrying", attempt: 2, delayMs: 3_000, reason: "rateLimited" },
	]);
});

test("another service gets no header, and what it sends under that name is read over", async () => {
	const { url, requests } = await startForeignService();
	const { texts, events: received } = await ask(clientOf(url));
	expect(texts).toEqual(["Hi"]);
	expect(detailsIn(received)).toEqual([]);
	expect(requests.map(({ method }) => method)).toEqual(["POST"]);
	expect(Object.keys(requests[0]?.headers ?? {}).join()).not.toContain("cutaway");
});

test("S21: a model that reads for minutes, and again after its first words, is not given up and says so", async () => {
	const clock = createFakeClock();
	const resume: (() => void)[] = [];
	const reading: Engine = {
		async *answer() {
			for (let round = 0; round < 2; round += 1) {
				yield { type: "progress", stage: "reading" };
				await new Promise<void>(resolve => void resume.push(resolve));
				yield* events;
			}
		},
	};
	const { baseUrl } = await startTestService({ engine: reading, clock });
	const notices: RequestNotice[] = [];
	const { texts, error } = await ask(localClient(baseUrl, clock), {
		onNotice: notice => {
			notices.push(notice);
			if (notices.length % 40 === 0) {
				resume.shift()?.();
			} else {
				void clock.advance(10_000);
			}
		},
	});
	expect([texts, error]).toEqual([["Hi", "Hi"], undefined]);
	expect(notices.every(({ type }) => type === "progress")).toBe(true);
	expect(new Set(notices.map(notice => "stage" in notice && notice.stage))).toEqual(
		new Set(["reading"]),
	);
});
