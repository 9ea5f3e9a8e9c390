import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { continuationOf } from "../../../../src/chat/toolLoop/continuation.ts";
import { plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import {
	chunk,
	content,
	jsonReply,
	start,
	streamed,
	streamHead,
} from "../../../helpers/httpScripts.ts";
import { fin, type Script } from "../../../helpers/scriptedServer.ts";
import { allow } from "../../../helpers/toolBench.ts";
import { calling, makeToolChat, saying, type ToolChat } from "../../../helpers/toolChat.ts";

const failing: Script = { steps: [jsonReply(400, { message: "Out of order." })] };

/** A streamed answer that is cut amid its text. */
function cutAfter(text: string): Script {
	const frames = [start, content(text)].map(frame => chunk(`data: ${frame}\n\n`));
	return { steps: [streamHead(), ...frames, fin] };
}

async function resume({ session }: ToolChat): Promise<string | undefined> {
	const result = await session.resume(session.turns.at(-1)?.id ?? "");
	expect(result).toMatchObject({ type: "started" });
	await waitUntil(() => !session.isBusy);
	return session.turns.at(-1)?.progress.state;
}

describe("a turn whose follow-up failed", () => {
	test("goes on with the results that are there: the same request once more, and no call runs twice", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "one" }]),
			failing,
			saying("Made."),
		]);
		chat.bench.decide = allow;
		expect(await chat.ask()).toBe("interrupted");
		expect(await resume(chat)).toBe("complete");
		expect(chat.bodies()).toHaveLength(3);
		expect(chat.bodies()[2]).toEqual(chat.bodies()[1]);
		expect(chat.bench.editor.changes()).toHaveLength(1);
		expect(chat.bench.asked).toHaveLength(1);
	});

	test("is the same turn after a reload: one attempt, with every message, its record and the time it took", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "one" }]),
			failing,
			saying("Made."),
		]);
		chat.bench.decide = allow;
		await chat.ask();
		await resume(chat);
		const before = chat.session.turns;
		const { turns } = await chat.reopen();
		expect(turns).toEqual(before);
		expect(turns[0]).toMatchObject({
			attempt: 1,
			startedTools: [{ tool: "create_file" }],
			toolEnds: [{ state: "done", durationMs: expect.any(Number) }],
		});
	});

	test("drops the text of the answer that was cut, in the log as well", async () => {
		const chat = await makeToolChat([
			calling(["c1", "list_files", {}]),
			cutAfter("Half an"),
			saying("A whole answer."),
		]);
		await chat.ask();
		expect(chat.session.turns[0]?.messages.at(-1)?.text).toBe("Half an");
		await resume(chat);
		const texts = (turns: ToolChat["session"]["turns"]): string[] | undefined =>
			turns[0]?.messages.map(({ text }) => text).slice(2);
		expect(texts(chat.session.turns)).toEqual(["A whole answer."]);
		expect(texts((await chat.reopen()).turns)).toEqual(["A whole answer."]);
	});

	test("U3: answers an id of before from what it was answered, and does not run it again", async () => {
		const input = { path: "a.txt", text: "one" };
		const chat = await makeToolChat([
			calling(["c1", "create_file", input]),
			failing,
			calling(["c1", "create_file", input]),
			saying("Done."),
		]);
		chat.bench.decide = allow;
		await chat.ask();
		await resume(chat);
		expect(chat.bench.editor.changes()).toHaveLength(1);
		expect(chat.results()["c1"]).toBe("Created a.txt.");
	});

	test("answers what was not run, next to what was, before it asks again", async () => {
		const chat = await makeToolChat([
			calling(["c1", "list_files", {}], ["c2", "create_file", { path: "a.txt", text: "" }]),
			saying("I see."),
		]);
		chat.bench.decide = () => new Promise(() => undefined);
		await chat.session.send("Go", plainOptions);
		await waitUntil(() => chat.bench.asked.length === 1);
		chat.session.stop();
		await waitUntil(() => !chat.session.isBusy);
		await resume(chat);
		const sent = chat.bodies()[1]?.messages ?? [];
		expect(sent.map(message => message["tool_call_id"])).toEqual([
			undefined,
			undefined,
			"c1",
			"c2",
		]);
		expect(sent.at(-1)?.["content"]).toContain("was not run");
		expect(existsSync(join(chat.bench.workspace, "a.txt"))).toBe(false);
	});

	test("U18: keeps a call that may have taken effect, and says so to the model", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "x" }]),
			saying("I look first."),
		]);
		chat.bench.decide = allow;
		chat.bench.editor.change = () => {
			chat.session.stop();
			return new Promise(() => undefined);
		};
		await chat.ask();
		await resume(chat);
		expect(chat.results()["c1"]).toContain("may have taken effect");
		expect(chat.bodies()).toHaveLength(2);
	});

	test("goes on with the deprecated function as well", async () => {
		const called = { function_call: { name: "list_files", arguments: "{}" } };
		const chat = await makeToolChat([
			streamed(start, JSON.stringify(called), "{}", "[DONE]", "[END]"),
			failing,
			saying("Done."),
		]);
		await chat.ask();
		expect(await resume(chat)).toBe("complete");
		expect(chat.bodies()[2]).toEqual(chat.bodies()[1]);
	});
});

describe("a turn has nothing to go on from", () => {
	test("when its first request failed", async () => {
		const chat = await makeToolChat([failing]);
		await chat.ask();
		const [turn] = chat.session.turns;
		expect(turn && continuationOf(turn)).toBeUndefined();
		expect(await chat.session.resume(turn?.id ?? "")).toEqual({ type: "unavailable" });
	});

	test("U17: when its only call waited for an approval as the editor was restarted", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "" }]),
			saying("Hello."),
		]);
		chat.bench.decide = () => new Promise(() => undefined);
		await chat.session.send("Go", plainOptions);
		await waitUntil(() => chat.bench.asked.length === 1);
		const [turn] = (await chat.reopen()).turns;
		expect(turn && continuationOf(turn)).toBeUndefined();
	});
});

describe("a click on a code block", () => {
	test("is there after a reload with its end, in whichever turn, until the question is asked again", async () => {
		const chat = await makeToolChat([saying("A block."), saying("Another."), saying("Again.")]);
		await chat.ask();
		await chat.ask("More");
		const [first, last] = chat.session.turns.map(({ id }) => id);
		const { blockCalls } = chat.session;
		for (const id of [first, last]) {
			const callId = `${id}:1:0:code-1`;
			blockCalls.add({ callId, name: "apply_code", arguments: "{}", after: 1 });
			await blockCalls.begin({ callId, tool: "apply_code", fingerprint: "f" });
			blockCalls.end({ callId, state: "done", durationMs: 5, content: "Changed a.txt." });
		}
		await chat.session.retry(last ?? "");
		await waitUntil(() => !chat.session.isBusy);
		const { turns } = await chat.reopen();
		expect(turns[0]).toMatchObject({
			blockCalls: [{ name: "apply_code" }],
			startedTools: [{ tool: "apply_code" }],
			toolEnds: [{ state: "done", durationMs: 5, content: "Changed a.txt." }],
		});
		expect(turns[1]).not.toHaveProperty("blockCalls");
		expect(turns[1]).not.toHaveProperty("toolEnds");
	});

	test("is not taken once the chat is closed", async () => {
		const chat = await makeToolChat([saying("A block.")]);
		await chat.ask();
		const [turn] = chat.session.turns;
		const callId = `${turn?.id}:1:0:code-1`;
		await chat.session.close();
		chat.session.blockCalls.add({ callId, name: "apply_code", arguments: "{}", after: 1 });
		const entry = { callId, tool: "apply_code", fingerprint: "f" };
		await expect(chat.session.blockCalls.begin(entry)).rejects.toThrow();
		expect(readFileSync(chat.logPath, "utf8")).not.toContain("code-1");
	});
});
