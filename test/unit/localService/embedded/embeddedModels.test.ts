// @module-tag thorough
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { EmbeddedModels } from "../../../../src/localService/embedded/embeddedModels.ts";
import { whyNotRunnable } from "../../../../src/localService/embedded/modelProcess.ts";
import { type EngineEvent, type Engine, isDetail } from "../../../../src/localService/engine.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** A process that does what the last message asks for, in place of llama.cpp. */
const scriptedChild = `
process.on("disconnect", () => process.exit(0));
if (process.argv[3] === "check") {
	process.stderr.write(Object.keys(process.env).join());
	process.exit(1);
}
process.on("message", ({ type, id, messages, ...rest }) => {
	if (type === "stop") { return; }
	const send = (message) => process.send({ id, ...message });
	const asked = messages.at(-1).content;
	const end = { type: "end", isCut: false, input: 7, kept: 3, output: 2, perSecond: 12.5, calls: [] };
	send({ type: "progress", stage: "loading", share: 0 });
	send({ type: "progress", stage: "loading", share: 1 });
	send({ type: "progress", stage: "reading", share: 1 });
	if (asked.startsWith("fail ")) {
		send({ type: "failed", reason: asked.slice(5), words: "its own words" });
		return;
	}
	send({ type: "started", contextLength: 4096, isInThought: asked === "think" });
	if (asked === "think") { send({ type: "text", text: "Hm.</think>Yes." }); send(end); }
	if (asked === "echo") { send({ type: "text", text: JSON.stringify({ messages, ...rest, env: process.env, args: process.argv.slice(2), cwd: process.cwd() }) }); send(end); }
	if (asked === "text") { send({ type: "text", text: "Good " }); send({ type: "text", text: "day" }); send(end); }
	if (asked === "call") { send({ type: "text", text: "I look.\\n" }); for (const _ of "123") { send({ type: "text", text: "" }); } send({ ...end, calls: [1, 2].map(at => ({ name: "look", arguments: JSON.stringify({ at }) })) }); }
	if (asked === "blank") { send({ type: "text", text: "" }); send({ ...end, calls: [{ name: "look", arguments: "{}" }] }); }
	if (asked === "tag") { send({ type: "text", text: "Write <tool_call> or <tool" }); send(end); }
	if (asked === "cut") { send({ type: "text", text: "Go" }); send({ ...end, isCut: true }); }
	if (asked === "empty") { send(end); }
	if (asked === "stuck") { send({ type: "busy", computedMs: 1000 }); send({ type: "busy", computedMs: 61001 }); }
	if (asked === "endless") { send({ type: "text", text: "Go" }); }
	if (asked === "unknown") { process.kill(process.pid, "SIGILL"); }
	if (asked === "die") { send({ type: "text", text: "Go" }); setTimeout(() => process.kill(process.pid, "SIGKILL"), 20); }
});
`;

const noDemo: Engine = {
	// oxlint-disable-next-line require-yield -- nothing may ask it
	async *answer() {
		throw new Error("The demo was asked");
	},
};

interface Bench {
	readonly embedded: EmbeddedModels;
	readonly folder: string;
	ask(content: string, fields?: object, signal?: AbortSignal): Promise<Answer>;
}

interface Answer {
	readonly events: readonly EngineEvent[];
	readonly text: string;
	readonly failure: unknown;
}

async function openBench(clock: Clock = systemClock): Promise<Bench> {
	const folder = await makeTempFolder();
	const childFile = join(folder, "child.mjs");
	await writeFile(childFile, scriptedChild);
	await writeFile(join(folder, "tiny.gguf"), "GGUF");
	const embedded = new EmbeddedModels({
		childFile,
		llamaFolder: folder,
		modelsFolder: folder,
		clock,
		log: silentLog,
		contextLength: () => 0,
	});
	onTestFinished(() => embedded.dispose());
	const setup = { servers: [], contextLength: 0 };
	const engine = new Models(() => setup, noDemo, clock, silentLog, undefined, undefined, embedded);
	return {
		embedded,
		folder,
		ask: async (content, fields = {}, signal = new AbortController().signal) => {
			const events: EngineEvent[] = [];
			const request = {
				model: "embedded/tiny.gguf",
				stream: true,
				messages: [
					{
						role: "user",
						content,
					},
				],
				...fields,
			};
			let failure: unknown;
			try {
				for await (const event of engine.answer(request, signal)) {
					events.push(event);
				}
			} catch (error) {
				failure = error;
			}
			const text = events.map(event => (event.type === "text-delta" ? event.text : "")).join("");
			return { events, text, failure };
		},
	};
}

test("answers with one message, its text in order, and tells progress, context and tokens", async () => {
	const { ask } = await openBench();
	const { events, text, failure } = await ask("text");
	expect(failure).toBeUndefined();
	expect(text).toBe("Good day");
	expect(events.filter(event => !isDetail(event)).map(({ type }) => type)).toEqual([
		"message-start",
		"text-delta",
		"text-delta",
		"message-end",
	]);
	expect(events.filter(isDetail)).toEqual([
		{ type: "progress", stage: "loading", share: 0 },
		{ type: "progress", stage: "loading", share: 1 },
		{ type: "progress", stage: "reading", share: 1 },
		{ type: "context", tokens: 4_096 },
		{ type: "usage", input: 7, output: 2, perSecond: 12.5 },
	]);
});

test("a thought that the template opened comes apart from the answer", async () => {
	const { events, text } = await (await openBench()).ask("think");
	expect(text).toBe("Yes.");
	expect(events).toContainEqual({ type: "thinking", text: "Hm." });
});

test("the process gets the messages in turns, the model's file, and nothing of the environment", async () => {
	const { ask, folder } = await openBench();
	process.env["SOME_API_KEY"] = "secret";
	onTestFinished(() => {
		delete process.env["SOME_API_KEY"];
	});
	const messages = [
		...["Be brief.", "Hi"].map((content, index) => ({ role: index ? "user" : "system", content })),
		{ role: "user", content: "echo" },
	];
	const { text } = await ask("", {
		messages: [...messages.slice(0, 1), messages[2]],
		max_tokens: 5,
	});
	const seen = JSON.parse(text) as Record<string, unknown>;
	expect(seen).toMatchObject({
		file: join(folder, "tiny.gguf"),
		args: [folder],
		cwd: folder,
		maxTokens: 5,
		messages: [
			{
				role: "system",
				content: "Be brief.",
			},
			{
				role: "user",
				content: "echo",
			},
		],
	});
	expect(
		Object.keys(seen["env"] as object)
			.sort()
			.filter(name => !/^(?:NODE_CHANNEL|__CF)/.test(name)),
	).toEqual(["ELECTRON_RUN_AS_NODE"]);
});

const look = { type: "function", function: { name: "look" } };

test("calls come after the words before them, each with an id of its own", async () => {
	const { ask } = await openBench();
	const { events, text } = await ask("call", { custom_tools: [look] });
	expect(text.trim()).toBe("I look.");
	const calls = events.filter(event => event.type === "tool-call");
	expect(calls).toMatchObject([
		{ name: "look", arguments: '{"at":1}' },
		{ name: "look", arguments: '{"at":2}' },
	]);
	expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
	const alone = await ask("blank", { custom_tools: [look] });
	expect([alone.failure, alone.text]).toEqual([undefined, ""]);
	expect(alone.events).toContainEqual(expect.objectContaining({ type: "tool-call" }));
	for (const custom_tools of [[], [look]]) {
		expect((await ask("tag", { custom_tools })).text).toBe("Write <tool_call> or <tool");
	}
});

test("the process gets the tools, earlier calls with their results, and whether it must call one", async () => {
	const called = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
	const messages = [
		{ role: "user", content: "Hi" },
		{ role: "assistant", content: "", tool_calls: [called] },
		{ role: "tool", tool_call_id: "c1", content: "A cat" },
		{ role: "assistant", content: "A cat." },
		{ role: "user", content: "echo" },
	];
	const { ask } = await openBench();
	const seen = JSON.parse((await ask("", { messages, custom_tools: [look] })).text) as {
		readonly messages: readonly { tool_calls?: { id: string }[]; tool_call_id?: string }[];
	};
	expect(seen).toMatchObject({
		tools: [look],
		mustCall: false,
		messages: messages.map(({ role, content }) => ({
			role,
			content,
		})),
	});
	const [, { tool_calls: [told] = [] } = {}, result] = seen.messages;
	// Mistral's templates refuse any other.
	expect(told).toEqual({ ...called, id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/) });
	expect(result?.tool_call_id).toBe(told?.id);
	const chosen = { custom_tools: [look], tool_choice: "required" };
	expect(JSON.parse((await ask("echo", chosen)).text)).toMatchObject({ mustCall: true });
});

test.each([
	["fail missing", { status: 424, message: expect.stringContaining("not there any more") }],
	[
		"fail noBuild",
		{ message: expect.stringMatching(/does not run on this machine.*its own words/) },
	],
	[
		"unknown",
		{ message: expect.stringMatching(/does not run on this machine.*Use Ollama.*SIGILL/) },
	],
	["fail notGguf", { message: expect.stringContaining("not a model in GGUF") }],
	["fail truncated", { message: expect.stringContaining("not whole") }],
	["fail noMemory", { message: expect.stringContaining("not enough free memory") }],
	["fail tooLong", { status: 400 }],
	["empty", { status: 502, message: expect.stringContaining("empty") }],
	["die", { status: 502, message: expect.stringContaining("memory runs out") }],
])("never ends quietly: %s", async (asked, expected) => {
	const { ask } = await openBench();
	const { failure } = await ask(asked);
	expect(failure).toMatchObject({ name: "HttpFailure", ...expected });
	expect((await ask("text")).text).toBe("Good day");
});

test("an answer at the limit ends short", async () => {
	const { text, failure } = await (await openBench()).ask("cut");
	expect([text, failure]).toEqual(["Go", expect.objectContaining({ code: "cut_at_limit" })]);
});

test("is left as soon as the caller leaves, and answers the next question in the same process", async () => {
	const { ask, embedded } = await openBench();
	const stopper = new AbortController();
	const asked = ask("endless", {}, stopper.signal);
	await expect.poll(() => embedded.pid).toBeDefined();
	const { pid } = embedded;
	stopper.abort();
	expect((await asked).failure).toMatchObject({ name: "AbortError" });
	expect((await ask("text")).text).toBe("Good day");
	expect(embedded.pid).toBe(pid);
});

test("why llama.cpp does not run here is what its process writes, which gets nothing of the environment", async () => {
	const { embedded } = await openBench();
	const written = (await embedded.whyNotRunnable()) ?? "";
	expect(written.split(",").filter(name => !name.startsWith("__CF"))).toEqual([
		"ELECTRON_RUN_AS_NODE",
	]);
});

test("a check that is not over in time says nothing against llama.cpp", async () => {
	const folder = await makeTempFolder();
	const childFile = join(folder, "slow.mjs");
	await writeFile(childFile, "setInterval(() => undefined, 1000);");
	expect(await whyNotRunnable({ childFile, llamaFolder: folder }, 100)).toBeUndefined();
});

test("an image is refused in words, so that the question is asked again without it", async () => {
	const { embedded } = await openBench();
	const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
	const content = [{ type: "text", text: "text" }, image];
	const body = { model: "tiny.gguf", messages: [{ role: "user", content }] };
	const answer = embedded.ask(body, new AbortController().signal);
	const message = "this model does not support images";
	await expect(answer.next()).rejects.toMatchObject({ status: 400, message });
	expect(embedded.pid).toBeUndefined();
});

test("a model in memory is offered few tools though its file is gone", async () => {
	const { embedded, folder } = await openBench();
	await rm(join(folder, "tiny.gguf"));
	expect(await embedded.contextOf("tiny.gguf")).toBe(2_048);
});

test("questions that come at the same time are answered one after the other", async () => {
	const { ask } = await openBench();
	const answers = await Promise.all([ask("text"), ask("think"), ask("text")]);
	expect(answers.map(({ text }) => text)).toEqual(["Good day", "Yes.", "Good day"]);
});

test.each([
	["computes for a minute", "stuck", 0],
	["does nothing for ten minutes", "endless", 600_000],
])("a process that %s without progress is ended, and named", async (_, asked, ms) => {
	const clock = createFakeClock();
	const { ask, embedded } = await openBench(clock);
	let failure = "";
	const answered = ask(asked).then(answer => {
		failure = String(answer.failure);
	});
	await expect
		.poll(async () => {
			await clock.advance(ms);
			return failure;
		})
		.toContain("makes no progress");
	await answered;
	expect(embedded.pid).toBeUndefined();
});

test("the memory is given back after five minutes without a question", async () => {
	const clock = createFakeClock();
	const { ask, embedded } = await openBench(clock);
	await ask("text");
	const pid = embedded.pid ?? 0;
	await clock.advance(5 * 60_000 - 1);
	expect(embedded.pid).toBe(pid);
	await clock.advance(1);
	expect(embedded.pid).toBeUndefined();
	await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test.each(["gone.gguf", "../tiny.gguf", "tiny"])(
	"a model that is not in the folder is named so: %s",
	async name => {
		const { ask } = await openBench();
		const { failure } = await ask(name === "gone.gguf" ? "fail missing" : "text", {
			model: `embedded/${name}`,
		});
		expect(failure).toMatchObject({ message: expect.stringContaining("not there any more") });
	},
);
