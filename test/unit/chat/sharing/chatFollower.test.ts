import { describe, expect, onTestFinished, test } from "vitest";
import type { ChatFollower, FollowChange } from "../../../../src/chat/sharing/chatFollower.ts";
import { encodeRecords } from "../../../../src/chat/log/chatLog.ts";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import type { StoredChat } from "../../../../src/chat/store/chatOpening.ts";
import { createFakeClock, type FakeClock } from "../../../helpers/fakeClock.ts";
import { opening, turnRecords } from "../../../helpers/keptChats.ts";
import {
	createMemoryFileSystem,
	type MemoryFileSystem,
} from "../../../helpers/memoryFileSystem.ts";

interface Bench {
	readonly files: MemoryFileSystem;
	readonly clock: FakeClock;
	readonly store: ChatStore;
	/** Held by its window, with one answered question. */
	readonly chat: StoredChat;
	/** Bytes that were read from the log so far. */
	readonly readBytes: () => number;
	readonly path: string;
}

async function makeBench(): Promise<Bench> {
	const memory = createMemoryFileSystem();
	let readBytes = 0;
	const files: MemoryFileSystem = Object.assign(memory, {
		readFrom: async (path: string, start: number) => {
			const bytes = memory.contentOf(path).subarray(start);
			readBytes += bytes.length;
			return { bytes, size: start + bytes.length };
		},
	});
	const clock = createFakeClock();
	const store = new ChatStore({ folder: "/chats", clock, files });
	const chat = store.create();
	await chat.writer.append([...opening(chat.id), ...turnRecords(1)], true);
	return { files, clock, store, chat, readBytes: () => readBytes, path: `/chats/${chat.id}.jsonl` };
}

async function follow({ store, chat }: Bench): Promise<[ChatFollower, FollowChange[]]> {
	const follower = await store.follow(chat.id);
	onTestFinished(() => follower.dispose());
	const changes: FollowChange[] = [];
	follower.onDidChange(change => changes.push(change));
	return [follower, changes];
}

const [started, words, finished, ended] = turnRecords(2, "Hel") as [
	ChatRecord,
	ChatRecord,
	ChatRecord,
	ChatRecord,
];
const more: ChatRecord = { type: "text", turn: 2, index: 0, role: "assistant", text: "lo" };

describe("L5: a chat that another window writes", () => {
	test("is followed word by word, and is streaming until it ends there", async () => {
		const bench = await makeBench();
		const [follower, changes] = await follow(bench);
		expect(follower.hasWriter).toBe(true);
		expect(follower.turns.map(({ id }) => id)).toEqual(["t1"]);
		await bench.chat.writer.append([started, words], true);
		await bench.clock.advance(500);
		expect(changes.splice(0)).toEqual([{ type: "replaced" }]);
		expect(follower.turns.at(-1)).toMatchObject({
			prompt: "Question 2",
			messages: [{ text: "Hel" }],
			progress: { state: "streaming" },
		});
		await bench.chat.writer.append([more], false);
		await bench.clock.advance(500);
		expect(changes.splice(0)).toEqual([{ type: "text", turnId: "t2", index: 0, text: "lo" }]);
		expect(follower.turns.at(-1)?.messages[0]?.text).toBe("Hello");
		await bench.chat.writer.append([finished, ended], true);
		await bench.clock.advance(500);
		expect(changes.splice(0)).toEqual([{ type: "replaced" }]);
		expect(follower.turns.at(-1)?.progress).toEqual({ state: "complete" });
	});

	test("is read only where something was added", async () => {
		const bench = await makeBench();
		await follow(bench);
		const before = bench.readBytes();
		const size = bench.files.contentOf(bench.path).length;
		expect(before).toBe(size);
		await bench.clock.advance(60_000);
		expect(bench.readBytes()).toBe(before);
		await bench.chat.writer.append(turnRecords(2), true);
		await bench.clock.advance(5000);
		expect(bench.readBytes()).toBe(bench.files.contentOf(bench.path).length);
	});

	test("is interrupted when its window is gone in the middle of an answer", async () => {
		const bench = await makeBench();
		await bench.chat.writer.append([started, words], true);
		const [follower, changes] = await follow(bench);
		expect(follower.turns.at(-1)?.progress.state).toBe("streaming");
		await bench.files.remove(`/chats/${bench.chat.id}.lock`);
		await bench.clock.advance(500);
		expect(changes).toEqual([{ type: "replaced" }]);
		expect(follower.hasWriter).toBe(false);
		expect(follower.turns.at(-1)).toMatchObject({
			messages: [{ text: "Hel" }],
			progress: { state: "interrupted", failure: { kind: "reload" } },
		});
	});

	test("is not shown with a line that is half written", async () => {
		const bench = await makeBench();
		const [follower, changes] = await follow(bench);
		const whole = bench.files.contentOf(bench.path);
		const file = await bench.files.open(bench.path);
		const line = encodeRecords([started], 6);
		await file.append(line.subarray(0, 30));
		await bench.clock.advance(500);
		expect(changes).toEqual([]);
		await file.append(line.subarray(30));
		await bench.clock.advance(500);
		expect(follower.turns.map(({ id }) => id)).toEqual(["t1", "t2"]);
		expect(bench.files.contentOf(bench.path).subarray(0, whole.length)).toEqual(whole);
	});

	test("is read again when its log was repaired meanwhile", async () => {
		const bench = await makeBench();
		const [follower, changes] = await follow(bench);
		const records = [...opening(bench.chat.id), ...turnRecords(7, "Repaired")];
		await bench.files.replace(bench.path, encodeRecords(records, 0).toString());
		await bench.clock.advance(500);
		await bench.chat.writer.append(turnRecords(8), true).catch(() => undefined);
		const longer = [...records, ...turnRecords(8), ...turnRecords(9)];
		await bench.files.replace(bench.path, encodeRecords(longer.slice(1), 0).toString());
		await bench.clock.advance(500);
		expect(follower.turns.map(({ id }) => id)).toEqual(["t7", "t8", "t9"]);
		expect(changes.every(({ type }) => type === "replaced")).toBe(true);
	});

	test("stays as it was shown while its file cannot be read, and is no longer looked at in the end", async () => {
		const bench = await makeBench();
		const [follower, changes] = await follow(bench);
		const { readFrom } = bench.files;
		Object.assign(bench.files, { readFrom: () => Promise.reject(new Error("EIO")) });
		await bench.clock.advance(5000);
		expect(follower.turns).toHaveLength(1);
		Object.assign(bench.files, { readFrom });
		await bench.chat.writer.append(turnRecords(2), true);
		await bench.clock.advance(500);
		expect(changes).toEqual([{ type: "replaced" }]);
		follower.dispose();
		await bench.chat.writer.close();
		await bench.clock.advance(500);
		expect(bench.clock.pending).toBe(0);
	});

	test("that is not there is refused", async () => {
		const { store } = await makeBench();
		await expect(store.follow("../x")).rejects.toMatchObject({ kind: "missing" });
	});
});
