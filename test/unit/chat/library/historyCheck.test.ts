// @module-tag thorough
import { cp, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChatLibrary, type HistoryReport } from "../../../../src/chat/library/chatLibrary.ts";
import { decodeLog } from "../../../../src/chat/log/chatLog.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import type { FileSystem } from "../../../../src/storage/fileSystem.ts";
import { openForTest } from "../../../helpers/chatBench.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFaultyFileSystem } from "../../../helpers/faultyFileSystem.ts";
import { makeChat } from "../../../helpers/keptChats.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const clock = createFakeClock(Date.now());

function verify(folder: string, signal?: AbortSignal, files?: FileSystem): Promise<HistoryReport> {
	const library = new ChatLibrary({ folder, clock, ...(files ? { files } : {}) });
	onTestFinished(() => library.dispose());
	return library.verify(signal);
}

const fine: Omit<HistoryReport, "chats" | "turns"> = {
	cutTails: [],
	repaired: [],
	unreadable: [],
	newer: [],
	inUse: [],
	failed: [],
};

/** A folder with a whole chat, a torn one, a damaged one, an unreadable one and one of a newer version. */
async function makeHistory(): Promise<{
	readonly folder: string;
	readonly torn: string;
	readonly damaged: string;
	/** What was found of the damaged and of the unreadable one. */
	readonly found: readonly string[];
}> {
	const whole = await makeChat(clock, 3);
	const { folder } = whole;
	const torn = await makeChat(clock, 2, folder);
	await writeFile(torn.path, (await readFile(torn.path)).subarray(0, -5));
	const damaged = await makeChat(clock, 2, folder);
	const hole = (await readFile(damaged.path, "utf8")).replace("Answer 1", "Answer 9");
	await writeFile(damaged.path, hole);
	await writeFile(join(folder, "broken.jsonl"), "?\0?\n");
	await writeFile(join(folder, "newer.jsonl"), '{"v":2}\n');
	await writeFile(join(folder, "empty.jsonl"), "");
	return { folder, torn: torn.id, damaged: damaged.id, found: [hole, "?\0?\n"] };
}

async function quarantined(folder: string): Promise<string[]> {
	const place = join(folder, "quarantine");
	const names = await readdir(place).catch(() => []);
	return Promise.all(names.map(name => readFile(join(place, name), "utf8")));
}

test("L8: a check reads all chats, puts in order what can be, and keeps a copy of what could not be read", async () => {
	const { folder, torn, damaged, found } = await makeHistory();
	const place = join(folder, "quarantine");
	expect(await verify(folder)).toEqual({
		...fine,
		chats: 5,
		turns: 7,
		cutTails: [torn],
		repaired: [{ id: damaged, keptAt: join(place, `${damaged}.jsonl.1`) }],
		unreadable: [{ id: "broken", keptAt: join(place, "broken.jsonl.1") }],
		newer: ["newer"],
	});
	expect(new Set(await quarantined(folder))).toEqual(new Set(found));
	for (const id of [torn, damaged]) {
		expect(decodeLog(await readFile(join(folder, `${id}.jsonl`))).condition).toBe("whole");
	}
	expect(await readFile(join(folder, "newer.jsonl"), "utf8")).toBe('{"v":2}\n');
});

test("a second check finds nothing to do and changes nothing", async () => {
	const { folder } = await makeHistory();
	await verify(folder);
	const before = await snapshot(folder);
	expect(await verify(folder)).toEqual({ ...fine, chats: 4, turns: 7, newer: ["newer"] });
	expect(await snapshot(folder)).toEqual(before);
});

async function snapshot(folder: string): Promise<Map<string, string>> {
	const names = await readdir(folder, { recursive: true });
	const files = names.filter(name => name !== "quarantine").sort();
	return new Map(
		await Promise.all(
			files.map(async name => [name, await readFile(join(folder, name), "latin1")] as const),
		),
	);
}

test.each(["ENOSPC", "EIO"])(
	"G8: cut off by %s at any call, it loses nothing, and the next check ends the work",
	async code => {
		const { folder: original, found } = await makeHistory();
		for (let call = 1; ; call += 1) {
			const folder = join(await makeTempFolder(), "chats");
			await cp(original, folder, { recursive: true });
			const files = createFaultyFileSystem();
			files.fail(code, call);
			await verify(folder, undefined, files).catch(() => undefined);
			const everything = [...(await snapshot(folder)).values()].join("\n");
			expect(found.every(text => everything.includes(text))).toBe(true);
			files.heal();
			// A lease that could not be given back lapses after a minute.
			clock.jump(61_000);
			const report = await verify(folder, undefined, files);
			expect(report).toMatchObject({ chats: expect.any(Number), turns: 7, failed: [] });
			expect(await quarantined(folder)).toEqual(expect.arrayContaining([...found]));
			expect(await verify(folder)).toEqual({ ...fine, chats: 4, turns: 7, newer: ["newer"] });
			if (files.callCount < call) {
				expect(call).toBeGreaterThan(15);
				return;
			}
		}
	},
);

test("a copy that was kept before is never replaced, and an equal one not made twice", async () => {
	const { folder } = await makeHistory();
	await mkdir(join(folder, "quarantine"));
	await writeFile(join(folder, "quarantine", "broken.jsonl.1"), "of last year");
	await writeFile(join(folder, "quarantine", "broken.jsonl.2"), "?\0?\n");
	const { unreadable } = await verify(folder);
	expect(unreadable[0]?.keptAt).toBe(join(folder, "quarantine", "broken.jsonl.2"));
	expect(await quarantined(folder)).toContain("of last year");
});

test("L5: a chat that another window writes is left alone", async () => {
	const { folder, id, path } = await makeChat(clock, 1);
	const chat = await openForTest(new ChatStore({ folder, clock }), id);
	const bytes = Buffer.concat([await readFile(path), Buffer.from('{"v":1,"n"')]);
	await writeFile(path, bytes);
	expect(await verify(folder)).toEqual({ ...fine, chats: 1, turns: 0, inUse: [id] });
	expect(await readFile(path)).toEqual(bytes);
	await chat.writer.close();
});

test("an abort ends a check between two chats", async () => {
	const { folder } = await makeHistory();
	const before = await snapshot(folder);
	await expect(verify(folder, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
	expect(await snapshot(folder)).toEqual(before);
});

test("what a crash left unfinished is removed an hour later", async () => {
	const { folder, id } = await makeChat(clock, 1);
	const old = new Date(clock.now() - 2 * 60 * 60_000);
	for (const name of [`${id}.ask.1.tmp`, `${id}.jsonl.repaired`, "young.tmp", "notes.txt"]) {
		await writeFile(join(folder, name), "x");
		const time = name === "young.tmp" ? new Date(clock.now()) : old;
		await utimes(join(folder, name), time, time);
	}
	await verify(folder);
	expect((await readdir(folder)).sort()).toEqual(["notes.txt", "young.tmp", `${id}.jsonl`].sort());
});
