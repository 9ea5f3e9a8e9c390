import { appendFile, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import type { ChatSummary } from "../../../../src/chat/library/chatSummary.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import { type FileSystem, nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { openForTest } from "../../../helpers/chatBench.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFaultyFileSystem } from "../../../helpers/faultyFileSystem.ts";
import { keepChat, makeChat, opening, turnRecords } from "../../../helpers/keptChats.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const clock = createFakeClock();
const day = 24 * 60 * 60_000;

function libraryOf(folder: string, files?: FileSystem): ChatLibrary {
	const library = new ChatLibrary({ folder, clock, ...(files ? { files } : {}) });
	onTestFinished(() => library.dispose());
	return library;
}

async function onlyChat(folder: string): Promise<ChatSummary | undefined> {
	const list = await libraryOf(folder).list();
	expect(list).toHaveLength(1);
	return list[0];
}

describe("the list of chats", () => {
	test("shows each as it is, the one changed last first", async () => {
		const { folder, id, path } = await makeChat(clock, 3);
		const workspace = { folders: ["file:///w/shop"], name: "shop" };
		const store = new ChatStore({ folder, clock, workspace: () => workspace });
		const other = store.create();
		expect(other.workspace).toEqual(workspace);
		await other.writer.append(
			[
				{ type: "chat-created", at: 7, id: other.id, workspace },
				...opening(other.id).slice(1),
				...turnRecords(1, "long ".repeat(5000), " How  so,\n\nexactly? "),
			],
			true,
		);
		await other.writer.close();
		await nodeFileSystem.touch(path, 5000);
		await nodeFileSystem.touch(join(folder, `${other.id}.jsonl`), 9000);
		await writeFile(join(folder, "notes.txt"), "not a chat");
		const plain = {
			title: "Question 1",
			isPinned: false,
			isArchived: false,
			deletedAt: undefined,
			condition: "readable",
		};
		expect(await libraryOf(folder).list()).toEqual([
			{
				...plain,
				id: other.id,
				preview: "How so, exactly?",
				workspace,
				createdAt: 7,
				updatedAt: 9000,
				turnCount: 1,
			},
			{
				...plain,
				id,
				preview: "Question 3",
				workspace: undefined,
				createdAt: 0,
				updatedAt: 5000,
				turnCount: 3,
			},
		]);
	});

	test("shows the start of the last answer to a chat's only question, which is its name", async () => {
		const options = { model: "m", serverTools: [], parameters: {} };
		const attempt = { type: "attempt-started", at: 0, turn: 1, isStreamed: true, options } as const;
		const again = { type: "text", turn: 1, index: 0, role: "assistant" } as const;
		const { folder } = await keepChat(clock, [
			turnRecords(1, "Not this one"),
			[attempt, { ...again, text: "## Roasting\n\nUse **fresh** " }, { ...again, text: "beans." }],
		]);
		expect(await onlyChat(folder)).toMatchObject({ preview: "Roasting Use fresh beans." });
	});

	test("reads a chat whose ends do not say enough as a whole", async () => {
		const started = turnRecords(3).slice(0, 1);
		const text = { type: "text", turn: 3, index: 0, role: "assistant" } as const;
		const { folder, id, path } = await keepChat(clock, [
			turnRecords(1),
			turnRecords(2),
			[...started, { ...text, text: "x".repeat(20_000) }],
		]);
		await writeFile(path, `?${await readFile(path, "utf8")}`);
		expect(await onlyChat(folder)).toMatchObject({
			id,
			title: "Question 1",
			preview: "Question 3",
			turnCount: 3,
			condition: "readable",
		});
	});

	test("L8: names those it cannot read or that are newer, and changes nothing", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		await writeFile(join(folder, "broken.jsonl"), "?");
		await writeFile(join(folder, "newer.jsonl"), '{"v":2}\n');
		await nodeFileSystem.touch(path, 1);
		const list = await libraryOf(folder).list();
		expect(new Map(list.map(chat => [chat.id, chat.condition]))).toEqual(
			new Map([
				["broken", "unreadable"],
				["newer", "newer"],
				[id, "readable"],
			]),
		);
		const names = (await readdir(folder)).filter(name => name !== "index.json");
		expect(names.sort()).toEqual(["broken.jsonl", "newer.jsonl", `${id}.jsonl`].sort());
	});

	test("ends with an abort when it is no longer wanted", async () => {
		const { folder } = await makeChat(clock, 1);
		const signal = AbortSignal.abort();
		await expect(libraryOf(folder).list({ signal })).rejects.toMatchObject({ name: "AbortError" });
	});

	test("is empty where nothing was ever kept, and makes no folder", async () => {
		const folder = join(await makeTempFolder(), "chats");
		expect(await libraryOf(folder).list()).toEqual([]);
		await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
	});
});

describe("what a user makes of a chat", () => {
	test("is kept: its name, pin and archive; the last word counts", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const before = await readFile(path);
		const library = libraryOf(folder);
		await library.rename(id, "First name");
		await library.rename(id, "  My\n name ");
		await library.setPinned(id, true);
		await library.setArchived(id, true);
		await library.setArchived(id, false);
		const expected = { title: "My name", isPinned: true, isArchived: false };
		expect(await onlyChat(folder)).toMatchObject(expected);
		expect(await library.get(id)).toMatchObject(expected);
		expect((await openForTest(new ChatStore({ folder, clock }), id)).title).toBe("My name");
		expect(await readFile(path)).toEqual(before);
	});

	test("does not move a chat in the list", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		await nodeFileSystem.touch(path, 5000);
		await libraryOf(folder).setPinned(id, true);
		expect((await onlyChat(folder))?.updatedAt).toBe(5000);
	});

	test("gives the first question's title back when the name is emptied", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const library = libraryOf(folder);
		await library.rename(id, "Name");
		await library.rename(id, " \n ");
		expect((await library.get(id))?.title).toBe("Question 1");
	});

	test("keeps a name of at most 200 characters", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const library = libraryOf(folder);
		await library.rename(id, "🎬".repeat(300));
		expect([...((await library.get(id))?.title ?? "")]).toHaveLength(200);
	});

	test("L5: can change while another window writes the chat, which notices nothing", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const chat = await openForTest(new ChatStore({ folder, clock }), id);
		const library = libraryOf(folder);
		await library.rename(id, "Renamed");
		await chat.writer.append(turnRecords(2), true);
		await library.setPinned(id, true);
		await chat.writer.append(turnRecords(3), true);
		await chat.writer.close();
		const again = await openForTest(new ChatStore({ folder, clock }), id);
		expect(again.turns).toHaveLength(3);
		expect(await library.get(id)).toMatchObject({ title: "Renamed", isPinned: true, turnCount: 3 });
	});

	test("of a chat that is not there is refused", async () => {
		const { folder } = await makeChat(clock, 1);
		const library = libraryOf(folder);
		for (const id of ["nobody", "../other", ""]) {
			await expect(library.rename(id, "x")).rejects.toMatchObject({ kind: "missing" });
			expect(await library.get(id)).toBeUndefined();
		}
		expect(await readdir(folder)).toHaveLength(1);
	});

	test("L8: survives a line cut at every byte, and one of a newer version", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const path = join(folder, `${id}.meta`);
		const library = libraryOf(folder);
		await library.rename(id, "Kept");
		const kept = await readFile(path);
		await library.setPinned(id, true);
		const whole = await readFile(path);
		for (let length = kept.length; length < whole.length - 1; length += 1) {
			await writeFile(path, whole.subarray(0, length));
			expect(await library.get(id)).toMatchObject({ title: "Kept", isPinned: false });
			await library.setArchived(id, true);
			expect(await library.get(id)).toMatchObject({ title: "Kept", isArchived: true });
		}
		await appendFile(path, '{"v":2,"color":"red"}\n');
		expect(await library.get(id)).toMatchObject({ title: "Kept", isArchived: true });
	});

	test.each([
		["ENOSPC", "full"],
		["EIO", "failed"],
		["EROFS", "readOnly"],
		["EACCES", "denied"],
	])("G8: is refused as a whole when the disk says %s", async (code, kind) => {
		const { folder, id } = await makeChat(clock, 1);
		const files = createFaultyFileSystem();
		const library = libraryOf(folder, files);
		await library.rename(id, "Before");
		files.fail(code, 1);
		await expect(library.rename(id, "After")).rejects.toMatchObject({ name: "StoreError", kind });
		files.heal();
		expect((await library.get(id))?.title).toBe("Before");
		await library.rename(id, "Healed");
		expect((await library.get(id))?.title).toBe("Healed");
	});
});

describe("a deleted chat", () => {
	test("is hidden, is listed among the deleted ones, and comes back whole", async () => {
		const { folder, id, path } = await makeChat(clock, 2);
		const before = await readFile(path);
		const library = libraryOf(folder);
		await library.delete(id);
		expect(await library.list()).toEqual([]);
		expect(await library.list({ deleted: true })).toMatchObject([{ id, deletedAt: clock.now() }]);
		expect((await openForTest(new ChatStore({ folder, clock }), id)).deletedAt).toBe(clock.now());
		await library.restore(id);
		expect(await library.list()).toMatchObject([{ id, deletedAt: undefined, turnCount: 2 }]);
		expect(await readFile(path)).toEqual(before);
	});

	test("is there for 30 days, and all its files are gone with a listing after that", async () => {
		const later = createFakeClock(Date.now());
		const { folder, id, path } = await makeChat(later, 1);
		await makeChat(later, 1, folder);
		await writeFile(`${path}.unreadable-1`, "an old copy");
		const library = new ChatLibrary({ folder, clock: later });
		await library.delete(id);
		later.jump(29 * day);
		expect(await library.list({ deleted: true })).toHaveLength(1);
		later.jump(2 * day);
		expect(await library.list({ deleted: true })).toEqual([]);
		await eventually(async () => (await readdir(folder)).filter(name => name.includes(id))).toEqual(
			[],
		);
		expect(await library.list()).toHaveLength(1);
		await expect(library.restore(id)).rejects.toMatchObject({ kind: "missing" });
	});

	test("stays while a window has it open", async () => {
		const later = createFakeClock(Date.now());
		const { folder, id, path } = await makeChat(later, 1);
		const chat = await openForTest(new ChatStore({ folder, clock: later }), id);
		const library = new ChatLibrary({ folder, clock: later });
		await library.delete(id);
		later.jump(31 * day);
		await nodeFileSystem.touch(join(folder, `${id}.lock`), later.now());
		await library.list();
		await library.list();
		expect(await readdir(folder)).toContain(`${id}.jsonl`);
		await chat.writer.close();
		await library.list();
		await eventually(async () => (await readdir(folder)).includes(`${id}.jsonl`)).toBe(false);
		expect(path).toContain(id);
	});
});

describe("a change", () => {
	test("made by another window is told, and those of one moment are told once", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const here = new ChatLibrary({ folder, clock: systemClock });
		onTestFinished(() => here.dispose());
		const there = libraryOf(folder);
		let told = 0;
		here.onDidChange(() => {
			told += 1;
		});
		await here.list();
		// The watch begins within the microtasks and calls of its folder; a change tells that it has.
		await eventually(async () => {
			await there.setPinned(id, true);
			return told;
		}).toBeGreaterThan(0);
		const before = told;
		await Promise.all([there.rename(id, "a"), there.setArchived(id, true), there.delete(id)]);
		await eventually(() => told).toBeGreaterThan(before);
	});

	test("is found by looking through the folder where the system told nothing", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const away = `${folder}.away`;
		await rename(folder, away);
		const mute = createFakeClock();
		let refusals = 0;
		const files: FileSystem = {
			...nodeFileSystem,
			// Without its folder the system's watch cannot begin.
			makeFolder: () => {
				refusals += 1;
				return Promise.reject(new Error("mute"));
			},
		};
		const library = new ChatLibrary({ folder, clock: mute, files });
		onTestFinished(() => library.dispose());
		let told = 0;
		library.onDidChange(() => {
			told += 1;
		});
		await eventually(() => refusals).toBe(1);
		await rename(away, folder);
		await libraryOf(folder).setPinned(id, true);
		expect(told).toBe(0);
		await mute.advance(30_000);
		await eventually(async () => {
			await mute.advance(1000);
			return told;
		}).toBe(1);
	});
});

describe("a duplicate", () => {
	test("is a chat of its own with the same turns and the name of the first", async () => {
		const { folder, id, path } = await makeChat(clock, 3);
		const library = libraryOf(folder);
		await library.rename(id, "Plans");
		const before = await readFile(path);
		const copy = await library.duplicate(id);
		const store = new ChatStore({ folder, clock });
		const [first, second] = [await openForTest(store, id), await openForTest(store, copy)];
		expect(second).toMatchObject({ id: copy, title: "Plans", createdAt: clock.now(), nextTurn: 4 });
		expect(second.turns).toEqual(first.turns);
		await second.writer.append(turnRecords(4), true);
		expect(await readFile(path)).toEqual(before);
		expect(await library.get(copy)).toMatchObject({ turnCount: 4, isPinned: false });
	});

	test("is asked with what the first is asked with, each on its own from then on", async () => {
		const { folder, id } = await makeChat(clock, 2);
		const library = libraryOf(folder);
		const options = { model: "own-model", systemPrompt: "Answer in verse.", temperature: null };
		await library.setOptions(id, options);
		const copy = await library.duplicate(id, { throughTurnId: "t1" });
		await library.setOptions(id, {});
		const store = new ChatStore({ folder, clock });
		expect((await openForTest(store, copy)).options).toEqual(options);
		expect((await openForTest(store, id)).options).toEqual({});
	});

	test("ends with the turn it is asked to", async () => {
		const { folder, id } = await makeChat(clock, 3);
		const library = libraryOf(folder);
		const copy = await library.duplicate(id, { throughTurnId: "t2" });
		const { turns, nextTurn } = await openForTest(new ChatStore({ folder, clock }), copy);
		expect(turns.map(turn => turn.id)).toEqual(["t1", "t2"]);
		expect(nextTurn).toBe(3);
	});

	test("shows the branch of the turn it ends with, and keeps the others that were there by then", async () => {
		const follows = (turn: number, after: number): ChatRecord[] =>
			turnRecords(turn).map(record =>
				record.type === "turn-started" ? { ...record, after } : record,
			);
		const { folder, id } = await keepChat(clock, [
			turnRecords(1),
			turnRecords(2),
			follows(3, 1),
			follows(4, 2),
			[{ type: "branch-shown", at: 9, shown: 3 }],
		]);
		const library = libraryOf(folder);
		expect(await library.get(id)).toMatchObject({ turnCount: 4 });
		const store = new ChatStore({ folder, clock });
		expect((await openForTest(store, id)).turns.map(turn => turn.id)).toEqual(["t1", "t3"]);
		const copyOf = async (throughTurnId: string): Promise<[string[], number]> => {
			const copy = await openForTest(store, await library.duplicate(id, { throughTurnId }));
			return [copy.turns.map(turn => turn.id), copy.tree.placed.length];
		};
		expect(await copyOf("t4")).toEqual([["t1", "t2", "t4"], 4]);
		expect(await copyOf("t3")).toEqual([["t1", "t3"], 3]);
		expect(await copyOf("t2")).toEqual([["t1", "t2"], 2]);
	});

	test("is refused for a turn or chat that is not there, and for a newer one", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const library = libraryOf(folder);
		const missing = { kind: "missing" };
		await expect(library.duplicate(id, { throughTurnId: "x" })).rejects.toMatchObject(missing);
		await expect(library.duplicate("nobody")).rejects.toMatchObject(missing);
		await appendFile(path, '{"v":2}\n');
		await expect(library.duplicate(id)).rejects.toMatchObject({ kind: "newer" });
		expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
	});

	test("G8: is whole or not there when the disk refuses", async () => {
		for (let call = 1; ; call += 1) {
			const { folder, id } = await makeChat(clock, 2);
			const files = createFaultyFileSystem();
			files.fail("ENOSPC", call, call);
			const failure = await libraryOf(folder, files)
				.duplicate(id)
				.catch((error: unknown) => error);
			const list = await libraryOf(folder).list();
			expect(list.map(({ turnCount }) => turnCount)).toEqual(list.map(() => 2));
			if (typeof failure === "string") {
				expect(call).toBeGreaterThan(4);
				return;
			}
			expect(failure).toMatchObject({ name: "StoreError", kind: "full" });
		}
	});
});
