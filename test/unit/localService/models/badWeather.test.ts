import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
import { ServiceError } from "../../../../src/client/contract/serviceError.ts";
import type { ServiceClient } from "../../../../src/client/contract/serviceClient.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import {
	delta,
	errorReply,
	frames,
	type ModelReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { startTestService, testToken } from "../testService.ts";

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

/** The chat's own client, behind it the local service, behind that a server of models. */
async function clientThrough(modelServer: string): Promise<ServiceClient> {
	const headers = { authorization: "Bearer sk-secret-1" };
	const servers = [{ name: "lm", baseUrl: modelServer, headers }];
	const engine = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
	const { baseUrl } = await startTestService({ engine });
	const connection = connectionTo(baseUrl, { apiKey: testToken, hasDetails: true });
	return createServiceClient({
		connection: async () => connection,
		clock: systemClock,
		random: () => 0,
	});
}

interface Told {
	readonly text: string;
	readonly kind: string;
	readonly words: string | undefined;
}

const request = { model: "lm/tiny", messages: [{ role: "user", content: "Hi" }] };

async function ask(client: ServiceClient, stream = true): Promise<Told> {
	let text = "";
	try {
		if (!stream) {
			const { messages } = await client.chat(request);
			return { text: messages.map(({ content }) => content).join(""), kind: "", words: "" };
		}
		for await (const event of client.streamChat(request)) {
			text += event.type === "text-delta" ? event.text : "";
		}
		return { text, kind: "", words: "" };
	} catch (error) {
		if (!(error instanceof ServiceError)) {
			throw error;
		}
		return { text, kind: error.kind, words: error.serviceMessage };
	}
}

const page = "<html><title>Sign in to the network</title><body>…</body></html>";

const rows: readonly (readonly [name: string, reply: ModelReply, kind: string, words: string])[] = [
	[
		"a model that was removed",
		errorReply(404, { error: 'model "tiny" not found' }),
		"badRequest",
		'lm answered 404: model "tiny" not found',
	],
	[
		"a wrong key",
		errorReply(401, { error: { message: "Incorrect API key" } }),
		"badRequest",
		"lm answered 401: Incorrect API key",
	],
	[
		"a wrong key that the server repeats",
		errorReply(401, { error: { message: "Incorrect API key: sk-secret-1." } }),
		"badRequest",
		"lm answered 401: Incorrect API key: [redacted].",
	],
	[
		"a key that is repeated in mid-stream",
		{ body: 'data: {"error":{"message":"Bad key sk-secret-1","code":401}}\n\n' },
		"badRequest",
		"lm",
	],
	[
		"a key without rights",
		errorReply(403, { error: { message: "No access" } }),
		"badRequest",
		"lm answered 403: No access",
	],
	[
		"an empty account",
		errorReply(402, { error: { message: "Insufficient credits" } }),
		"badRequest",
		"lm answered 402: Insufficient credits",
	],
	[
		"a server that is out of order",
		errorReply(500, { error: { message: "CUDA failed" } }),
		"serverFailed",
		"lm answered 500: CUDA failed",
	],
	[
		"a model too large for the memory",
		errorReply(500, { error: "model requires more system memory" }),
		"serverFailed",
		"lm answered 500: model requires more system memory",
	],
	[
		"a proxy's page in place of an answer",
		{ body: page, headers: { "content-type": "text/html" } },
		"serverFailed",
		"lm did not send an answer but a page: Sign in to the network",
	],
	[
		"a proxy's page with a failure",
		errorReply(502, page),
		"serverFailed",
		"lm answered 502: Sign in to the network",
	],
	[
		"a reset on the first byte",
		{ body: "", ending: "reset" },
		"serverFailed",
		"The connection to lm broke",
	],
];

test.each(rows)(
	"%s is told in the server's words, and asked once",
	async (_name, reply, kind, words) => {
		const server = await startModelServer([reply]);
		const told = await ask(await clientThrough(server.url));
		expect(told).toMatchObject({ text: "", kind });
		expect(told.words?.slice(0, words.length)).toBe(words);
		expect(told.words).not.toContain("sk-secret-1");
		expect(server.requests).toHaveLength(1);
	},
);

test("a server that is busy is asked again when it says, and its words are told when it stays so", async () => {
	const busy = errorReply(429, { error: { message: "Slow down" } }, { "retry-after": "0" });
	const calm = await startModelServer([busy, textReply("Hello")]);
	expect(await ask(await clientThrough(calm.url))).toMatchObject({ text: "Hello", kind: "" });
	expect(calm.requests).toHaveLength(2);
	const always = await startModelServer([busy]);
	expect(await ask(await clientThrough(always.url))).toMatchObject({
		kind: "rateLimited",
		words: expect.stringContaining("lm answered 429: Slow down"),
	});
	expect(always.requests).toHaveLength(3);
});

test("a server that goes away in the middle leaves the text that came, and the reason comes with it", async () => {
	const body = frames(delta({ content: "It all began" })).replace("data: [DONE]\n\n", "");
	const server = await startModelServer([{ body, ending: "reset" }]);
	const told = await ask(await clientThrough(server.url));
	expect(told).toMatchObject({ text: "It all began", kind: "interrupted" });
	expect(told.words).toMatch(/^The connection to lm broke/);
	expect(server.requests).toHaveLength(1);
});

test("a frame that is not JSON is read over, and the answer says that a part of it is missing", async () => {
	const body = frames(delta({ content: "one " }), delta({ content: "two" }), delta({}, "stop"));
	const server = await startModelServer([
		{ body: body.replace("two", 'two"} oops') },
		{ body: `data: : PROCESSING\n\n${body}` },
	]);
	const client = await clientThrough(server.url);
	const unreadable = async (): Promise<number> => {
		let count = 0;
		for await (const event of client.streamChat(request)) {
			count += event.type === "message-end" ? event.unreadableFrames : 0;
		}
		return count;
	};
	expect(await unreadable()).toBe(1);
	expect(await unreadable()).toBe(0);
});

test("an answer without end is cut at the chat's limit, and the server is told to stop", async () => {
	const frame = frames(delta({ content: "x".repeat(1024 * 1024) })).replace("data: [DONE]\n\n", "");
	const closed = Promise.withResolvers<void>();
	const server = createServer((incoming, response) => {
		if (incoming.method === "GET") {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, { "content-type": "text/event-stream" });
		const write = (): void => {
			while (!response.destroyed && response.write(frame));
		};
		response.on("drain", write).on("close", closed.resolve);
		write();
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { port } = z.object({ port: z.number() }).parse(server.address());
	const told = await ask(await clientThrough(`http://127.0.0.1:${port}`));
	expect(told.kind).toBe("answerTooLarge");
	await closed.promise;
});
