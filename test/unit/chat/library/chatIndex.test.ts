import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import { type FileSystem, nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { openForTest } from "../../../helpers/chatBench.ts";
import { makeChat, turnRecords } from "../../../helpers/keptChats.ts";

interface Counted {
	readonly library: ChatLibrary;
	/** Names of the files that were read since this was asked last. */
	readonly reads: () => string[];
}

/** A library as a start of the editor makes it, on a disk that counts. */
function startOn(folder: string, others: Partial<FileSystem> = {}): Counted {
	const reads: string[] = [];
	const note = (path: string): void => void reads.push(path.slice(folder.length + 1));
	const files: FileSystem = {
		...nodeFileSystem,
		read: path => {
			note(path);
			return nodeFileSystem.read(path);
		},
		readEnds: (path, length) => {
			note(path);
			return nodeFileSystem.readEnds(path, length);
		},
		...others,
	};
	const library = new ChatLibrary({ folder, clock: systemClock, files });
	onTestFinished(() => library.dispose());
	return { library, reads: () => reads.splice(0) };
}

async function makeChats(count: number): Promise<{ folder: string; ids: string[] }> {
	const first = await makeChat(systemClock, 2);
	const ids = [first.id];
	while (ids.length < count) {
		ids.push((await makeChat(systemClock, 2, first.folder)).id);
	}
	return { folder: first.folder, ids };
}

const indexOf = (folder: string): string => join(folder, "index.json");

describe("the index of the chats", () => {
	test("is all that another start reads, and only what has changed is read again", async () => {
		const { folder, ids } = await makeChats(20);
		const [changed = "", renamed = ""] = ids;
		const list = await startOn(folder).library.list();
		const { library, reads } = startOn(folder);
		expect(await library.list()).toEqual(list);
		expect(reads()).toEqual(["index.json"]);
		const chat = await openForTest(new ChatStore({ folder, clock: systemClock }), changed);
		await chat.writer.append(turnRecords(3), true);
		await startOn(folder).library.rename(renamed, "Renamed");
		const after = await library.list();
		expect(new Set(reads())).toEqual(
			new Set([`${changed}.jsonl`, `${renamed}.jsonl`, `${changed}.meta`, `${renamed}.meta`]),
		);
		expect(after[0]).toMatchObject({ id: changed, turnCount: 3, preview: "Question 3" });
		expect(after.find(({ id }) => id === renamed)?.title).toBe("Renamed");
		expect(await library.list()).toEqual(after);
		expect(reads()).toEqual([]);
	});

	test.each<[string, (text: string) => string]>([
		["is cut off", text => text.slice(0, -20)],
		["is empty", () => ""],
		["has a changed byte", text => text.replace("Question 1", "Question 9")],
		["is of another version", text => text.replace('"v":1', '"v":2')],
		["is something else", () => "[1,2]"],
	])("is rebuilt from the logs, silently, when it %s", async (_, damage) => {
		const { folder } = await makeChats(3);
		const list = await startOn(folder).library.list();
		const whole = await readFile(indexOf(folder), "utf8");
		await writeFile(indexOf(folder), damage(whole));
		expect(await startOn(folder).library.list()).toEqual(list);
		expect(await readFile(indexOf(folder), "utf8")).toBe(whole);
	});

	test("never keeps a chat that is gone, nor hides one it does not know", async () => {
		const { folder, ids } = await makeChats(3);
		const { library } = startOn(folder);
		await library.list();
		await nodeFileSystem.remove(join(folder, `${ids[0]}.jsonl`));
		const other = await makeChat(systemClock, 1, folder);
		const listed = (await startOn(folder).library.list()).map(({ id }) => id);
		expect(new Set(listed)).toEqual(new Set([...ids.slice(1), other.id]));
	});

	test("L6: that cannot be written costs time only", async () => {
		const { folder } = await makeChats(3);
		const replace = (): Promise<never> =>
			Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
		expect(await startOn(folder, { replace }).library.list()).toHaveLength(3);
		expect(await readdir(folder)).not.toContain("index.json");
	});

	test("L8: does not remember a chat that could not be read", async () => {
		const { folder } = await makeChats(2);
		await writeFile(join(folder, "broken.jsonl"), "?");
		const { library, reads } = startOn(folder);
		expect(await library.list()).toHaveLength(3);
		reads();
		expect(await library.list()).toHaveLength(3);
		expect(reads()).toContain("broken.jsonl");
	});
});
