import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChatMessage, ToolCall } from "../../../../src/client/contract/schemas.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { toError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { CallMemory } from "../../../../src/localService/models/callMemory.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import {
	delta,
	errorReply,
	frames,
	type ModelReply,
	type ModelServer,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";
import { makeTestFolder } from "../testService.ts";

const weather = { type: "function", function: { name: "get_weather" } };
const dayMs = 24 * 60 * 60 * 1000;

function callOf(id: string, input = "{}"): ToolCall {
	return { id, type: "function", function: { name: "get_weather", arguments: input } };
}

/** An answer that thinks and then calls. */
function thinkingCall(id: string): ModelReply {
	const call = { index: 0, ...callOf(id) };
	const chunks = [delta({ reasoning_content: "hm" }), delta({ tool_calls: [call] })];
	return { body: frames(...chunks, delta({}, "tool_calls")) };
}

/** The question, a call and its result, as a client sends them. */
function conversation(call: ToolCall): ChatMessage[] {
	return [
		{ role: "user", content: "Weather?" },
		{ role: "assistant", content: "", tool_calls: [call] },
		{ role: "tool", content: "wet", tool_call_id: call.id },
	];
}

/** Asks a local service that begins now. */
async function ask(
	server: ModelServer,
	callsFolder: string,
	messages: readonly ChatMessage[],
): Promise<string> {
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	const noDemo = { answer: (): never => expect.fail("the demo was asked") };
	const setup = { servers, contextLength: 0 };
	const models = new Models(() => setup, noDemo, systemClock, silentLog, callsFolder);
	const request = {
		model: "lm/tiny",
		stream: true,
		messages: [...messages],
		custom_tools: [
			{
				...weather,
				type: "function" as const,
			},
		],
	};
	let text = "";
	try {
		for await (const event of models.answer(request, new AbortController().signal)) {
			text += event.type === "text-delta" ? event.text : "";
		}
		return text;
	} catch (error) {
		return toError(error).message;
	}
}

const question = conversation(callOf("c1")).slice(0, 1);

test("what a model sent with its call goes back with the result, after a restart too", async () => {
	const folder = join(await makeTestFolder(), "calls");
	const server = await startModelServer([thinkingCall("c1"), textReply("Rain.")]);
	await ask(server, folder, question);
	const [name = ""] = await readdir(folder);
	expect(name).toMatch(/^[\w-]{43}\.json$/);
	expect((await stat(folder)).mode & 0o777).toBe(0o700);
	expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
	expect(await ask(server, folder, conversation(callOf("c1")))).toBe("Rain.");
	expect(server.requests[1]?.["messages"]).toMatchObject([
		{ role: "user" },
		{ role: "assistant", reasoning_content: "hm", tool_calls: [{ id: "c1" }] },
		{ role: "tool", tool_call_id: "c1" },
	]);
});

test("a call that only shares its id gets nothing that belongs to another", async () => {
	const folder = await makeTestFolder();
	const server = await startModelServer([thinkingCall("call_0"), textReply("Rain.")]);
	await ask(server, folder, question);
	await ask(server, folder, conversation(callOf("call_0", '{"city":"Oslo"}')));
	expect(JSON.stringify(server.requests[1])).not.toContain("reasoning_content");
});

test("a call without anything but itself is not kept", async () => {
	const folder = await makeTestFolder();
	const call = { index: 0, ...callOf("c1") };
	const reply = { body: frames(delta({ tool_calls: [call] }), delta({}, "tool_calls")) };
	await ask(await startModelServer([reply]), folder, question);
	expect(await readdir(folder)).toEqual([]);
});

test("where it is lost, the server is asked once more with the call in words, and no further", async () => {
	const folder = await makeTestFolder();
	const refusal = errorReply(400, {
		error: { message: "Missing `reasoning_content` field in the assistant message" },
	});
	const server = await startModelServer([refusal, textReply("Rain.")]);
	expect(await ask(server, folder, conversation(callOf("c1")))).toBe("Rain.");
	expect(server.requests[1]?.["messages"]).toEqual([
		{ role: "user", content: "Weather?" },
		{ role: "assistant", content: "(I called get_weather with {})" },
		{ role: "user", content: "The result of the call:\n\nwet" },
	]);
	const stubborn = await startModelServer([refusal]);
	expect(await ask(stubborn, folder, conversation(callOf("c1")))).toContain("reasoning_content");
	expect(stubborn.requests).toHaveLength(2);
});

test("what is damaged, over a week old or too much is let go", async () => {
	const folder = await makeTestFolder();
	const now = Date.now();
	const memory = new CallMemory(folder, systemClock, silentLog);
	const message = { role: "assistant", reasoning_content: "hm" };
	await memory.keep("m", [callOf("old")], message);
	const [old = ""] = await readdir(folder);
	await utimes(join(folder, old), (now - 8 * dayMs) / 1000, (now - 8 * dayMs) / 1000);
	const later = new CallMemory(folder, systemClock, silentLog);
	expect((await later.recall("m", [[callOf("old")]]))([callOf("old")])).toBeUndefined();
	const strange = "x".repeat(43);
	await Promise.all(
		Array.from({ length: 600 }, async (_, at) => {
			const path = join(folder, `${String(at).padStart(3, "0")}${strange.slice(3)}.json`);
			await writeFile(path, "{");
			await utimes(path, now / 1000 - 100 - at, now / 1000 - 100 - at);
		}),
	);
	await writeFile(join(folder, "notes.txt"), "not ours");
	await later.keep("m", [callOf("new")], message);
	const names = await readdir(folder);
	expect(names).toContain("notes.txt");
	expect(names).not.toContain(old);
	expect(names).toHaveLength(501);
	const again = new CallMemory(folder, systemClock, silentLog);
	expect((await again.recall("m", [[callOf("new")]]))([callOf("new")])).toEqual(message);
});

test("a message that is too large for the disk, or meets a full one, is kept in memory", async () => {
	const folder = join(await makeTestFolder(), "calls");
	const memory = new CallMemory(folder, systemClock, silentLog);
	const large = { role: "assistant", reasoning_content: "x".repeat(1024 * 1024) };
	await memory.keep("m", [callOf("large")], large);
	expect((await memory.recall("m", [[callOf("large")]]))([callOf("large")])).toEqual(large);
	await writeFile(folder, "a file where the folder would be");
	const small = { role: "assistant", reasoning_content: "hm" };
	await memory.keep("m", [callOf("small")], small);
	expect((await memory.recall("m", [[callOf("small")]]))([callOf("small")])).toEqual(small);
	expect(await readFile(folder, "utf8")).toContain("a file");
});
