import { describe, expect, onTestFinished, test, vi } from "vitest";
import { decodeLog } from "../../../../src/chat/log/chatLog.ts";
import { ChatRecorder, retryMs, savePointBytes } from "../../../../src/chat/log/chatRecorder.ts";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import type { StoreError } from "../../../../src/storage/fileSystem.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFaultyFileSystem } from "../../../helpers/faultyFileSystem.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { waitUntil } from "../../../helpers/chatBench.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

async function makeRecorder() {
	const folder = await makeTempFolder();
	const clock = createFakeClock();
	const files = createFaultyFileSystem();
	const { id, writer } = new ChatStore({ folder, clock, files }).create();
	const errors: (StoreError | undefined)[] = [];
	const recorder = new ChatRecorder({
		writer,
		clock,
		onDidChangeError: error => errors.push(error),
	});
	onTestFinished(() => recorder.close().catch(() => undefined));
	await recorder.commit([{ type: "chat-created", at: 0, id }]);
	const onDisk = async (): Promise<readonly ChatRecord[]> =>
		decodeLog(await readFile(join(folder, `${id}.jsonl`))).records;
	return {
		id,
		folder,
		clock,
		files,
		recorder,
		errors,
		onDisk,
		textOnDisk: async () =>
			(await onDisk()).map(record => (record.type === "text" ? record.text : "")).join(""),
	};
}

const title: ChatRecord = { type: "title", at: 0, title: "T" };

describe("a save point", () => {
	test("comes a second after the first text at the latest", async () => {
		const { clock, files, recorder, textOnDisk } = await makeRecorder();
		recorder.addText(1, 0, "assistant", "a");
		await clock.advance(500);
		recorder.addText(1, 0, "assistant", "b");
		await clock.advance(499);
		expect(await textOnDisk()).toBe("");
		const before = files.writtenBytes;
		await clock.advance(1);
		await waitUntil(() => files.writtenBytes > before);
		expect(await textOnDisk()).toBe("ab");
	});

	test("comes at once after 4 KiB, counted in bytes", async () => {
		const { files, recorder, textOnDisk } = await makeRecorder();
		const before = files.writtenBytes;
		recorder.addText(1, 0, "assistant", "é".repeat(savePointBytes / 2 - 1));
		recorder.addText(1, 0, "assistant", "x");
		await new Promise(resolve => setImmediate(resolve));
		expect(files.writtenBytes).toBe(before);
		recorder.addText(1, 0, "assistant", "y");
		await waitUntil(() => files.writtenBytes > before);
		expect(await textOnDisk()).toHaveLength(savePointBytes / 2 + 1);
	});

	test("is asked for once per 4 KiB of text that comes faster than it is written, not with every piece", async () => {
		const { clock, recorder, textOnDisk } = await makeRecorder();
		const timers = vi.spyOn(clock, "setTimer");
		for (let piece = 0; piece < 10_000; piece += 1) {
			recorder.addText(1, 0, "assistant", "word");
		}
		expect(timers.mock.calls.length).toBeLessThanOrEqual(Math.ceil(40_000 / savePointBytes));
		await recorder.save();
		expect(await textOnDisk()).toHaveLength(40_000);
	});

	test("writes only the text that is fresh, so a long answer costs what it weighs", async () => {
		const { files, recorder, textOnDisk } = await makeRecorder();
		const before = files.writtenBytes;
		const size = 500_000;
		for (let written = 0; written < size; written += 4) {
			recorder.addText(1, 0, "assistant", "word");
			if (written % 8192 === 0) {
				await new Promise(resolve => setImmediate(resolve));
			}
		}
		await recorder.save();
		expect(await textOnDisk()).toHaveLength(size);
		expect(files.writtenBytes - before).toBeLessThan(size * 1.2);
	});

	test("is not synced, for the sake of the disk; a commit and an ending are", async () => {
		const { clock, files, recorder } = await makeRecorder();
		const before = files.syncCount;
		const bytes = files.writtenBytes;
		recorder.addText(1, 0, "assistant", "a");
		await clock.advance(1000);
		await waitUntil(() => files.writtenBytes > bytes);
		expect(files.syncCount).toBe(before);
		await recorder.commit([title]);
		expect(files.syncCount).toBe(before + 1);
		recorder.add(title);
		await recorder.save();
		expect(files.syncCount).toBe(before + 2);
	});
});

describe("L6: while the disk refuses", () => {
	test("a commit fails and leaves nothing behind", async () => {
		const { files, recorder, errors, onDisk } = await makeRecorder();
		files.fail("ENOSPC", 1);
		await expect(recorder.commit([title])).rejects.toMatchObject({ kind: "full" });
		expect(recorder.error?.kind).toBe("full");
		files.heal();
		recorder.addText(1, 0, "assistant", "later");
		await recorder.save();
		expect((await onDisk()).map(record => record.type)).toEqual(["chat-created", "text"]);
		expect(errors.map(error => error?.kind)).toEqual(["full", undefined]);
	});

	test("what waits is tried again every 30 s, in order, and reported once", async () => {
		const { clock, files, recorder, errors, onDisk } = await makeRecorder();
		files.fail("ENOSPC", 1);
		recorder.addText(1, 0, "assistant", "a");
		await recorder.save();
		recorder.add(title);
		const calls = files.callCount;
		await clock.advance(retryMs - 1);
		expect(files.callCount).toBe(calls);
		await clock.advance(1);
		await waitUntil(() => files.callCount > calls);
		expect(errors.map(error => error?.kind)).toEqual(["full"]);
		files.heal();
		await clock.advance(2 * retryMs);
		await waitUntil(() => recorder.error === undefined);
		expect((await onDisk()).map(record => record.type)).toEqual(["chat-created", "text", "title"]);
		expect(errors.map(error => error?.kind)).toEqual(["full", undefined]);
	});

	test("a stream that goes on does not ask it at every save point", async () => {
		const { clock, files, recorder } = await makeRecorder();
		files.fail("ENOSPC", 1);
		recorder.addText(1, 0, "assistant", "a");
		await recorder.save();
		const calls = files.callCount;
		for (let second = 0; second < 8; second += 1) {
			recorder.addText(1, 0, "assistant", "x".repeat(savePointBytes));
			await clock.advance(1000);
		}
		await new Promise(resolve => setTimeout(resolve, 20));
		expect(files.callCount).toBe(calls);
	});

	test("what waits goes before what is committed next", async () => {
		const { files, recorder, onDisk } = await makeRecorder();
		files.fail("EIO", 1);
		recorder.addText(1, 0, "assistant", "a");
		await recorder.save();
		files.heal();
		await recorder.commit([title]);
		expect((await onDisk()).map(record => record.type)).toEqual(["chat-created", "text", "title"]);
	});

	test("closing says that something is lost", async () => {
		const { files, recorder } = await makeRecorder();
		files.fail("ENOSPC", 1);
		recorder.add(title);
		await expect(recorder.close()).rejects.toMatchObject({ kind: "full" });
	});

	test("L5: closing is quiet once another window has the chat, which goes on from what was saved", async () => {
		const { id, folder, recorder, onDisk } = await makeRecorder();
		const clock = createFakeClock();
		const seizing = new ChatStore({ folder, clock }).seize(id);
		await waitUntil(() => clock.pending > 0);
		await clock.advance(1_000);
		await seizing;
		recorder.add(title);
		await recorder.close();
		expect(recorder.error?.kind).toBe("heldElsewhere");
		expect((await onDisk()).map(record => record.type)).toEqual(["chat-created"]);
	});
});
