import { spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeLog } from "../../../../src/chat/log/chatLog.ts";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { ChatStore, type StoredChat } from "../../../../src/chat/store/chatStore.ts";
import { nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import { openForTest, plainOptions } from "../../../helpers/chatBench.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFaultyFileSystem } from "../../../helpers/faultyFileSystem.ts";
import { makeChat, turnRecords } from "../../../helpers/keptChats.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const clock = createFakeClock();
function promptsOf(chat: StoredChat): string[] {
	return chat.turns.map(turn => turn.prompt);
}

function open(folder: string, id: string): Promise<StoredChat> {
	return openForTest(new ChatStore({ folder, clock }), id);
}

describe("a kept chat", () => {
	test("comes back whole and goes on where it was", async () => {
		const { folder, id } = await makeChat(clock, 2);
		const chat = await open(folder, id);
		expect(chat).toMatchObject({
			id,
			title: "Question 1",
			createdAt: 0,
			nextTurn: 3,
			readOnly: undefined,
			keptAt: undefined,
		});
		expect(chat.turns[1]).toEqual({
			id: "t2",
			prompt: "Question 2",
			attachments: [],
			createdAt: 2,
			options: plainOptions,
			attempt: 1,
			isStreamed: true,
			messages: [
				{
					role: "assistant",
					text: "Answer 2",
					isFinished: true,
					toolNames: [],
					raw: { role: "assistant", content: "Answer 2" },
				},
			],
			progress: { state: "complete" },
		});
		await chat.writer.append(turnRecords(3), true);
		await chat.writer.close();
		expect(promptsOf(await open(folder, id))).toEqual(["Question 1", "Question 2", "Question 3"]);
	});

	test("leaves nothing on disk before something is written", async () => {
		const folder = join(await makeTempFolder(), "chats");
		const store = new ChatStore({ folder, clock });
		await store.create().writer.close();
		await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
	});

	test("is for its owner's eyes alone", async () => {
		const { path } = await makeChat(clock, 1);
		// Windows knows no such permissions; there the folder of the profile guards it.
		expect((await stat(path)).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
	});

	test.skipIf(process.platform === "win32")(
		"is in a folder for its owner alone, also one that others could look into before",
		async () => {
			const { folder } = await makeChat(clock, 1);
			expect((await stat(folder)).mode & 0o777).toBe(0o700);
			const before = join(await makeTempFolder(), "chats");
			await mkdir(before, { mode: 0o755 });
			await makeChat(clock, 1, before);
			expect((await stat(before)).mode & 0o777).toBe(0o700);
		},
	);

	test.each(["../other", "a/b", "A", "", "a.b", "x".repeat(65), "..", "a\\b", "a\0"])(
		"cannot be named %j, so no other file is reached",
		async id => {
			const { folder } = await makeChat(clock, 1);
			const names = await readdir(folder);
			expect(await new ChatStore({ folder, clock }).open(id)).toEqual({ type: "missing" });
			expect(await readdir(folder)).toEqual(names);
		},
	);

	test("is missing when there is no file, or an empty one", async () => {
		const { folder } = await makeChat(clock, 1);
		await writeFile(join(folder, "empty.jsonl"), "");
		const store = new ChatStore({ folder, clock });
		expect(await store.open("nobody")).toEqual({ type: "missing" });
		expect(await store.open("empty")).toEqual({ type: "missing" });
		expect(await readdir(folder)).toHaveLength(2);
	});
});

describe("L8: a torn log", () => {
	test("cut off at every byte of its last line loses that line only, and can be added to", async () => {
		const { folder, id, path } = await makeChat(clock, 2);
		const whole = await readFile(path);
		const lastLine = whole.lastIndexOf(0x0a, -2) + 1;
		for (let length = lastLine; length < whole.length; length += 1) {
			await writeFile(path, whole.subarray(0, length));
			const chat = await open(folder, id);
			expect(chat.keptAt).toBeUndefined();
			expect(chat.turns.at(-1)).toMatchObject({
				prompt: "Question 2",
				progress: { state: "interrupted", failure: { kind: "reload" } },
				messages: [{ text: "Answer 2" }],
			});
			await chat.writer.append(turnRecords(3), true);
			await chat.writer.close();
			expect(decodeLog(await readFile(path)).condition).toBe("whole");
			expect(promptsOf(await open(folder, id).then(closing))).toHaveLength(3);
		}
	});

	test("whose torn line is longer than what is written next is cut off first", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const whole = await readFile(path, "utf8");
		await writeFile(path, `${whole}{"v":1,"n":6,"sum":"${"0".repeat(9000)}`);
		const chat = await open(folder, id);
		await chat.writer.append(turnRecords(2), true);
		await chat.writer.close();
		expect(decodeLog(await readFile(path)).condition).toBe("whole");
		expect(promptsOf(await open(folder, id))).toEqual(["Question 1", "Question 2"]);
	});

	test("is left as it is by a look that adds nothing", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const torn = (await readFile(path)).subarray(0, -5);
		await writeFile(path, torn);
		await closing(await open(folder, id));
		expect(await readFile(path)).toEqual(torn);
	});
});

async function closing(chat: StoredChat): Promise<StoredChat> {
	await chat.writer.close();
	return chat;
}

describe("L8: a damaged log", () => {
	test.each<[string, (whole: Buffer) => Buffer]>([
		["a changed byte", whole => whole.fill(0x3f, whole.length >> 1, (whole.length >> 1) + 1)],
		["NULs in the middle", whole => whole.fill(0, whole.length >> 1, (whole.length >> 1) + 20)],
		["NULs at its end", whole => Buffer.concat([whole, Buffer.alloc(4096)])],
		["text that is no record", whole => Buffer.concat([whole, Buffer.from("hello\n")])],
	])("with %s keeps a copy as it was found and shows the rest", async (_, damage) => {
		const { folder, id, path } = await makeChat(clock, 5);
		const damaged = damage(await readFile(path));
		await writeFile(path, damaged);
		const chat = await open(folder, id);
		expect(chat.keptAt).toBe(`${path}.unreadable-1`);
		expect(await readFile(`${path}.unreadable-1`)).toEqual(damaged);
		expect(promptsOf(chat)).toEqual(expect.arrayContaining(["Question 1", "Question 5"]));
		await chat.writer.append(turnRecords(6), true);
		await chat.writer.close();

		const again = await open(folder, id);
		expect(again.keptAt).toBeUndefined();
		expect(promptsOf(again)).toEqual([...promptsOf(chat), "Question 6"]);
		expect(again.turns.slice(0, -1)).toEqual(chat.turns);
	});

	test("says which answer has a hole, and does not send that answer back", async () => {
		const { folder, id, path } = await makeChat(clock, 3);
		const lines = (await readFile(path, "utf8")).split("\n");
		const hole = lines.findIndex(line => line.includes("Answer 2"));
		await writeFile(path, lines.with(hole, "?").join("\n"));
		const { turns } = await open(folder, id);
		expect(turns.map(turn => turn.progress.state)).toEqual([
			"complete",
			"partlyUnreadable",
			"complete",
		]);
		expect(turns[1]?.messages.every(message => message.raw === undefined)).toBe(true);
	});

	test("whose question was lost shows the others", async () => {
		const { folder, id, path } = await makeChat(clock, 3);
		const lines = (await readFile(path, "utf8")).split("\n");
		const lost = lines.findIndex(line => line.includes("Question 3"));
		await writeFile(path, lines.with(lost, "?").join("\n"));
		const chat = await open(folder, id);
		expect(promptsOf(chat)).toEqual(["Question 1", "Question 2"]);
		await chat.writer.append(turnRecords(chat.nextTurn, "Another"), true);
		await chat.writer.close();
		const again = await open(folder, id);
		expect(again.turns.at(-1)).toMatchObject({
			messages: [{ text: "Another" }],
			progress: { state: "complete" },
		});
	});

	test("never takes the place of a copy kept before", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		await writeFile(`${path}.unreadable-1`, "first");
		await writeFile(path, `${await readFile(path, "utf8")}?\n`);
		expect((await open(folder, id)).keptAt).toBe(`${path}.unreadable-2`);
		expect(await readFile(`${path}.unreadable-1`, "utf8")).toBe("first");
	});

	test("of which nothing can be read is kept and no longer a chat", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		await writeFile(path, "nothing of ours\n");
		const store = new ChatStore({ folder, clock });
		const keptAt = `${path}.unreadable-1`;
		expect(await store.open(id)).toEqual({ type: "unreadable", keptAt });
		expect(await readFile(keptAt, "utf8")).toBe("nothing of ours\n");
		expect(await new ChatLibrary({ folder, clock }).list()).toEqual([]);
		expect(await store.open(id)).toEqual({ type: "missing" });
	});

	test.each(["EIO", "ENOSPC"])("survives %s at every call of its repair", async code => {
		for (let call = 1; ; call += 1) {
			const { folder, id, path } = await makeChat(clock, 2);
			const damaged = Buffer.from(`${await readFile(path, "utf8")}?\n`);
			await writeFile(path, damaged);
			const files = createFaultyFileSystem();
			files.fail(code, call, call);
			const chat = await openForTest(new ChatStore({ folder, clock, files }), id);
			expect(promptsOf(chat)).toEqual(["Question 1", "Question 2"]);
			await chat.writer.close();
			const kept = [await readFile(path), ...(await copiesOf(folder))];
			expect(kept.some(bytes => bytes.equals(damaged))).toBe(true);
			if (files.callCount < call) {
				expect(call).toBeGreaterThan(5);
				return;
			}
		}
	});
});

async function copiesOf(folder: string): Promise<Buffer[]> {
	const names = (await readdir(folder)).filter(name => name.includes("unreadable"));
	return Promise.all(names.map(name => readFile(join(folder, name))));
}

test("L9: a log of a newer version is shown and left alone", async () => {
	const { folder, id, path } = await makeChat(clock, 1);
	const newer = `${await readFile(path, "utf8")}{"v":2,"more":true}\n`;
	await writeFile(path, newer);
	const chat = await open(folder, id);
	expect(promptsOf(chat)).toEqual(["Question 1"]);
	expect(chat.readOnly?.kind).toBe("newer");
	await expect(chat.writer.append(turnRecords(2), true)).rejects.toMatchObject({ kind: "newer" });
	expect(await readFile(path, "utf8")).toBe(newer);
	expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
});

describe("L5: two windows", () => {
	test("have one writer; the other reads until it lets go", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const first = await open(folder, id);
		const opening = open(folder, id);
		await clock.advance(3000);
		const second = await opening;
		expect(promptsOf(second)).toEqual(["Question 1"]);
		expect(second.readOnly?.kind).toBe("heldElsewhere");
		const write = (chat: StoredChat, turn: number) => chat.writer.append(turnRecords(turn), true);
		await expect(write(second, 2)).rejects.toMatchObject({ kind: "heldElsewhere" });
		await first.writer.close();
		await write(second, 2);
		await second.writer.close();
		expect(promptsOf(await open(folder, id))).toEqual(["Question 1", "Question 2"]);
	});

	test("never add to a chat that has changed since they read it", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const first = await open(folder, id);
		const opening = open(folder, id);
		await clock.advance(3000);
		const second = await opening;
		await first.writer.append(turnRecords(2), true);
		await first.writer.close();
		await expect(second.writer.append(turnRecords(2), true)).rejects.toMatchObject({
			kind: "heldElsewhere",
		});
		await second.writer.close();
		expect(promptsOf(await open(folder, id))).toEqual(["Question 1", "Question 2"]);
	});

	test("never take a line that the other is writing for a torn one", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const before = await readFile(path);
		const first = await open(folder, id);
		await first.writer.append(turnRecords(2), true);
		const after = await readFile(path);
		await writeFile(path, after.subarray(0, before.length + 30));
		const opening = open(folder, id);
		await clock.advance(3000);
		const second = await opening;
		expect(promptsOf(second)).toEqual(["Question 1"]);
		await writeFile(path, after);
		await first.writer.close();
		await expect(second.writer.append(turnRecords(2), true)).rejects.toMatchObject({
			kind: "heldElsewhere",
		});
		expect(await readFile(path)).toEqual(after);
	});

	test("hand a chat over within the wait, as a reload does", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const before = await open(folder, id);
		const opening = open(folder, id);
		await clock.advance(500);
		await before.writer.append(turnRecords(2), true);
		await before.writer.close();
		await clock.advance(500);
		const after = await opening;
		expect(after.readOnly).toBeUndefined();
		expect(promptsOf(after)).toEqual(["Question 1", "Question 2"]);
	});

	test("take over from a process of this machine that is gone", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const { pid } = spawnSync(process.execPath, ["--version"]);
		await writeFile(
			join(folder, `${id}.lock`),
			JSON.stringify({ pid, host: hostname(), session: "gone" }),
		);
		await nodeFileSystem.touch(join(folder, `${id}.lock`), clock.now());
		expect((await closing(await open(folder, id))).readOnly).toBeUndefined();
		expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
	});

	test.each([
		[60, "of another machine", JSON.stringify({ pid: 1, host: "elsewhere", session: "x" })],
		[60, "that wrote something else", '{"pid":'],
		[10, "that died while it took the chat", ""],
	])("take over after %d seconds of silence from a process %s", async (seconds, _, lock) => {
		const { folder, id } = await makeChat(clock, 1);
		const path = join(folder, `${id}.lock`);
		await writeFile(path, lock);
		await nodeFileSystem.touch(path, clock.now() - (seconds - 5) * 1000);
		const opening = open(folder, id);
		await clock.advance(3000);
		expect((await opening).readOnly?.kind).toBe("heldElsewhere");
		await nodeFileSystem.touch(path, clock.now() - (seconds + 1) * 1000);
		expect((await closing(await open(folder, id))).readOnly).toBeUndefined();
		expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
	});

	test("do not take over from one that shows it is alive", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const holder = await open(folder, id);
		await clock.advance(300_000);
		const opening = open(folder, id);
		await clock.advance(3000);
		expect((await opening).readOnly?.kind).toBe("heldElsewhere");
		await holder.writer.append(turnRecords(2), true);
	});

	test("stop writing once another has taken over", async () => {
		const { folder, id } = await makeChat(clock, 1);
		const chat = await open(folder, id);
		await writeFile(
			join(folder, `${id}.lock`),
			JSON.stringify({ pid: process.pid, host: "elsewhere", session: "theirs" }),
		);
		await expect(chat.writer.append(turnRecords(2), true)).rejects.toMatchObject({
			kind: "heldElsewhere",
		});
		await chat.writer.close();
		expect(await readFile(join(folder, `${id}.lock`), "utf8")).toContain("theirs");
	});
});

describe("L6: a disk that refuses", () => {
	test.each([
		["ENOSPC", "full"],
		["EDQUOT", "full"],
		["EIO", "failed"],
		["EROFS", "readOnly"],
		["EACCES", "denied"],
	])("G8: with %s at every call says so, and loses nothing written before", async (code, kind) => {
		for (let call = 1; ; call += 1) {
			const { folder, id, path } = await makeChat(clock, 1);
			const before = await readFile(path);
			const files = createFaultyFileSystem();
			const chat = await openForTest(new ChatStore({ folder, clock, files }), id);
			files.fail(code, call);
			const failure = await chat.writer
				.append(turnRecords(2), true)
				.catch((error: unknown) => error);
			if (failure === undefined) {
				expect(call).toBeGreaterThan(3);
				return;
			}
			expect(failure).toMatchObject({ name: "StoreError", kind, path });
			expect(decodeLog(await readFile(path)).records).toEqual(
				expect.arrayContaining([...decodeLog(before).records]),
			);
			files.heal();
			await chat.writer.append(turnRecords(2), true);
			await chat.writer.close();
			const again = await open(folder, id);
			expect(again.keptAt).toBeUndefined();
			expect(promptsOf(again)).toEqual(["Question 1", "Question 2"]);
		}
	});

	test("G8: what was reported as not kept does not turn up after a restart", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const before = await readFile(path);
		const files = createFaultyFileSystem();
		const chat = await openForTest(new ChatStore({ folder, clock, files }), id);
		// The first write, half done, fails; cutting it off does not.
		files.fail("ENOSPC", 3, 3);
		await expect(chat.writer.append(turnRecords(2), true)).rejects.toMatchObject({ kind: "full" });
		expect(await readFile(path)).toEqual(before);
	});

	test("a chat emptied under an open window is reported, not written behind a hole", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const chat = await open(folder, id);
		await writeFile(path, "");
		await expect(chat.writer.append(turnRecords(2), true)).rejects.toMatchObject({
			kind: "missing",
		});
		expect(await readFile(path, "utf8")).toBe("");
	});

	test("a chat deleted under an open window is reported, not written into nothing", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		const chat = await open(folder, id);
		await chat.writer.append(turnRecords(2), true);
		await nodeFileSystem.remove(path);
		await expect(chat.writer.append(turnRecords(3), true)).rejects.toMatchObject({
			kind: "missing",
		});
	});
});
