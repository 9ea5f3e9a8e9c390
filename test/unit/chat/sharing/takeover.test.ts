import { describe, expect, onTestFinished, test } from "vitest";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import type { StoredChat } from "../../../../src/chat/store/chatOpening.ts";
import { createFakeClock, type FakeClock } from "../../../helpers/fakeClock.ts";
import { opening, turnRecords } from "../../../helpers/keptChats.ts";
import {
	createMemoryFileSystem,
	type MemoryFileSystem,
} from "../../../helpers/memoryFileSystem.ts";

interface Window {
	readonly files: MemoryFileSystem;
	readonly clock: FakeClock;
	readonly store: ChatStore;
	/** Held by its window, with one answered question. */
	readonly chat: StoredChat;
	/** How often it let go. */
	readonly letGo: () => number;
	isBusy: boolean;
}

/** A window that writes a chat and answers requests for it. */
async function makeWindow(): Promise<Window> {
	const files = createMemoryFileSystem();
	const clock = createFakeClock();
	const store = new ChatStore({ folder: "/chats", clock, files });
	const chat = store.create();
	await chat.writer.append([...opening(chat.id), ...turnRecords(1)], true);
	let letGo = 0;
	const window: Window = { files, clock, store, chat, letGo: () => letGo, isBusy: false };
	const answering = store.answerTakeOvers(chat.id, {
		isBusy: () => window.isBusy,
		letGo: async () => {
			letGo += 1;
			await chat.writer.append(turnRecords(2), true);
			await chat.writer.close();
		},
	});
	onTestFinished(() => answering.dispose());
	return window;
}

/** The outcome of a request, once so much time has gone by. */
async function askFor(
	{ store, chat, clock }: Window,
	isInsisting: boolean,
	ms = 1000,
): Promise<unknown> {
	const asking = store.takeOver(chat.id, { isInsisting });
	await clock.advance(ms);
	return asking;
}

/** The chat as another window opens it at once. */
async function openElsewhere({ store, chat, clock }: Window): Promise<StoredChat | undefined> {
	const opening = store.open(chat.id);
	await clock.advance(3000);
	const opened = await opening;
	return opened.type === "opened" ? opened.chat : undefined;
}

describe("L5: a chat that another window writes", () => {
	test("is let go of when asked for, with everything that window had to save", async () => {
		const window = await makeWindow();
		expect((await openElsewhere(window))?.readOnly?.kind).toBe("heldElsewhere");
		expect(await askFor(window, false)).toBe("free");
		expect(window.letGo()).toBe(1);
		const taken = await openElsewhere(window);
		expect(taken?.readOnly).toBeUndefined();
		expect(taken?.turns).toHaveLength(2);
		await taken?.writer.append(turnRecords(3), true);
		await expect(window.chat.writer.append(turnRecords(3), true)).rejects.toMatchObject({
			kind: "heldElsewhere",
		});
		expect(await window.files.names("/chats")).not.toContain(`${window.chat.id}.ask`);
	});

	test("is not let go of while an answer runs, unless the asker insists", async () => {
		const window = await makeWindow();
		window.isBusy = true;
		expect(await askFor(window, false)).toBe("busy");
		expect(window.letGo()).toBe(0);
		await window.chat.writer.append(turnRecords(5), true);
		expect(await askFor(window, true)).toBe("free");
		expect(window.letGo()).toBe(1);
	});

	test("is free at once when nobody holds it, or its holder is gone", async () => {
		const window = await makeWindow();
		const lock = `/chats/${window.chat.id}.lock`;
		await window.files.replace(lock, JSON.stringify({ pid: 0, host: "elsewhere", session: "x" }));
		await window.files.touch(lock, window.clock.now() - 61_000);
		expect(await askFor(window, false, 0)).toBe("free");
		await window.files.remove(lock);
		expect(await askFor(window, false, 0)).toBe("free");
	});

	test("stays with a window that lives but does not answer", async () => {
		const window = await makeWindow();
		const lock = `/chats/${window.chat.id}.lock`;
		const other = window.store.create();
		await other.writer.append(opening(other.id), true);
		await window.files.replace(lock, JSON.stringify({ pid: 1, host: "elsewhere", session: "x" }));
		await window.files.touch(lock, window.clock.now());
		const asking = window.store.takeOver(other.id, {});
		await window.clock.advance(11_000);
		expect(await asking).toBe("noAnswer");
		expect(await window.files.names("/chats")).not.toContain(`${other.id}.ask`);
	});

	test("is not let go of for a request that nobody waits for any more", async () => {
		const window = await makeWindow();
		const request = { token: "t", at: window.clock.now() - 20_000, isInsisting: true };
		await window.files.replace(`/chats/${window.chat.id}.ask`, JSON.stringify(request));
		await window.clock.advance(2000);
		await window.files.replace(`/chats/${window.chat.id}.ask`, "{");
		await window.clock.advance(2000);
		expect(window.letGo()).toBe(0);
	});

	test("is no longer asked for after an abort", async () => {
		const window = await makeWindow();
		const abort = new AbortController();
		const asking = window.store.takeOver(window.chat.id, { signal: abort.signal });
		const outcome = expect(asking).rejects.toMatchObject({ name: "AbortError" });
		await window.clock.advance(200);
		abort.abort();
		await outcome;
		await window.clock.advance(2000);
		expect(window.letGo()).toBe(0);
	});

	test("L6: cannot be asked for on a full disk, and stays where it is", async () => {
		const window = await makeWindow();
		window.files.failure = "ENOSPC";
		await expect(window.store.takeOver(window.chat.id)).rejects.toMatchObject({ kind: "full" });
		window.files.failure = undefined;
		await window.chat.writer.append(turnRecords(2), true);
	});
});
