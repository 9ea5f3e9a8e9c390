import { readFileSync } from "node:fs";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeLog } from "../../../src/chat/log/chatLog.ts";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../src/chat/store/chatStore.ts";
import { silentLog } from "../../../src/common/log.ts";
import {
	type ChargeState,
	ServiceError,
	type ServiceErrorKind,
} from "../../../src/client/contract/serviceError.ts";
import {
	type ChatBench,
	makeChatBench,
	openForTest,
	plainOptions,
	waitUntil,
} from "../../helpers/chatBench.ts";
import { createFaultyFileSystem } from "../../helpers/faultyFileSystem.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import { messageEvents, streamEnd } from "../../helpers/scriptedClient.ts";

const halfAMessage = messageEvents(0, "Half an ans").slice(0, 2);

function logOf({ folder, session }: ChatBench): string {
	return join(folder, `${session.id}.jsonl`);
}

function typesOf(bench: ChatBench, from = 0): string[] {
	return bench.changes.slice(from).map(change => change.type);
}

describe("a question", () => {
	test("streams its answer, step by step, and is kept", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("What is a cutaway?\nIn film.");
		expect(call.request).toEqual({
			messages: [{ role: "user", content: "What is a cutaway?\nIn film." }],
			model: plainOptions.model,
			stream: true,
		});
		call.sendMessage("A shot you cut to.");
		expect(await bench.ended()).toBe("complete");
		expect(typesOf(bench)).toEqual([
			"turn-added",
			"title",
			"message-started",
			"text",
			"message-finished",
			"turn-progress",
		]);
		await bench.session.close();
		const chat = await bench.reopen();
		expect(chat.title).toBe("What is a cutaway?");
		expect(chat.turns).toEqual(bench.session.turns);
	});

	test("is on the medium before its request leaves", async () => {
		const files = createFaultyFileSystem();
		const seen: unknown[] = [];
		const bench = await makeChatBench({
			files,
			onCall: () => {
				const { records } = decodeLog(readFileSync(logOf(bench)));
				seen.push({ kept: records.map(record => record.type), syncs: files.syncCount });
			},
		});
		await bench.ask("Anything?");
		expect(seen).toEqual([{ kept: ["chat-created", "title", "turn-started"], syncs: 1 }]);
	});

	test("follows those before it, with their answers as they came", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		const call = await bench.ask("Two?");
		expect(call.request.messages).toEqual([
			{ role: "user", content: "One?" },
			{ role: "assistant", content: "First." },
			{ role: "user", content: "Two?" },
		]);
		call.sendMessage("Second.");
		await bench.ended();
		expect(bench.session.title).toBe("One?");
		await bench.session.close();
		expect((await bench.reopen()).turns).toHaveLength(2);
	});

	test("can be answered in several messages", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Compute.");
		call.sendMessage("Let me see.", false);
		call.sendMessage("42", false);
		call.sendMessage("It is 42.");
		expect(await bench.ended()).toBe("complete");
		await bench.session.close();
		const { turns } = await bench.reopen();
		expect(turns[0]?.messages.map(message => message.text)).toEqual([
			"Let me see.",
			"42",
			"It is 42.",
		]);
		expect(turns).toEqual(bench.session.turns);
	});

	test("goes on in a chat that was kept", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		await bench.session.close();
		const { client, clock, store } = bench;
		const chat = await openForTest(store, bench.session.id);
		const session = new ChatSession({ client, store, clock, log: silentLog, chat });
		expect(session.title).toBe("One?");
		expect(session.turns).toEqual(bench.session.turns);
		await session.send("Two?", plainOptions);
		const call = await client.called(2);
		expect(call.request.messages).toHaveLength(3);
		call.sendMessage("Second.");
		await waitUntil(() => !session.isBusy);
		await session.close();
		expect((await bench.reopen()).turns).toEqual(session.turns);
	});

	test("tells what is waited for", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Slow?");
		call.options.onNotice?.({ type: "silent" });
		expect(bench.changes.at(-1)).toEqual({
			type: "notice",
			turnId: bench.session.turns[0]?.id,
			notice: { type: "silent" },
		});
	});

	test("is not disturbed by a listener that fails", async () => {
		const bench = await makeChatBench();
		bench.session.onDidChange(() => {
			throw new Error("broken view");
		});
		(await bench.ask("One?")).sendMessage("First.");
		expect(await bench.ended()).toBe("complete");
	});
});

describe("one request at a time", () => {
	test("T10: a second click while the first is being saved or answered sends nothing", async () => {
		const bench = await makeChatBench();
		const first = bench.session.send("One?", plainOptions);
		expect(await bench.session.send("One?", plainOptions)).toEqual({ type: "busy" });
		expect(await first).toMatchObject({ type: "started" });
		expect(await bench.session.send("Two?", plainOptions)).toEqual({ type: "busy" });
		const turnId = bench.session.turns[0]?.id ?? "";
		expect(await bench.session.retry(turnId)).toEqual({ type: "busy" });
		expect(await bench.session.showError(turnId)).toEqual({ type: "busy" });
		expect(bench.client.calls).toHaveLength(1);
		expect(bench.session.turns).toHaveLength(1);
	});

	test("the next may be asked from the very change that says the last has ended", async () => {
		const bench = await makeChatBench();
		const results: Promise<unknown>[] = [];
		bench.session.onDidChange(change => {
			if (change.type === "turn-progress" && results.length === 0) {
				results.push(bench.session.send("Two?", plainOptions));
			}
		});
		(await bench.ask("One?")).sendMessage("First.");
		(await bench.client.called(2)).sendMessage("Second.");
		await bench.ended();
		expect(await results[0]).toMatchObject({ type: "started" });
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});
});

describe("Stop", () => {
	test("S25: keeps the text that came, and nothing that comes after", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Long?");
		call.send(...halfAMessage);
		await waitUntil(() => typesOf(bench).includes("text"));
		bench.session.stop();
		call.send({ type: "text-delta", index: 0, text: "wer" });
		expect(await bench.ended()).toBe("stopped");
		expect(bench.session.turns[0]?.messages[0]?.text).toBe("Half an ans");
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("is heard even while the question is being saved: nothing is sent", async () => {
		const bench = await makeChatBench();
		const sending = bench.session.send("Oops", plainOptions);
		bench.session.stop();
		expect(await sending).toMatchObject({ type: "started" });
		expect(await bench.ended()).toBe("stopped");
		expect(bench.client.calls).toHaveLength(0);
	});

	test("wins over whatever error the abort leads to", async () => {
		const bench = await makeChatBench({
			onCall: call =>
				call.options.signal?.addEventListener("abort", () =>
					call.fail(new ServiceError("connectionLost", { charge: "unknown" })),
				),
		});
		await bench.ask("Long?");
		bench.session.stop();
		expect(await bench.ended()).toBe("stopped");
	});

	test("stays a stop when the window ends right behind it", async () => {
		const bench = await makeChatBench();
		await bench.ask("Long?");
		bench.session.stop();
		await bench.session.close();
		expect((await bench.reopen()).turns).toMatchObject([{ progress: { state: "stopped" } }]);
	});

	test("takes nothing more from a client that is slow to notice", async () => {
		const { folder, clock, client } = await makeChatBench();
		const store = new ChatStore({ folder, clock });
		const session = new ChatSession({
			client: {
				...client,
				streamChat: async function* () {
					yield* halfAMessage;
					session.stop();
					yield { type: "text-delta", index: 0, text: "wer" };
					yield streamEnd;
				},
			},
			store,
			clock,
			log: silentLog,
		});
		await session.send("Long?", plainOptions);
		await waitUntil(() => !session.isBusy);
		await session.close();
		expect(session.turns).toMatchObject([
			{ messages: [{ text: "Half an ans" }], progress: { state: "stopped" } },
		]);
	});

	test("does nothing when nothing runs", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		bench.session.stop();
		expect(bench.session.turns[0]?.progress.state).toBe("complete");
	});
});

describe("a failure", () => {
	test.each<[ServiceErrorKind, ChargeState, string, string]>([
		["refused", "notSent", "notSent", "interrupted"],
		["unauthorized", "refused", "refused", "interrupted"],
		["serverFailed", "unknown", "chargeUnknown", "interrupted"],
		["noText", "unknown", "interrupted", "interrupted"],
		["interrupted", "unknown", "interrupted", "interrupted"],
		["endedEarly", "unknown", "endedEarly", "endedEarly"],
		["empty", "unknown", "empty", "empty"],
	])("G2: %s is shown and kept, with and without text", async (kind, charge, empty, partial) => {
		for (const [events, state] of [
			[[], empty],
			[halfAMessage, partial],
		] as const) {
			const bench = await makeChatBench();
			const call = await bench.ask("Why?");
			call.send(...events);
			call.fail(new ServiceError(kind, { charge, serviceMessage: "No." }));
			expect(await bench.ended()).toBe(state);
			expect(bench.client.calls).toHaveLength(1);
			await bench.session.close();
			const { turns } = await bench.reopen();
			expect(turns).toEqual(bench.session.turns);
			expect(turns[0]?.progress).toEqual({ state, failure: { kind, serviceMessage: "No." } });
		}
	});

	test("G2: a stream that just stops is interrupted, not complete", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Why?");
		call.send(...halfAMessage);
		call.finish();
		expect(await bench.ended()).toBe("interrupted");
	});

	test("G2: a fault of our own is shown as well", async () => {
		const bench = await makeChatBench();
		(await bench.ask("Why?")).fail(new TypeError("a bug"));
		expect(await bench.ended()).toBe("chargeUnknown");
		expect(bench.session.turns[0]?.progress).toMatchObject({ failure: { kind: "unreadable" } });
	});
});

describe("Retry", () => {
	test("asks the last question again; the answer before it stays in the log alone", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		const turnId = bench.session.turns[0]?.id ?? "";
		const from = bench.changes.length;
		const options = { ...plainOptions, model: "llm-4-turbo" };
		expect(await bench.session.retry(turnId, options)).toEqual({ type: "started", turnId });
		const call = await bench.client.called(2);
		expect(call.request).toEqual({
			messages: [{ role: "user", content: "One?" }],
			model: "llm-4-turbo",
			stream: true,
		});
		call.sendMessage("Better.");
		await bench.ended();
		expect(typesOf(bench, from)).toEqual([
			"answer-cleared",
			"turn-progress",
			"message-started",
			"text",
			"message-finished",
			"turn-progress",
		]);
		expect(bench.session.turns).toMatchObject([
			{ id: turnId, attempt: 2, messages: [{ text: "Better." }], options },
		]);
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
		expect(await readFile(logOf(bench), "utf8")).toContain("First.");
	});

	test("is for the last question only", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		const firstId = bench.session.turns[0]?.id ?? "";
		(await bench.ask("Two?")).sendMessage("Second.");
		await bench.ended();
		for (const id of [firstId, "", "nobody"]) {
			expect(await bench.session.retry(id)).toEqual({ type: "unavailable" });
			expect(await bench.session.showError(id)).toEqual({ type: "unavailable" });
		}
		expect(bench.client.calls).toHaveLength(2);
	});
});

describe("Show the error", () => {
	async function interrupted(): Promise<ChatBench & { turnId: string }> {
		const bench = await makeChatBench();
		const call = await bench.ask("Why?");
		call.send(...halfAMessage);
		call.fail(new ServiceError("interrupted", { charge: "unknown" }));
		await bench.ended();
		return { ...bench, turnId: bench.session.turns[0]?.id ?? "" };
	}

	test("S28: asks the same without streaming and uses the answer", async () => {
		const bench = await interrupted();
		const from = bench.changes.length;
		await bench.session.showError(bench.turnId);
		const call = await bench.client.called(2);
		expect(call).toMatchObject({ kind: "whole", request: { stream: false } });
		const calls = [{ id: "c", type: "function", function: { name: "read", arguments: "{}" } }];
		call.finish([
			{ role: "assistant", content: "", anyName: calls },
			{ role: "assistant", content: "Whole." },
		]);
		expect(await bench.ended()).toBe("complete");
		expect(bench.session.turns[0]?.messages).toMatchObject([
			{ text: "", toolNames: ["read"] },
			{ text: "Whole.", toolNames: [] },
		]);
		expect(typesOf(bench, from)).toEqual([
			"turn-progress",
			"answer-cleared",
			"message-started",
			"message-finished",
			"message-started",
			"message-finished",
			"turn-progress",
		]);
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test.each<[ServiceErrorKind, ChargeState, string]>([
		["badRequest", "refused", "refused"],
		["noAnswer", "unknown", "chargeUnknown"],
		["refused", "notSent", "notSent"],
		["empty", "unknown", "empty"],
	])("S28: shows %s and keeps the text there was", async (kind, charge, state) => {
		const bench = await interrupted();
		await bench.session.showError(bench.turnId);
		(await bench.client.called(2)).fail(
			new ServiceError(kind, { charge, serviceMessage: "The reason" }),
		);
		expect(await bench.ended()).toBe(state);
		expect(bench.session.turns[0]).toMatchObject({
			messages: [{ text: "Half an ans" }],
			progress: { failure: { kind, serviceMessage: "The reason" } },
		});
		expect(bench.client.calls).toHaveLength(2);
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("S25: can be stopped, and keeps the text there was", async () => {
		const bench = await interrupted();
		await bench.session.showError(bench.turnId);
		await bench.client.called(2);
		bench.session.stop();
		expect(await bench.ended()).toBe("stopped");
		expect(bench.session.turns[0]?.messages[0]?.text).toBe("Half an ans");
	});
});

describe("the end of the window", () => {
	test("L1, L18: an answer under way is interrupted, with its text, and nothing is sent again", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Long?");
		call.send(...halfAMessage);
		await waitUntil(() => typesOf(bench).includes("text"));
		await bench.session.close();
		const { turns } = await bench.reopen();
		expect(turns).toEqual(bench.session.turns);
		expect(turns[0]).toMatchObject({
			messages: [{ text: "Half an ans", isFinished: false }],
			progress: { state: "interrupted", failure: { kind: "reload" } },
		});
		expect(bench.client.calls).toHaveLength(1);
		expect(await bench.session.send("More?", plainOptions)).toEqual({ type: "unavailable" });
	});

	test("L2: without any goodbye the text is there up to its last save point", async () => {
		const bench = await makeChatBench();
		const call = await bench.ask("Long?");
		call.send(...halfAMessage);
		await waitUntil(() => typesOf(bench).includes("text"));
		await bench.clock.advance(1000);
		await expect.poll(() => readFile(logOf(bench), "utf8")).toContain("Half an ans");
		call.send({ type: "text-delta", index: 0, text: "wer, lost" });
		await waitUntil(() => typesOf(bench).at(-1) === "text");
		const found = await makeTempFolder();
		await copyFile(logOf(bench), join(found, "crashed.jsonl"));
		const { turns } = await openForTest(
			new ChatStore({ folder: found, clock: bench.clock }),
			"crashed",
		);
		expect(turns).toMatchObject([
			{
				messages: [{ text: "Half an ans" }],
				progress: { state: "interrupted", failure: { kind: "reload" } },
			},
		]);
	});

	test("leaves no timer, no lock and no listener behind", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		await bench.session.close();
		await bench.session.close();
		expect(bench.clock.pending).toBe(0);
		expect(await readdir(bench.folder)).toEqual([`${bench.session.id}.jsonl`]);
	});

	test("while the question is being saved sends nothing", async () => {
		const bench = await makeChatBench();
		const sending = bench.session.send("One?", plainOptions);
		await bench.session.close();
		expect(await sending).toMatchObject({ type: "started" });
		expect(bench.client.calls).toHaveLength(0);
		expect((await bench.reopen()).turns).toMatchObject([
			{ prompt: "One?", progress: { state: "interrupted" } },
		]);
	});
});

describe("L6: when the chat cannot be saved", () => {
	test("a question is not sent, and says why", async () => {
		const files = createFaultyFileSystem();
		const bench = await makeChatBench({ files });
		files.fail("ENOSPC", 1);
		expect(await bench.session.send("One?", plainOptions)).toMatchObject({
			type: "notSaved",
			error: { kind: "full" },
		});
		expect(bench.client.calls).toHaveLength(0);
		expect(bench.session.turns).toEqual([]);
		expect(bench.session.isBusy).toBe(false);
		expect(bench.changes).toMatchObject([{ type: "store-failed", error: { kind: "full" } }]);
		files.heal();
		(await bench.ask("One?")).sendMessage("First.");
		expect(await bench.ended()).toBe("complete");
		expect(typesOf(bench).slice(0, 3)).toEqual(["store-failed", "store-recovered", "turn-added"]);
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("neither Retry nor Show the error sends, and the answer stays", async () => {
		const files = createFaultyFileSystem();
		const bench = await makeChatBench({ files });
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		await waitUntil(() => files.syncCount === 2);
		files.fail("EROFS", 1);
		const { turns } = bench.session;
		const before = [...turns];
		const turnId = turns[0]?.id ?? "";
		expect(await bench.session.retry(turnId)).toMatchObject({ type: "notSaved" });
		expect(await bench.session.showError(turnId)).toMatchObject({ type: "notSaved" });
		expect(bench.session.turns).toEqual(before);
		expect(bench.client.calls).toHaveLength(1);
	});

	test("an answer under way goes on in memory and is saved when the disk recovers", async () => {
		const files = createFaultyFileSystem();
		const bench = await makeChatBench({ files });
		const call = await bench.ask("One?");
		files.fail("ENOSPC", 1);
		call.send(...messageEvents(0, "x".repeat(5000)), streamEnd);
		call.finish();
		expect(await bench.ended()).toBe("complete");
		await waitUntil(() => bench.session.storeError !== undefined);
		expect(bench.session.storeError).toMatchObject({ kind: "full" });
		files.heal();
		await bench.clock.advance(30_000);
		await waitUntil(() => bench.session.storeError === undefined);
		expect(typesOf(bench).filter(type => type.startsWith("store"))).toEqual([
			"store-failed",
			"store-recovered",
		]);
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});
});
