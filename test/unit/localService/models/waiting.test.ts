import { expect, test } from "vitest";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
import type { RequestNotice } from "../../../../src/client/contract/serviceClient.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { EngineEvent } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import type { Interpreter } from "../../../../src/localService/python/codeInterpreter.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import {
	callReply,
	delta,
	errorReply,
	frames,
	type ModelReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { quickClock } from "../../../helpers/quickClock.ts";
import { startTestService, testToken } from "../testService.ts";

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};
const request = { model: "lm/tiny", messages: [{ role: "user", content: "Hi" }], stream: true };

/** Models behind a server with these replies; waits are a hundred times shorter. */
async function openModels(...replies: readonly ModelReply[]) {
	const server = await startModelServer(replies);
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	const models = new Models(() => ({ servers, contextLength: 0 }), demo, quickClock, silentLog);
	return { server, models };
}

interface Heard {
	readonly waits: readonly number[];
	readonly text: string;
	readonly failure: unknown;
}

async function ask(
	models: Models,
	signal = new AbortController().signal,
	python?: Interpreter,
	onEvent: (event: EngineEvent) => void = () => {},
): Promise<Heard> {
	const waits: number[] = [];
	let text = "";
	try {
		for await (const event of models.answer(request, signal, python)) {
			onEvent(event);
			text += event.type === "text-delta" ? event.text : "";
			if (event.type === "waiting") {
				waits.push(event.ms);
			}
		}
		return { waits, text, failure: undefined };
	} catch (failure) {
		return { waits, text, failure };
	}
}

const limited = [
	{
		error: {
			code: 429,
			message: "… Please retry in 39.137s.",
			details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "39s" }],
		},
	},
];
const overloaded = { error: "Server overloaded, please retry shortly" };
const inStream = (error: object): ModelReply => ({ body: frames({ error }) });

test.each<readonly [string, ModelReply, number]>([
	["429 with the time in its body", errorReply(429, limited), 39_000],
	[
		"429 in milliseconds",
		errorReply(429, { error: "Slow" }, { "retry-after-ms": "39000" }),
		39_000,
	],
	[
		"429 with the limit's headers",
		errorReply(
			429,
			{ error: "Slow" },
			{ "x-ratelimit-reset-tokens": "1.5s", "x-ratelimit-remaining-tokens": "0" },
		),
		1_500,
	],
	["503 of a server that is overloaded", errorReply(503, overloaded), 2_000],
	["503 with the time", errorReply(503, { error: "No" }, { "retry-after": "3" }), 3_000],
	["529", errorReply(529, { error: { type: "overloaded_error", message: "Overloaded" } }), 2_000],
	["429 as the first frame", inStream({ code: 429, message: "Try again in 5 s" }), 5_000],
	["503 as the first frame", inStream({ code: 503, message: "The model is overloaded." }), 2_000],
])("H8: %s is waited for, and the message sent once more", async (_name, reply, ms) => {
	const { server, models } = await openModels(reply, textReply("Hello"));
	expect(await ask(models)).toEqual({ waits: [ms], text: "Hello", failure: undefined });
	expect(server.requests).toHaveLength(2);
});

test("H8: a limit that stays is waited for twice, then the server's words are told", async () => {
	const { server, models } = await openModels(errorReply(429, limited));
	const { waits, failure } = await ask(models);
	expect(waits).toEqual([39_000, 39_000]);
	expect(failure).toMatchObject({ status: 429, headers: { "Retry-After": "39" } });
	expect(server.requests).toHaveLength(3);
});

test("H8: a wait of more than a minute is left to the user", async () => {
	const { server, models } = await openModels(
		errorReply(429, { error: { message: "Please try again in 46 minutes." } }),
	);
	expect(await ask(models)).toMatchObject({
		waits: [],
		failure: {
			status: 429,
			headers: { "Retry-After": "2760" },
		},
	});
	expect(server.requests).toHaveLength(1);
});

test.each<readonly [string, ModelReply]>([
	["503 without a reason", errorReply(503, "<html><title>Service Unavailable</title></html>")],
	["500", errorReply(500, overloaded)],
	[
		"a limit that came after text",
		{ body: frames(delta({ content: "One" }), { error: { code: 429, message: "Slow" } }) },
	],
])("H12: %s is never sent again by itself", async (_name, reply) => {
	const { server, models } = await openModels(reply, textReply("Two"));
	expect(await ask(models)).toMatchObject({ waits: [], failure: { name: "HttpFailure" } });
	expect(server.requests).toHaveLength(1);
});

test("H8: a limit in the middle of an answer with tools loses nothing, and no tool runs twice", async () => {
	const { server, models } = await openModels(
		callReply("code_interpreter", { code: "1" }),
		errorReply(429, limited),
		textReply("Done"),
	);
	let runs = 0;
	const run: Interpreter["run"] = async code => {
		runs += 1;
		return await Promise.resolve({
			status: "done",
			output: code,
			result: null,
			hasLostState: false,
			files: {
				count: 0,
				shown: [],
			},
			figures: [],
		});
	};
	const heard = await ask(models, undefined, { files: [], run });
	expect(heard).toMatchObject({ waits: [39_000], failure: undefined });
	expect(heard.text).toContain("Done");
	expect(runs).toBe(1);
	expect(server.requests).toHaveLength(3);
});

test("H8: Stop ends the wait, and nothing more is sent", async () => {
	const { server, models } = await openModels(errorReply(429, limited), textReply("Hello"));
	const stopping = new AbortController();
	const { failure } = await ask(models, stopping.signal, undefined, ({ type }) => {
		if (type === "waiting") {
			stopping.abort();
		}
	});
	expect(failure).toMatchObject({ name: "AbortError" });
	expect(server.requests).toHaveLength(1);
});

test("H8: the chat counts the wait of a model's server down, over the reports in between", async () => {
	const { models } = await openModels(errorReply(429, limited), textReply("Hello"));
	const { baseUrl } = await startTestService({ engine: models, clock: quickClock });
	const connection = connectionTo(baseUrl, { apiKey: testToken, hasDetails: true });
	const client = createServiceClient({
		connection: async () => connection,
		clock: quickClock,
		random: () => 0,
	});
	const notices: RequestNotice[] = [];
	const options = { onNotice: (notice: RequestNotice) => notices.push(notice) };
	let text = "";
	for await (const event of client.streamChat(request, options)) {
		text += event.type === "text-delta" ? event.text : "";
	}
	expect(text).toBe("Hello");
	const waits = notices.flatMap(notice => (notice.type === "retrying" ? [notice.delayMs] : []));
	expect(waits[0]).toBe(39_000);
	expect(waits.length).toBeGreaterThan(1);
	expect(waits.toSorted((one, other) => other - one)).toEqual(waits);
});
