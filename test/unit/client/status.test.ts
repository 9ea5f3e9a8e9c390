import { createBrotliCompress, createDeflateRaw, createZstdCompress, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../helpers/eventually.ts";
import { type Log, silentLog } from "../../../src/common/log.ts";
import { ask, canaryKey, clientOf, failureOf, question } from "../../helpers/clientHarness.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";
import {
	chunk,
	closeDelimitedHead,
	content,
	jsonReply,
	lastChunk,
	reply,
	start,
	streamed,
	streamHead,
} from "../../helpers/httpScripts.ts";
import {
	fin,
	reset,
	type ScriptedServer,
	send,
	stall,
	startScriptedServer,
	type Step,
} from "../../helpers/scriptedServer.ts";

const generation = { success: true, generation: { status: "complete" } };
const answer = streamed(start, content("Hi"), "{}", "[DONE]", "[END]");
const html = { "content-type": "text/html" };
const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

const servers: ScriptedServer[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serve(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
	const server = await startScriptedServer(...args);
	servers.push(server);
	return server;
}

/** A status that ends a paid call after one POST and, when `isFree`, a lookup after six requests. */
interface StatusRow {
	readonly id: string;
	readonly status: number;
	readonly kind: string;
	readonly charge: string;
	readonly isRepeatedWhenFree: boolean;
}

const rows: readonly StatusRow[] = [
	{ id: "H1", status: 400, kind: "badRequest", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H2", status: 401, kind: "unauthorized", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H3", status: 403, kind: "forbidden", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H4", status: 404, kind: "notFound", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H5", status: 408, kind: "conflict", charge: "refused", isRepeatedWhenFree: true },
	{ id: "H5", status: 409, kind: "conflict", charge: "refused", isRepeatedWhenFree: true },
	{ id: "H5", status: 425, kind: "conflict", charge: "refused", isRepeatedWhenFree: true },
	{ id: "H6", status: 413, kind: "tooLarge", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H7", status: 422, kind: "badRequest", charge: "refused", isRepeatedWhenFree: false },
	{ id: "H10", status: 500, kind: "serverFailed", charge: "unknown", isRepeatedWhenFree: true },
	{ id: "H11", status: 502, kind: "serverFailed", charge: "unknown", isRepeatedWhenFree: true },
	{ id: "H11", status: 504, kind: "serverFailed", charge: "unknown", isRepeatedWhenFree: true },
	{ id: "H12", status: 503, kind: "busy", charge: "unknown", isRepeatedWhenFree: true },
];

describe.each(rows)("$id: status $status", ({ id, status, kind, charge, isRepeatedWhenFree }) => {
	test(`${id}: a paid call is sent once and reports the service's message`, async () => {
		const server = await serve([jsonReply(status, { error: { message: "Said the service" } })]);
		const { error, notices } = await ask(clientOf(server.url));
		expect(error).toMatchObject({
			kind,
			charge,
			status,
			serviceMessage: "Said the service",
			host: `127.0.0.1:${server.port}`,
		});
		expect([server.posts, notices]).toEqual([1, []]);
	});

	test(`${id}: a lookup is sent ${isRepeatedWhenFree ? "six times at most" : "once"}`, async () => {
		const server = await serve([jsonReply(status, { message: "No" })]);
		const error = await failureOf(clientOf(server.url).getGeneration("g"));
		expect(error.kind).toBe(kind);
		expect(server.requests).toHaveLength(isRepeatedWhenFree ? 6 : 1);
	});
});

describe("H1: the words of an error body", () => {
	test.each([
		["message", '{"message":"Too short"}', "Too short"],
		["error as text", '{"error":"Too short"}', "Too short"],
		[
			"error.message with a code",
			'{"error":{"message":"Too short","code":"e42"}}',
			"Too short (e42)",
		],
		["detail", '{"detail":"Too short"}', "Too short"],
		["errors", '{"errors":["One","Two"]}', "One\nTwo"],
		[
			"errors with fields",
			'{"errors":[{"field":"prompt","message":"Too short"}]}',
			"prompt: Too short",
		],
		[
			"a list of validations",
			'{"detail":[{"loc":["body","duration"],"msg":"Too long"}]}',
			"body.duration: Too long",
		],
		["a code beside", '{"message":"Too short","code":17}', "Too short (17)"],
		["plain text", "Too short", "Too short"],
		["other JSON", '{"reason":"Too short"}', '{"reason":"Too short"}'],
		["nothing inherited", '{"__proto__":{"message":"x"},"detail":"Too short"}', "Too short"],
		["control characters", "Too\u0000 sh\u001b[31mort\u202e", "Too sh[31mort"],
		["nothing", "", undefined],
	])("H1: %s", async (_form, body, words) => {
		const server = await serve([reply(400, body, { "content-type": "text/plain" })]);
		expect((await ask(clientOf(server.url))).error?.serviceMessage).toBe(words);
	});

	test("H1: at most 500 characters of at most 64 KiB are kept, and the connection is closed", async () => {
		const server = await serve([
			send("HTTP/1.1 400 Scripted\r\ncontent-length: 100000000\r\n\r\n"),
			send("ä".repeat(64 * 1024)),
			stall,
		]);
		const { error } = await ask(clientOf(server.url));
		expect([...(error?.serviceMessage ?? "")]).toHaveLength(500);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("H1: an error body that breaks off still tells its status", async () => {
		const server = await serve([
			send('HTTP/1.1 400 Scripted\r\ncontent-length: 1000\r\n\r\n{"message":"Hal'),
			reset,
		]);
		const { error } = await ask(clientOf(server.url));
		expect(error).toMatchObject({ kind: "badRequest", serviceMessage: '{"message":"Hal' });
	});

	test("H1: an error body that falls silent is given up after a minute", async () => {
		const clock = createFakeClock();
		const server = await serve([
			send('HTTP/1.1 400 Scripted\r\ncontent-length: 1000\r\n\r\n{"mess'),
			stall,
		]);
		const logged: string[] = [];
		const log: Log = { ...silentLog, debug: message => logged.push(message) };
		const asking = ask(clientOf(server.url, { clock, log }));
		await eventually(() => logged).toContain("An answer began");
		await clock.advance(61_000);
		expect((await asking).error?.kind).toBe("badRequest");
	});
});

test("H2: a key that the service repeats is not in the error", async () => {
	const server = await serve([jsonReply(401, { message: `Key ${canaryKey} is not known` })]);
	const { error } = await ask(clientOf(server.url));
	expect(error).toMatchObject({ kind: "unauthorized", serviceMessage: "Key [key] is not known" });
	expect(JSON.stringify([error?.message, error?.stack])).not.toContain(canaryKey);
});

describe("H8: 429 with Retry-After", () => {
	test("H8: a paid call waits as asked, says so, and tries at most twice more", async () => {
		const clock = createFakeClock();
		const server = await serve([jsonReply(429, { message: "Slow down" }, { "retry-after": "20" })]);
		const asking = ask(clientOf(server.url, { clock }));
		for (let posts = 1; posts <= 2; posts++) {
			await eventually(() => [server.posts, clock.pending]).toEqual([posts, 1]);
			await clock.advance(19_900);
			expect(server.posts).toBe(posts);
			await clock.advance(200);
		}
		const { error, notices } = await asking;
		expect(error).toMatchObject({ kind: "rateLimited", charge: "refused", retryAfterMs: 20_000 });
		expect(server.posts).toBe(3);
		expect(notices).toEqual([
			{ type: "retrying", attempt: 2, delayMs: 20_000, reason: "rateLimited" },
			{ type: "retrying", attempt: 3, delayMs: 20_000, reason: "rateLimited" },
		]);
	});

	test("H8: the answer after the wait is the answer", async () => {
		const server = await serve([{ steps: [jsonReply(429, {}, { "retry-after": "0" })] }, answer]);
		expect((await ask(clientOf(server.url))).texts).toEqual(["Hi"]);
		expect(server.posts).toBe(2);
	});

	test("H8: more than a minute is shown, not waited", async () => {
		const server = await serve([jsonReply(429, {}, { "retry-after": "61" })]);
		const { error } = await ask(clientOf(server.url));
		expect([error?.retryAfterMs, server.posts]).toEqual([61_000, 1]);
		const lookup = await failureOf(clientOf(server.url).getGeneration("g"));
		expect([lookup.retryAfterMs, server.requests.length]).toEqual([61_000, 2]);
	});

	test("H8: the countdown can be cancelled", async () => {
		const clock = createFakeClock();
		const abort = new AbortController();
		const server = await serve([jsonReply(429, {}, { "retry-after": "60" })]);
		const asking = ask(clientOf(server.url, { clock }), { signal: abort.signal });
		await eventually(() => [server.posts, clock.pending]).toEqual([1, 1]);
		abort.abort();
		expect([(await asking).isAborted, clock.pending, server.posts]).toEqual([true, 0, 1]);
	});
});

test("H9: 429 without a usable Retry-After backs off, twice at most", async () => {
	const server = await serve([jsonReply(429, {}, { "retry-after": "soon" })]);
	const { error, notices } = await ask(clientOf(server.url, { random: () => 0.01 }));
	expect([error?.kind, error?.retryAfterMs, server.posts]).toEqual(["rateLimited", undefined, 3]);
	expect(notices.map(notice => "delayMs" in notice && notice.delayMs)).toEqual([5, 10]);
});

test("H12: a lookup told 503 waits as asked", async () => {
	const clock = createFakeClock();
	const server = await serve([
		{ steps: [jsonReply(503, {}, { "retry-after": "5" })] },
		{ steps: [jsonReply(200, generation)] },
	]);
	const looking = clientOf(server.url, { clock }).getGeneration("g");
	await eventually(() => [server.requests.length, clock.pending]).toEqual([1, 1]);
	await clock.advance(4_900);
	expect(server.requests).toHaveLength(1);
	await clock.advance(200);
	expect(await looking).toEqual({ status: "complete" });
});

describe("H13: a web page with any status", () => {
	test.each([200, 400, 401, 404, 500, 502, 503])(
		"H13: with %i it is named by its title",
		async status => {
			const server = await serve([reply(status, page, html)]);
			const { error } = await ask(clientOf(server.url));
			expect(error).toMatchObject({ kind: "webPage", status, detail: "502 Bad Gateway" });
			expect([error?.charge, server.posts]).toEqual([status >= 500 ? "unknown" : "refused", 1]);
		},
	);

	test("H13: a lookup is repeated from 500 on, and only then", async () => {
		const failing = await serve([reply(502, page, html)]);
		await failureOf(clientOf(failing.url).getGeneration("g"));
		const refusing = await serve([reply(404, page, html)]);
		await failureOf(clientOf(refusing.url).getGeneration("g"));
		expect([failing.requests.length, refusing.requests.length]).toEqual([6, 1]);
	});

	test("H13: JSON under the type of a page is JSON", async () => {
		const server = await serve([reply(400, '{"message":"No"}', html)]);
		expect((await ask(clientOf(server.url))).error).toMatchObject({
			kind: "badRequest",
			serviceMessage: "No",
		});
	});
});

describe("H14: success is false", () => {
	const refusal = { success: false, message: "No credit", code: "E1" };

	test("H14: is a refusal with the service's words, sent once", async () => {
		const server = await serve([jsonReply(200, refusal)]);
		const client = clientOf(server.url);
		const calls = [
			client.chat(question),
			client.createTextToVideo({ prompt: "p" }),
			client.getGeneration("g"),
		];
		for (const failure of await Promise.all(calls.map(failureOf))) {
			expect(failure).toMatchObject({
				kind: "rejected",
				charge: "refused",
				serviceMessage: "No credit (E1)",
			});
		}
		expect(server.requests).toHaveLength(3);
	});

	test("H14: is a refusal without words too", async () => {
		const server = await serve([jsonReply(200, { success: false })]);
		const error = await failureOf(clientOf(server.url).createTextToVideo({ prompt: "p" }));
		expect(error).toMatchObject({ kind: "rejected", charge: "refused", serviceMessage: undefined });
	});

	test("H14: an error in place of the answer is one too", async () => {
		const server = await serve([jsonReply(200, { error: { message: "No credit" } })]);
		expect(await failureOf(clientOf(server.url).chat(question))).toMatchObject({
			kind: "rejected",
			serviceMessage: "No credit",
		});
	});

	test("H14: a reply that promises success without its id is not what the interface promises", async () => {
		const server = await serve([jsonReply(200, { success: true })]);
		const error = await failureOf(clientOf(server.url).createTextToVideo({ prompt: "p" }));
		expect(error).toMatchObject({ kind: "unreadable", charge: "unknown" });
		expect(error.detail).toContain("generation_id");
	});
});

describe("H15: a stream was asked for and JSON came", () => {
	const messages = [
		{ role: "function", name: "code_interpreter", content: "4" },
		{
			role: "assistant",
			content: "Four",
			calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
		},
	];

	test.each(["application/json", "text/plain", "text/event-stream", "application/problem+json"])(
		"H15: as %s, its messages are the answer",
		async type => {
			const server = await serve([
				reply(200, JSON.stringify({ messages }), { "content-type": type }),
			]);
			const { events, error, texts } = await ask(clientOf(server.url));
			expect([error, texts]).toEqual([undefined, ["4", "Four"]]);
			expect(
				events.filter(event => event.type === "message-end").map(event => event.message),
			).toEqual(messages);
			expect(events.filter(event => event.type === "tool-call")).toHaveLength(1);
			expect(events.at(-1)).toEqual({ type: "stream-end", isStreamed: false });
			expect(server.posts).toBe(1);
		},
	);
});

test("H15: calls that cannot be answered are left out of what goes back", async () => {
	const call = { type: "function", function: { name: "f", arguments: "{}" } };
	const message = { role: "assistant", content: "Hi", tool_calls: [call] };
	const server = await serve([jsonReply(200, { messages: [message] })]);
	const { events } = await ask(clientOf(server.url));
	expect(events.find(({ type }) => type === "message-end")).toMatchObject({
		message: { role: "assistant", content: "Hi" },
		hasUnusableCall: true,
	});
	expect(JSON.stringify(events)).not.toContain("tool_calls");
});

describe("S14: JSON that can be read in part", () => {
	const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
	const partly = [
		{ role: "assistant", content: "One", tool_call_id: 7, tool_calls: [call] },
		"no message",
		{ role: "assistant", content: ["Two"], name: "kept", function_call: { name: 1 } },
		{ content: "Three" },
	];

	test("S14: keeps what can be read, counts the rest, and gives no call of such a message", async () => {
		const server = await serve([jsonReply(200, { messages: partly })]);
		const { events, error, texts } = await ask(clientOf(server.url));
		expect([error, texts]).toEqual([undefined, ["One", "", "Three"]]);
		const ends = events.filter(event => event.type === "message-end");
		expect(ends.map(({ message, unreadableFrames }) => [message, unreadableFrames])).toEqual([
			[{ role: "assistant", content: "One" }, 1],
			[{ role: "assistant", content: "", name: "kept" }, 2],
			[{ role: "assistant", content: "Three" }, 0],
		]);
		expect(events.filter(event => event.type === "tool-call")).toEqual([]);
	});

	test("S14: says so without streaming too", async () => {
		const server = await serve([jsonReply(200, { messages: [...partly, 7] })]);
		expect((await clientOf(server.url).chat(question)).unreadable).toEqual([1, 2, 1]);
	});

	test.each([
		["works beside a message that cannot be read whole", partly[2], 1],
		["is not given when something other than a message comes before it", 7, 0],
	])("S14: a call of a message %s", async (_what, before, count) => {
		const message = { role: "assistant", content: "", tool_calls: [call] };
		const server = await serve([jsonReply(200, { messages: [before, message] })]);
		const { events } = await ask(clientOf(server.url));
		expect(events.filter(event => event.type === "tool-call")).toHaveLength(count);
	});

	test.each([
		["no message at all", [7, "text", { kind: "ping" }]],
		["no text that is text", [{ role: "assistant", content: 7 }]],
	])("S14: with %s it is unreadable", async (_what, messages) => {
		const server = await serve([jsonReply(200, { messages })]);
		expect((await ask(clientOf(server.url))).error?.kind).toBe("unreadable");
	});
});

test("U4: beside what is no call, a call of a JSON answer works and goes back alone", async () => {
	const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
	const items = [{ id: "c2", name: "g", arguments: "{}" }, call, 7];
	const message = { role: "assistant", content: "", tool_calls: items };
	const server = await serve([jsonReply(200, { messages: [message] })]);
	const { events } = await ask(clientOf(server.url));
	expect(events.find(({ type }) => type === "tool-call")).toMatchObject({ call });
	expect(events.find(({ type }) => type === "message-end")).toMatchObject({
		message: { ...message, tool_calls: [call] },
		unreadableFrames: 0,
		hasUnusableCall: true,
	});
});

test("H15: JSON that breaks off is an interrupted answer", async () => {
	const server = await serve([
		send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n"),
		send('{"messages":[{"role":"assist'),
		reset,
	]);
	const { error } = await ask(clientOf(server.url));
	expect([error?.kind, error?.charge, server.posts]).toEqual(["interrupted", "unknown", 1]);
});

test.each(["application/json", "text/event-stream", undefined])(
	"H16: a stream was asked for and a refusal came as %s",
	async type => {
		const server = await serve([
			jsonReply(
				200,
				{ success: false, message: "No credit" },
				type === undefined ? {} : { "content-type": type },
			),
		]);
		expect((await ask(clientOf(server.url))).error).toMatchObject({
			kind: "rejected",
			charge: "refused",
			serviceMessage: "No credit",
		});
	},
);

describe("H17: the content type of a stream is wrong or missing", () => {
	const stream = [start, content("Hi"), "{}", "[DONE]", "[END]"]
		.map(frame => `data: ${frame}\n\n`)
		.join("");

	test.each(["text/plain", "application/json", "text/html", "", "application/octet-stream"])(
		"H17: frames as %j are accepted",
		async type => {
			const server = await serve([reply(200, stream, { "content-type": type })]);
			const { texts, error } = await ask(clientOf(server.url));
			expect([texts, error]).toEqual([["Hi"], undefined]);
		},
	);

	test("H17: without any content type, comments and byte by byte, they are accepted", async () => {
		const bytes = [...Buffer.from(`\uFEFF: hello\r\n\r\nevent: x\r\n${stream}`)];
		const server = await serve([
			send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
			...bytes.map(byte => chunk(Uint8Array.of(byte))),
			lastChunk,
		]);
		expect((await ask(clientOf(server.url))).texts).toEqual(["Hi"]);
	});

	test("H17: anything else is not an answer", async () => {
		const server = await serve([
			reply(200, "date: today\n\ndata: x\n\n", { "content-type": "text/plain" }),
		]);
		const { error } = await ask(clientOf(server.url));
		expect(error).toMatchObject({ kind: "unreadable", charge: "unknown" });
		expect(error?.serviceMessage).toContain("date: today");
	});

	test("H17: under its own type a stream may begin with lines that mean nothing", async () => {
		const server = await serve([
			reply(200, `hello\n${stream}`, { "content-type": "text/event-stream" }),
		]);
		expect((await ask(clientOf(server.url))).texts).toEqual(["Hi"]);
	});
});

describe("H18: an empty answer", () => {
	test.each([
		["204", [send("HTTP/1.1 204 No Content\r\n\r\n")]],
		["no bytes", [reply(200, "")]],
		["no bytes as a stream", [reply(200, "", { "content-type": "text/event-stream" })]],
	])("H18: %s", async (_form, steps: readonly Step[]) => {
		const server = await serve(steps);
		expect((await ask(clientOf(server.url))).error).toMatchObject({
			kind: "empty",
			charge: "unknown",
		});
		expect(await failureOf(clientOf(server.url).chat(question))).toMatchObject({ kind: "empty" });
		expect(server.posts).toBe(2);
	});

	test.each([
		["no messages", []],
		["a message without text", [{ role: "assistant", content: "" }]],
		["null for text", [{ role: "assistant", content: null }]],
	])("H18: JSON with %s", async (_form, messages) => {
		const server = await serve([jsonReply(200, { messages })]);
		expect((await failureOf(clientOf(server.url).chat(question))).kind).toBe("empty");
		expect((await ask(clientOf(server.url))).error?.kind).toBe("empty");
	});
});

describe("H19: a broken coding", () => {
	const stream = Buffer.from(`data: ${start}\n\ndata: ${content("Hi")}\n\n`);

	test("H19: compressed text that breaks is an interrupted answer with what came", async () => {
		const whole = gzipSync(Buffer.concat([stream, crypto.getRandomValues(Buffer.alloc(60_000))]));
		const server = await serve([
			closeDelimitedHead({ "content-encoding": "gzip" }),
			send(whole.subarray(0, 40_000)),
			fin,
		]);
		const { error, texts } = await ask(clientOf(server.url));
		expect([error?.kind, error?.charge, texts, server.posts]).toEqual([
			"interrupted",
			"unknown",
			["Hi"],
			1,
		]);
	});

	test("H19: a bad chunk length is an interrupted answer with what came", async () => {
		const server = await serve([streamHead(), chunk(stream), send("xyz\r\n")]);
		const { error, texts } = await ask(clientOf(server.url));
		expect([error?.kind, texts]).toEqual(["interrupted", ["Hi"]]);
	});

	test("H19: a lookup that breaks off is repeated", async () => {
		const server = await serve([
			{ steps: [send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), reset] },
			{ steps: [jsonReply(200, generation)] },
		]);
		expect(await clientOf(server.url).getGeneration("g")).toEqual({ status: "complete" });
	});

	test("H19: a paid call that breaks off is not", async () => {
		const server = await serve([send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), reset]);
		expect(await failureOf(clientOf(server.url).chat(question))).toMatchObject({
			kind: "interrupted",
			charge: "unknown",
		});
		expect(server.posts).toBe(1);
	});

	test("H19: a coding nobody asked for and nobody knows is an unreadable answer", async () => {
		const server = await serve([reply(200, "xx", { "content-encoding": "pigeon" })]);
		expect(await failureOf(clientOf(server.url).chat(question))).toMatchObject({
			kind: "unreadable",
			detail: "the content coding is unknown: pigeon",
		});
		expect((await ask(clientOf(server.url))).error?.kind).toBe("unreadable");
	});

	test.each([
		["br", createBrotliCompress],
		["zstd", createZstdCompress],
		["deflate", createDeflateRaw],
	])("H19: text comes through %s while the stream is open", async (coding, create) => {
		const packer = create();
		packer.write(Buffer.from(`data: ${start}\n\ndata: ${content("Hi")}\n\n`));
		await new Promise<void>(resolve => packer.flush(resolve));
		const server = await serve([
			closeDelimitedHead({ "content-encoding": coding }),
			send(packer.read() as Buffer),
			stall,
		]);
		const abort = new AbortController();
		const { texts } = await ask(clientOf(server.url), {
			signal: abort.signal,
			onEvent: event => event.type === "text-delta" && abort.abort(),
		});
		expect(texts).toEqual(["Hi"]);
	});
});

describe("H20: floods", () => {
	test("H20: endless headers are an answer too large", async () => {
		const server = await serve([
			send("HTTP/1.1 200 OK\r\n"),
			send(`x-flood: ${"x".repeat(1000)}\r\n`.repeat(200)),
			stall,
		]);
		const { error } = await ask(clientOf(server.url));
		expect([error?.kind, server.posts]).toEqual(["answerTooLarge", 1]);
	});

	test("H20: a reply past its cap is given up and its connection closed", async () => {
		const flood: Step = async (socket, signal) => {
			while (!signal.aborted && !socket.destroyed) {
				await send("x".repeat(65_536))(socket, signal);
			}
		};
		const server = await serve([send("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"), flood]);
		expect((await failureOf(clientOf(server.url).getGeneration("g"))).kind).toBe("answerTooLarge");
		await eventually(() => server.openConnections).toBe(0);
		expect(server.requests).toHaveLength(1);
	});
});
