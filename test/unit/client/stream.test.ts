import { afterEach, describe, expect, test } from "vitest";
import type { ChatEvent, Connection } from "../../../src/client/contract/serviceClient.ts";
import type { Log, LogDetails } from "../../../src/common/log.ts";
import { eventually } from "../../helpers/eventually.ts";
import {
	ask,
	clientOf,
	failureOf,
	question,
	type StreamOutcome,
} from "../../helpers/clientHarness.ts";
import { createFakeClock, type FakeClock } from "../../helpers/fakeClock.ts";
import {
	chunk,
	closeDelimitedHead,
	content,
	jsonReply,
	lastChunk,
	start,
	streamed,
	streamHead,
} from "../../helpers/httpScripts.ts";
import {
	fin,
	reset,
	type Script,
	type ScriptedServer,
	stall,
	startScriptedServer,
	type Step,
	until,
} from "../../helpers/scriptedServer.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serve(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
	const server = await startScriptedServer(...args);
	servers.push(server);
	return server;
}

const frames = (...data: readonly string[]): string =>
	data.map(text => `data: ${text}\n\n`).join("");
const hi = [start, content("Hi"), "{}", "[DONE]"];
const call = (id: string): object => ({
	id,
	type: "function",
	function: { name: "f", arguments: "{}" },
});
const callFrame = JSON.stringify({ tool_calls: [call("c1")] });

/** A connection that ends in one of four ways; the first two say that bytes are missing. */
const cuts: readonly (readonly [string, (data: string) => Script])[] = [
	["reset", data => ({ steps: [streamHead(), chunk(data), reset] })],
	["FIN in a chunked body", data => ({ steps: [streamHead(), chunk(data), fin] })],
	["end of a chunked body", data => ({ steps: [streamHead(), chunk(data), lastChunk] })],
	["FIN of a close-delimited body", data => ({ steps: [closeDelimitedHead(), send(data), fin] })],
];

function send(data: string): Step {
	return socket => {
		socket.write(data);
	};
}

async function askScript(script: Script): Promise<StreamOutcome & { posts: number }> {
	const server = await serve(script);
	const outcome = await ask(clientOf(server.url));
	return { ...outcome, posts: server.posts };
}

function kinds(outcome: { readonly events: readonly ChatEvent[] }): string[] {
	return outcome.events.map(event => event.type);
}

function ends(outcome: StreamOutcome): Extract<ChatEvent, { type: "message-end" }>[] {
	return outcome.events.filter(event => event.type === "message-end");
}

describe.each(cuts)("cut by %s", (_name, cut) => {
	test("S1: before the first frame there is no text, sent once", async () => {
		for (const data of [": ping\n\n", "data: {}\n\n", frames(start)]) {
			const outcome = await askScript(cut(data));
			expect(outcome.error).toMatchObject({ kind: "noText", charge: "unknown" });
			expect([outcome.texts.join(""), outcome.posts]).toEqual(["", 1]);
		}
	});

	test("S2: before [DONE] the text is kept, the message has no end and its calls do not run", async () => {
		const outcome = await askScript(
			cut(frames(start, content("Hel"), content("lo"), callFrame, "{}")),
		);
		expect(outcome.error).toMatchObject({ kind: "interrupted", charge: "unknown" });
		expect(outcome.texts).toEqual(["Hello"]);
		expect(new Set(kinds(outcome))).toEqual(new Set(["message-start", "text-delta"]));
		expect(outcome.posts).toBe(1);
	});

	test("S2: in a second message the first one stays closed, its calls given out", async () => {
		const outcome = await askScript(cut(frames(start, callFrame, "[DONE]", start, content("x"))));
		expect(outcome.error?.kind).toBe("interrupted");
		expect(kinds(outcome)).toEqual([
			"message-start",
			"tool-call",
			"message-end",
			"message-start",
			"text-delta",
		]);
	});

	test("S3: inside a frame the half frame is dropped and the whole ones stand", async () => {
		const outcome = await askScript(
			cut(`${frames(start, content("Hello"))}data: {"content":" wor`),
		);
		expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["Hello"]]);
	});

	test("S4, S5: between [DONE] and [END] every message is whole and there may have been more", async () => {
		const outcome = await askScript(cut(frames(start, content("Hi"), callFrame, "{}", "[DONE]")));
		expect(outcome.error).toMatchObject({ kind: "endedEarly", charge: "unknown" });
		expect(kinds(outcome)).toEqual(["message-start", "text-delta", "tool-call", "message-end"]);
		expect(ends(outcome)[0]).toMatchObject({ isClosed: true, message: { content: "Hi" } });
		expect(outcome.posts).toBe(1);
	});
});

test("S3: the length of a dropped half frame is noted, not its text", async () => {
	const lines: [string, LogDetails | undefined][] = [];
	const note = (message: string, details?: LogDetails): void => {
		lines.push([message, details]);
	};
	const log: Log = { debug: note, info: note, warn: note, error: note };
	const server = await serve([
		streamHead(),
		chunk(`${frames(start, content("x"))}data: {"content":"se`),
		reset,
	]);
	await ask(clientOf(server.url, { log }));
	expect(lines).toContainEqual(["A stream ended", expect.objectContaining({ droppedLength: 14 })]);
	expect(JSON.stringify(lines)).not.toContain('"se');
});

describe("S5: a last frame that no blank line ends", () => {
	test.each([
		["[END]", "[END]", undefined, "Hi"],
		["[END] and one line end", "[END]\n", undefined, "Hi"],
		["a look-alike", "[EN", "endedEarly", "Hi"],
		["a number", "12", "endedEarly", "Hi"],
	])("S5: %s", async (_name, last, kind, text) => {
		const outcome = await askScript({
			steps: [closeDelimitedHead(), send(`${frames(...hi)}data: ${last}`), fin],
		});
		expect([outcome.error?.kind, outcome.texts.join("")]).toEqual([kind, text]);
	});

	test("S5: whole JSON counts as received", async () => {
		const outcome = await askScript({
			steps: [closeDelimitedHead(), send(`${frames(start)}data: ${content("Hi")}`), fin],
		});
		expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["Hi"]]);
	});

	test("S3: after a broken connection it does not", async () => {
		const outcome = await askScript({
			steps: [streamHead(), chunk(`${frames(start, content("H"))}data: ${content("i")}`), reset],
		});
		expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["H"]]);
	});
});

test("S6: [END] inside an open message keeps it, unclosed, its calls not run", async () => {
	const outcome = await askScript(streamed(start, content("Hi"), callFrame, "[END]"));
	expect(outcome.error).toMatchObject({ kind: "endedEarly", charge: "unknown" });
	expect(kinds(outcome)).toEqual(["message-start", "text-delta", "message-end"]);
	expect(ends(outcome)[0]).toMatchObject({
		isClosed: false,
		message: { content: "Hi", tool_calls: [call("c1")] },
	});
});

test("S7: what comes after [END] is ignored and counted", async () => {
	const lines: (LogDetails | undefined)[] = [];
	const log: Log = {
		debug: (_message, details) => lines.push(details),
		info: () => undefined,
		warn: () => undefined,
		error: () => undefined,
	};
	const server = await serve([
		streamHead(),
		chunk(frames(...hi, "[END]", start, content("ghost"), "[DONE]", "[END]")),
		stall,
	]);
	const outcome = await ask(clientOf(server.url, { log }));
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["Hi"]]);
	expect(lines).toContainEqual(expect.objectContaining({ framesAfterEnd: 4 }));
	await eventually(() => server.openConnections).toBe(0);
});

test("S8: a second [DONE], and one without frames, make no message", async () => {
	const outcome = await askScript(streamed("[DONE]", ...hi, "[DONE]", "[DONE]", "[END]"));
	expect([outcome.error, kinds(outcome)]).toEqual([
		undefined,
		["message-start", "text-delta", "message-end", "stream-end"],
	]);
});

test.each([
	["nothing before", ["[END]"]],
	["only {}", ["{}", "[END]"]],
	["only [DONE]", ["[DONE]", "[END]"]],
	["a message without text", [start, "{}", "[DONE]", "[END]"]],
])("S9: [END] with %s is an empty answer", async (_name, data) => {
	const outcome = await askScript(streamed(...data));
	expect(outcome.error).toMatchObject({ kind: "empty", charge: "unknown" });
	expect(kinds(outcome)).not.toContain("stream-end");
	expect(outcome.posts).toBe(1);
});

describe("S10: frames that are not JSON", () => {
	test("S10: the rest goes on, the message is flagged and its calls do not run", async () => {
		const outcome = await askScript(
			streamed(start, content("a"), "{bad", content("b"), callFrame, "{}", "[DONE]", "[END]"),
		);
		expect([outcome.error, outcome.texts]).toEqual([undefined, ["ab"]]);
		expect(ends(outcome)[0]).toMatchObject({ unreadableFrames: 1, isClosed: true });
		expect(kinds(outcome)).not.toContain("tool-call");
		expect(ends(outcome)[0]?.message).toEqual({ role: "assistant", content: "ab" });
	});

	test("S10: three in a row end the stream", async () => {
		const outcome = await askScript(
			streamed(start, content("a"), "x", "y", "z", content("b"), "[DONE]", "[END]"),
		);
		expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["a"]]);
	});

	test("S10: ten in all are borne, the eleventh ends the stream", async () => {
		const bad = (count: number): string[] =>
			Array.from({ length: count }, (_, index) => ["x", content(String(index))]).flat();
		const borne = await askScript(streamed(start, ...bad(10), "[DONE]", "[END]"));
		expect([borne.error, ends(borne)[0]?.unreadableFrames]).toEqual([undefined, 10]);
		const ended = await askScript(streamed(start, ...bad(11), "[DONE]", "[END]"));
		expect([ended.error?.kind, ended.texts]).toEqual(["interrupted", ["0123456789"]]);
	});

	test("S10: one that may have started a message flags that message", async () => {
		const outcome = await askScript(streamed("{bad", content("a"), callFrame, "[DONE]", "[END]"));
		expect(ends(outcome)[0]).toMatchObject({ unreadableFrames: 1 });
		expect(kinds(outcome)).not.toContain("tool-call");
	});

	test("S10: one after the last message means there may have been more", async () => {
		const outcome = await askScript(streamed(...hi, "{bad", "[END]"));
		expect([outcome.error?.kind, ends(outcome)[0]?.unreadableFrames]).toEqual(["endedEarly", 0]);
	});

	test("S10: a stream of nothing else is unreadable", async () => {
		expect((await askScript(streamed("{bad", "[END]"))).error?.kind).toBe("unreadable");
	});
});

test.each(["1", "null", "[]", '"[DONE]"', "true", '"[END]"'])(
	"S11: %s is JSON but no frame and no sentinel",
	async data => {
		const outcome = await askScript(
			streamed(start, content("a"), data, content("b"), "[DONE]", "[END]"),
		);
		expect([outcome.texts, ends(outcome)[0]?.unreadableFrames]).toEqual([["ab"], 1]);
	},
);

test.each([
	"[DONE]x",
	"[DONE].",
	"[ DONE]",
	"[done]",
	"[DONE]\ndata: more",
	"[END].",
	"[END]\ndata: [",
])("S12: %j is not a sentinel", async data => {
	const outcome = await askScript(
		streamed(start, content("a"), data, content("b"), "[DONE]", "[END]"),
	);
	expect([outcome.error, outcome.texts, ends(outcome)[0]?.unreadableFrames]).toEqual([
		undefined,
		["ab"],
		1,
	]);
});

test.each([
	["[DONE] ", "[END] "],
	[" [DONE]\t", "  [END]"],
	["[DONE]\ndata: ", "\ndata:[END]"],
])("S12: %j and %j are sentinels with space around them", async (done, end) => {
	const outcome = await askScript(streamed(start, content("a"), done, end));
	expect([outcome.error, outcome.texts, ends(outcome)[0]?.isClosed]).toEqual([
		undefined,
		["a"],
		true,
	]);
});

describe("S29: single line ends between frames", () => {
	const lines = [start, content("Hi"), content(" there"), "{}", "[DONE]", "[END]"];
	const linesOf = (data: readonly string[]): string => data.map(line => `data: ${line}\n`).join("");

	test.each([
		["closed by a blank line", `${linesOf(lines)}\n`, undefined],
		["that nothing closes", linesOf(lines), undefined],
		["cut inside the last line", linesOf(lines).slice(0, -4), "endedEarly"],
		["cut inside a text", `${linesOf(lines.slice(0, 3))}data: {"content":"a`, "interrupted"],
		[
			"with blank lines now and then",
			`${linesOf(lines.slice(0, 2))}\n${linesOf(lines.slice(2))}`,
			undefined,
		],
	])("S29: an answer %s keeps its text", async (_what, body, kind) => {
		const outcome = await askScript({ steps: [closeDelimitedHead(), send(body), fin] });
		expect([outcome.error?.kind, outcome.texts]).toEqual([kind, ["Hi there"]]);
	});

	test("S29: the text stays when the connection breaks", async () => {
		const text = linesOf(lines.slice(0, 3));
		const outcome = await askScript({ steps: [streamHead(), chunk(text), reset] });
		expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["Hi there"]]);
	});

	test.each([
		["closed by a blank line", `${linesOf(["Sorry", ...lines])}\n`],
		["that nothing closes", linesOf(["Sorry", ...lines])],
		["in a stream with an end", `${linesOf(["Sorry", ...lines])}\n${frames("[END]")}`],
		["in a message", frames(start, "Sorry\ndata: no", "[DONE]", "[END]")],
	])("S29: an answer %s with a line that is no frame is unreadable", async (_what, body) => {
		const outcome = await askScript({ steps: [closeDelimitedHead(), send(body), fin] });
		expect([outcome.error?.kind, outcome.texts.join("")]).toEqual(["unreadable", ""]);
	});
});

test("S12: a sentinel inside a text is text, and one without a space or with an event name is a sentinel", async () => {
	const outcome = await askScript({
		steps: [
			streamHead(),
			chunk(
				`${frames(start, content("[DONE]\n[END]"))}event: x\ndata:[DONE]\n\nid: 1\ndata:[END]\n\n`,
			),
			lastChunk,
		],
	});
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["[DONE]\n[END]"]]);
});

test("S13: unknown fields and frames are read over", async () => {
	const outcome = await askScript(
		streamed(
			start,
			'{"type":"ping"}',
			'{"content":"a","logprobs":[1],"usage":{"x":1}}',
			'{"__proto__":{"content":"no"},"constructor":1}',
			"{}",
			"[DONE]",
			"[END]",
		),
	);
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["a"]]);
	expect(ends(outcome)[0]).toMatchObject({ unreadableFrames: 0 });
});

test.each([
	['{"content":5}', ""],
	['{"content":["x"]}', ""],
	['{"content":"x","role":7}', "x"],
	['{"content":"x","name":{}}', "x"],
	['{"content":"x","function_call":"f"}', "x"],
	['{"content":"x","tool_calls":[{"id":5,"function":{"name":"f"}}]}', "x"],
])("S14: %s loses only its wrong field, and flags the message", async (data, text) => {
	const outcome = await askScript(streamed(start, content("a"), data, "[DONE]", "[END]"));
	expect([outcome.error, outcome.texts]).toEqual([undefined, [`a${text}`]]);
	expect(ends(outcome)[0]).toMatchObject({ unreadableFrames: 1 });
});

test("S15: {} neither opens nor closes a message, wherever it comes", async () => {
	const outcome = await askScript(
		streamed(
			"{}",
			start,
			"{}",
			content("a"),
			"{}",
			"{ }",
			content("b"),
			"[DONE]",
			"{}",
			"{}",
			"[END]",
		),
	);
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["ab"]]);
	expect(ends(outcome)).toHaveLength(1);
});

test("S15: blank lines for a beginning, however many, are no answer and no end", async () => {
	const outcome = await askScript({
		steps: [
			streamHead(),
			chunk("\n".repeat(200)),
			chunk("\n".repeat(9000)),
			chunk(frames(...hi, "[END]")),
			lastChunk,
		],
	});
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["Hi"]]);
});

test("S15: a message without its {} is still whole", async () => {
	expect((await askScript(streamed(start, content("a"), "[DONE]", "[END]"))).error).toBeUndefined();
});

test("S16: one byte at a time, each its own write, gives the same answer", async () => {
	const bytes = [
		...Buffer.from(frames(start, content("Žluťoučký 🐎 🏳️‍🌈"), "{}", "[DONE]", "[END]")),
	];
	const server = await serve([
		streamHead(),
		async (socket, signal) => {
			for (const byte of bytes) {
				await chunk(Uint8Array.of(byte))(socket, signal);
				await new Promise(resolve => setImmediate(resolve));
			}
		},
		lastChunk,
	]);
	const outcome = await ask(clientOf(server.url));
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["Žluťoučký 🐎 🏳️‍🌈"]]);
});

test.each(["\n", "\r\n", "\r"])(
	"S17: line end %j, with BOM, comments, id, event and retry",
	async lineEnd => {
		const lines = [
			"\uFEFF: hello",
			"retry: 1",
			"id: 7",
			"event: delta",
			`data: ${start}`,
			"",
			":",
			"",
		];
		lines.push(`data:${content("Hi")}`, "", "data: {}", "", "data: [DONE]", "", "data: [END]", "");
		const server = await serve([
			streamHead(),
			chunk(lines.map(line => line + lineEnd).join("")),
			stall,
		]);
		const outcome = await ask(clientOf(server.url));
		expect([outcome.error, outcome.texts, server.posts]).toEqual([undefined, ["Hi"], 1]);
	},
);

test("S18: bytes that are not UTF-8 become U+FFFD and flag the message they are in", async () => {
	const broken = Buffer.concat([
		Buffer.from('data: {"content":"a'),
		Buffer.of(0xc3, 0x28),
		Buffer.from('"}\n\n'),
	]);
	const server = await serve([
		streamHead(),
		chunk(
			Buffer.concat([
				Buffer.from(frames(start)),
				broken,
				Buffer.from(frames("[DONE]", ...hi, "[END]")),
			]),
		),
		lastChunk,
	]);
	const outcome = await ask(clientOf(server.url));
	expect(outcome.texts).toEqual(["a\uFFFD(", "Hi"]);
	expect(ends(outcome).map(end => end.hasReplacedBytes)).toEqual([true, false]);
});

test("S18: a character cut at the end of the stream is dropped with its frame", async () => {
	const bytes = Buffer.from(`${frames(start, content("a"))}data: {"content":"é`);
	const outcome = await askScript({
		steps: [
			closeDelimitedHead(),
			socket => {
				socket.write(bytes.subarray(0, -1));
			},
			fin,
		],
	});
	expect([outcome.error?.kind, outcome.texts]).toEqual(["interrupted", ["a"]]);
});

test("S19: a frame of 10 MiB is one text", async () => {
	const text = "Long answer. ".repeat((10 * 1024 * 1024) / 13);
	const outcome = await askScript(streamed(start, content(text), "{}", "[DONE]", "[END]"));
	expect([outcome.error, outcome.texts[0] === text]).toEqual([undefined, true]);
});

describe("S20: too large", () => {
	const flood =
		(piece: string): Step =>
		async (socket, signal) => {
			while (!signal.aborted && !socket.destroyed) {
				await chunk(piece)(socket, signal);
			}
		};

	test("S20: a frame past 16 MiB ends the answer, what came before is kept", async () => {
		const server = await serve([
			streamHead(),
			chunk(`${frames(start, content("a"))}data: {"content":"`),
			flood("x".repeat(256 * 1024)),
		]);
		const outcome = await ask(clientOf(server.url));
		expect(outcome.error).toMatchObject({ kind: "answerTooLarge", charge: "unknown" });
		expect(outcome.texts).toEqual(["a"]);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("S20: a message past 64 MiB ends the answer", async () => {
		const server = await serve([
			streamHead(),
			chunk(frames(start)),
			flood(frames(content("x".repeat(1024 * 1024)))),
		]);
		const outcome = await ask(clientOf(server.url));
		expect(outcome.error?.kind).toBe("answerTooLarge");
		expect(outcome.texts[0]?.length).toBeGreaterThan(63 * 1024 * 1024);
	});
});

/** A stream that says `before`, then goes on step by step as the test lets it. */
async function gatedStream(
	before: string,
	after: readonly string[],
): Promise<{
	readonly clock: FakeClock;
	readonly server: ScriptedServer;
	readonly asking: Promise<StreamOutcome>;
	readonly notices: string[];
	readonly abort: AbortController;
	goOn(): Promise<void>;
}> {
	const gates = after.map(() => Promise.withResolvers<void>());
	const steps = after.flatMap((data, index) => [
		until(gates[index]?.promise ?? Promise.resolve()),
		chunk(data),
	]);
	const server = await serve([streamHead(), chunk(before), ...steps, stall]);
	const clock = createFakeClock();
	const notices: string[] = [];
	const abort = new AbortController();
	let text = "";
	const asking = ask(clientOf(server.url, { clock }), {
		signal: abort.signal,
		onNotice: notice => notices.push(notice.type),
		onEvent: event => (text += event.type === "text-delta" ? event.text : ""),
	});
	await eventually(() => text).not.toBe("");
	let gone = 0;
	/** Lets the next data through; what shows that it came is that the silence ended, or else a little time. */
	const goOn = async (): Promise<void> => {
		gates[gone++]?.resolve();
		await eventually(() => notices.at(-1)).not.toBe("silent");
		await new Promise(resolve => setTimeout(resolve, 20));
	};
	return { clock, server, asking, notices, abort, goOn };
}

describe("S21: silence", () => {
	test("S21: is told after 15 s and ends the answer after 60 s, the text kept", async () => {
		const { clock, server, asking, notices } = await gatedStream(frames(start, content("Hi")), []);
		await clock.advance(14_900);
		expect(notices).toEqual([]);
		await clock.advance(200);
		expect(notices).toEqual(["silent"]);
		await clock.advance(44_800);
		expect(clock.pending).toBeGreaterThan(0);
		await clock.advance(200);
		const outcome = await asking;
		expect(outcome.error).toMatchObject({ kind: "stalled", charge: "unknown" });
		expect([outcome.texts, server.posts, clock.pending]).toEqual([["Hi"], 1, 0]);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("S21: what comes in between is told and starts the count again", async () => {
		const ping = ": ping\n\n";
		const { clock, asking, notices, goOn } = await gatedStream(frames(start, content("Hi")), [
			ping,
			"data: {}\n\n",
		]);
		await clock.advance(50_000);
		await goOn();
		expect(notices).toEqual(["silent", "resumed"]);
		await clock.advance(14_900);
		expect(notices).toHaveLength(2);
		await clock.advance(200);
		expect(notices).toEqual(["silent", "resumed", "silent"]);
		await goOn();
		await clock.advance(59_900);
		expect(notices).toEqual(["silent", "resumed", "silent", "resumed", "silent"]);
		expect(clock.pending).toBeGreaterThan(0);
		await clock.advance(200);
		expect((await asking).error?.kind).toBe("stalled");
	});

	test("S21: a silence soon after another is told 15 s after it began", async () => {
		const { clock, notices, goOn, abort, asking } = await gatedStream(
			frames(start, content("Hi")),
			[": ping\n\n"],
		);
		await clock.advance(20_000);
		await goOn();
		await clock.advance(14_900);
		expect(notices).toEqual(["silent", "resumed"]);
		await clock.advance(200);
		expect(notices).toEqual(["silent", "resumed", "silent"]);
		abort.abort();
		expect((await asking).isAborted).toBe(true);
	});

	test("S21: a reader that takes its time is no silence", async () => {
		const clock = createFakeClock();
		const server = await serve([streamHead(), chunk(frames(...hi)), stall]);
		const stream = clientOf(server.url, { clock }).streamChat(question);
		const iterator = stream[Symbol.asyncIterator]();
		await iterator.next();
		await clock.advance(200_000);
		expect((await iterator.next()).value).toMatchObject({ type: "text-delta" });
		await iterator.return?.();
		expect(clock.pending).toBe(0);
	});
});

test("S22: bytes without content go on, and are told after five minutes and when content comes", async () => {
	const pings = Array.from({ length: 11 }, () => ": ping\n\n");
	const { clock, asking, notices, goOn, abort } = await gatedStream(frames(start, content("Hi")), [
		...pings,
		frames(content("!")),
	]);
	for (let count = 0; count < 11; count++) {
		await clock.advance(30_000);
		await goOn();
	}
	expect(notices.filter(notice => notice === "noContent")).toHaveLength(1);
	await goOn();
	await eventually(() => notices.at(-1)).toBe("resumed");
	abort.abort();
	expect((await asking).texts).toEqual(["Hi!"]);
});

test("S23: 100,000 tiny frames are one text in few events", async () => {
	const count = 100_000;
	const server = await serve([
		streamHead(),
		chunk(frames(start)),
		async (socket, signal) => {
			for (let sent = 0; sent < count && !socket.destroyed; sent += 1000) {
				await chunk(frames(...Array.from({ length: 1000 }, () => content("ab"))))(socket, signal);
			}
		},
		chunk(frames("{}", "[DONE]", "[END]")),
		lastChunk,
	]);
	const events: ChatEvent[] = [];
	for await (const event of clientOf(server.url).streamChat(question)) {
		events.push(event);
	}
	const text = events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
	expect(text).toBe("ab".repeat(count));
	expect(events.length).toBeLessThan(count / 20);
});

describe("S24: a second message begins before [DONE]", () => {
	test("S24: with the same role it is one message, flagged, its calls not run", async () => {
		const outcome = await askScript(
			streamed(start, content("a"), start, content("b"), callFrame, "{}", "[DONE]", "[END]"),
		);
		expect([outcome.error, outcome.texts]).toEqual([undefined, ["ab"]]);
		expect(ends(outcome)[0]).toMatchObject({ isClosed: false });
		expect(kinds(outcome)).not.toContain("tool-call");
	});

	test("S24: with another role the first ends there, unclosed", async () => {
		const outcome = await askScript(
			streamed(
				start,
				content("a"),
				callFrame,
				'{"role":"function","name":"f","content":""}',
				content("b"),
				"[DONE]",
				"[END]",
			),
		);
		expect([outcome.error, outcome.texts]).toEqual([undefined, ["a", "b"]]);
		expect(ends(outcome).map(end => [end.message.role, end.isClosed])).toEqual([
			["assistant", false],
			["function", true],
		]);
		expect(ends(outcome)[1]?.message).toEqual({ role: "function", name: "f", content: "b" });
		expect(kinds(outcome)).not.toContain("tool-call");
	});

	test("S24: a role repeated on every frame is no second message", async () => {
		const frame = (text: string): string => JSON.stringify({ role: "assistant", content: text });
		const outcome = await askScript(
			streamed(start, frame("a"), frame("b"), "{}", "[DONE]", "[END]"),
		);
		expect([outcome.texts, ends(outcome)[0]?.isClosed]).toEqual([["ab"], true]);
	});
});

describe("S25: the user stops", () => {
	test("S25: in mid-answer ends with a cancellation, the text kept and the connection closed", async () => {
		const { asking, server, abort, clock } = await gatedStream(frames(start, content("Hi")), []);
		abort.abort();
		const outcome = await asking;
		expect([outcome.isAborted, outcome.texts, server.posts]).toEqual([true, ["Hi"], 1]);
		await eventually(() => server.openConnections).toBe(0);
		expect(clock.pending).toBe(0);
	});

	test("S25: before an answer does too", async () => {
		const abort = new AbortController();
		const server = await serve([stall]);
		const asking = ask(clientOf(server.url), { signal: abort.signal });
		await eventually(() => server.posts).toBe(1);
		abort.abort();
		expect((await asking).isAborted).toBe(true);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("S25: before sending asks for no connection and sends nothing", async () => {
		let asked = 0;
		const connection = (): Promise<Connection> => {
			asked++;
			return Promise.reject(new Error("Not to be asked"));
		};
		const outcome = await ask(clientOf("", { connection }), { signal: AbortSignal.abort() });
		expect([outcome.isAborted, asked]).toEqual([true, 0]);
	});

	test("S25: leaving the loop closes the connection", async () => {
		const server = await serve([streamHead(), chunk(frames(start, content("Hi"))), stall]);
		for await (const event of clientOf(server.url).streamChat(question)) {
			expect(event.type).toBe("message-start");
			break;
		}
		await eventually(() => server.openConnections).toBe(0);
	});
});

describe("S26: the machine slept", () => {
	test("S26, L13: a wall clock that jumped ends an answer of which nothing more arrives within 10 s", async () => {
		const { clock, asking } = await gatedStream(frames(start, content("Hi")), []);
		await clock.advance(4_000);
		clock.jump(3_600_000);
		await clock.advance(10_000);
		const outcome = await asking;
		expect([outcome.error?.kind, outcome.texts]).toEqual(["stalled", ["Hi"]]);
	});

	test("S26: an answer that goes on is kept, as one of this machine or of a window that was blocked", async () => {
		const after = [frames(content(" there")), frames(content("!"))];
		const { clock, asking, abort, goOn } = await gatedStream(frames(start, content("Hi")), after);
		clock.jump(3_600_000);
		await clock.advance(6_000);
		await goOn();
		await clock.advance(14_000);
		await goOn();
		abort.abort();
		expect(await asking).toMatchObject({ isAborted: true, texts: ["Hi there!"] });
	});

	test("S26: a small correction of the clock, and one back, do not", async () => {
		const { clock, asking, notices, abort } = await gatedStream(frames(start, content("Hi")), []);
		clock.jump(14_000);
		await clock.advance(5_000);
		clock.jump(-3_600_000);
		await clock.advance(5_000);
		expect(notices).toEqual([]);
		abort.abort();
		expect((await asking).isAborted).toBe(true);
	});
});

test("S27: a service that never closes after [END] is left at once", async () => {
	const server = await serve([streamHead(), chunk(frames(...hi, "[END]")), stall]);
	const outcome = await ask(clientOf(server.url));
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["Hi"]]);
	await eventually(() => server.openConnections).toBe(0);
});

describe("S28: the same request without streaming", () => {
	test("S28: its error is told", async () => {
		const server = await serve([jsonReply(400, { message: "The prompt is not allowed" })]);
		expect(await failureOf(clientOf(server.url).chat(question))).toMatchObject({
			kind: "badRequest",
			serviceMessage: "The prompt is not allowed",
		});
	});

	test("S28: its answer is the answer", async () => {
		const messages = [{ role: "assistant", content: "Hi" }];
		const server = await serve([jsonReply(200, { messages })]);
		expect(await clientOf(server.url).chat(question)).toEqual({ messages });
		expect(JSON.parse(server.requests[0]?.body.toString() ?? "")).toEqual({
			...question,
			stream: false,
		});
	});

	test("S28: when it gets no answer either, its charge is unknown and it is sent once", async () => {
		const clock = createFakeClock();
		const server = await serve([stall]);
		const failing = failureOf(clientOf(server.url, { clock }).chat(question));
		await eventually(() => server.posts).toBe(1);
		await clock.advance(301_000);
		expect(await failing).toMatchObject({ kind: "noAnswer", charge: "unknown" });
		expect(server.posts).toBe(1);
	});
});

test("several messages, each with its own end, are one answer", async () => {
	const outcome = await askScript(
		streamed(
			start,
			callFrame,
			"{}",
			"[DONE]",
			'{"role":"function","name":"code_interpreter","content":""}',
			content("42"),
			"{}",
			"[DONE]",
			start,
			content("It is "),
			content("42."),
			"{}",
			"[DONE]",
			"[END]",
		),
	);
	expect([outcome.error, outcome.texts]).toEqual([undefined, ["", "42", "It is 42."]]);
	expect(outcome.events.map(event => ("index" in event ? event.index : "end"))).toEqual(
		expect.arrayContaining([0, 1, 2, "end"]),
	);
	expect(ends(outcome).map(end => end.message.role)).toEqual([
		"assistant",
		"function",
		"assistant",
	]);
});

test("the request asks for a stream, in the interface's words", async () => {
	const server = await serve(streamed(...hi, "[END]"));
	await ask(clientOf(server.url), {}, { ...question, tools: ["browsing"], seed: 7 });
	const [request] = server.requests;
	expect([request?.method, request?.target]).toEqual(["POST", "/v1/chat/messages"]);
	expect(request?.headers["content-type"]).toBe("application/json");
	expect(JSON.parse(request?.body.toString() ?? "")).toEqual({
		...question,
		tools: ["browsing"],
		seed: 7,
		stream: true,
	});
});

describe("an error in a stream, which the interface does not know", () => {
	test.each([
		["alone", ['{"error":"out of credit"}'], ""],
		["after text", [start, content("Hi"), '{"error":{"message":"out of credit"}}', "[DONE]"], "Hi"],
		["between messages", [...hi, '{"error":{"message":"out of credit"}}'], "Hi"],
	])("S13: %s ends it as failed, with the words, and keeps the text", async (_, data, text) => {
		const server = await serve([streamed(...data, "[END]")]);
		const outcome = await ask(clientOf(server.url));
		expect(outcome.error).toMatchObject({
			kind: "rejected",
			charge: "unknown",
			serviceMessage: "out of credit",
		});
		const came = outcome.events.map(event => (event.type === "text-delta" ? event.text : ""));
		expect(came.join("")).toBe(text);
	});

	test("S13: no error is one that is null", async () => {
		const server = await serve([
			streamed(start, '{"content":"Hi","error":null}', "{}", "[DONE]", "[END]"),
		]);
		expect((await ask(clientOf(server.url))).error).toBeUndefined();
	});
});
