import { createServer, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ChatDetail } from "../../../src/client/contract/details.ts";
import type { RequestNotice } from "../../../src/client/contract/events.ts";
import { HttpFailure } from "../../../src/localService/base/httpFailure.ts";
import type { Engine, EngineEvent } from "../../../src/localService/engine.ts";
import { ask, clientOf } from "../../helpers/clientHarness.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";
import { startTestService, testToken } from "../localService/testService.ts";

const events: readonly EngineEvent[] = [
	{ type: "thinking", text: "Hm" },
	{ type: "message-start", role: "assistant" },
	{ type: "text-delta", text: "Hi" },
	{ type: "message-end" },
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
		response.end('data: {"role":"assistant","content":"Hi"}\n\ndata: [DONE]\n\ndata: [END]\n\n');
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return { url: `http://127.0.0.1:${port}`, requests };
}

test("what the local service tells beside an answer is heard before the answer's end", async () => {
	const { baseUrl } = await startTestService({ engine });
	const client = clientOf(baseUrl, { connect: { apiKey: testToken, hasDetails: true } });
	const details: ChatDetail[] = [];
	const { texts, error } = await ask(client, { onDetail: detail => details.push(detail) });
	expect([texts, error]).toEqual([["Hi"], undefined]);
	expect(details).toEqual([
		{ type: "thinking", index: 0, text: "Hm" },
		{ type: "thought", index: 0, ms: expect.any(Number) },
		{ type: "usage", input: 7 },
		{ type: "finish", reason: "length" },
	]);
});

test("S2: an answer that broke off says why where the local service told it beside the stream", async () => {
	const failing: Engine = {
		async *answer() {
			yield* events.slice(0, 3);
			throw new HttpFailure(502, "model_answer_failed", "lm failed: out of memory");
		},
	};
	const { baseUrl } = await startTestService({ engine: failing });
	const client = clientOf(baseUrl, { connect: { apiKey: testToken, hasDetails: true } });
	const details: ChatDetail[] = [];
	const { texts, error } = await ask(client, { onDetail: detail => details.push(detail) });
	expect(texts).toEqual(["Hi"]);
	expect(error).toMatchObject({
		kind: "interrupted",
		charge: "unknown",
		serviceMessage: "lm failed: out of memory (model_answer_failed)",
	});
	expect(details.map(({ type }) => type)).toEqual(["thinking", "thought"]);
});

test("another service gets neither the header nor the question for details", async () => {
	const { url, requests } = await startForeignService();
	const { texts } = await ask(clientOf(url), { onDetail: () => {} });
	expect(texts).toEqual(["Hi"]);
	expect(requests.map(({ method }) => method)).toEqual(["POST"]);
	expect(Object.keys(requests[0]?.headers ?? {}).join()).not.toContain("cutaway");
});

test("an answer goes without details where they cannot be had", async () => {
	const { url, requests } = await startForeignService();
	const client = clientOf(url, { connect: { hasDetails: true } });
	const { texts, error } = await ask(client, { onDetail: () => {} });
	expect([texts, error]).toEqual([["Hi"], undefined]);
	expect(requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
});

test("a model that thinks for longer than a silence may last is not given up", async () => {
	const clock = createFakeClock();
	const thinking: Engine = {
		async *answer() {
			for (let minute = 0; minute < 8; minute += 1) {
				yield { type: "thinking", text: "Hm" };
				await new Promise<void>(resolve => void heard.push(resolve));
			}
			yield* events;
		},
	};
	const heard: (() => void)[] = [];
	const { baseUrl } = await startTestService({ engine: thinking });
	const connect = { apiKey: testToken, hasDetails: true } as const;
	const client = clientOf(baseUrl, { connect, clock });
	const onDetail = async ({ type }: ChatDetail): Promise<void> => {
		if (type === "thinking") {
			await clock.advance(50_000);
			heard.shift()?.();
		}
	};
	const { texts, error } = await ask(client, { onDetail: detail => void onDetail(detail) });
	expect([texts, error]).toEqual([["Hi"], undefined]);
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
	const connect = { apiKey: testToken, hasDetails: true } as const;
	const client = clientOf(baseUrl, { connect, clock });
	const stages: string[] = [];
	const notices: RequestNotice[] = [];
	const onDetail = async (detail: ChatDetail): Promise<void> => {
		if (detail.type !== "progress") {
			return;
		}
		stages.push(detail.stage);
		if (stages.length % 40 === 0) {
			resume.shift()?.();
		} else {
			await clock.advance(10_000);
		}
	};
	const { texts, error } = await ask(client, {
		onDetail: detail => void onDetail(detail),
		onNotice: notice => void notices.push(notice),
	});
	expect([texts, error]).toEqual([["Hi", "Hi"], undefined]);
	expect(new Set(stages)).toEqual(new Set(["reading"]));
	expect(notices).toEqual([]);
});
