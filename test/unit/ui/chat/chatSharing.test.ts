import { expect, onTestFinished, test } from "vitest";
import { ChatStore, type StoredChat } from "../../../../src/chat/store/chatStore.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { ChatSharing } from "../../../../src/ui/chat/chatSharing.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { opening, turnRecords } from "../../../helpers/keptChats.ts";
import { createMemoryFileSystem } from "../../../helpers/memoryFileSystem.ts";

const files = createMemoryFileSystem();
const clock = createFakeClock();

/** A window on the folder of all chats, which shows one of them. */
function openWindow() {
	const store = new ChatStore({ folder: "/chats", clock, files });
	const window = {
		store,
		shown: undefined as StoredChat | undefined,
		changes: [] as string[],
		isClosed: false,
		show: (chat: StoredChat) => {
			window.shown = chat;
			const session = {
				id: chat.id,
				isTaken: () => chat.writer.isTaken(),
				close: async () => {
					window.isClosed = true;
					await chat.writer.close();
				},
			};
			sharing.begin(session as never, chat);
		},
		open: async (id: string) => {
			const opened = await advanced(store.open(id), 3_000);
			if (opened.type === "opened") {
				window.show(opened.chat);
			}
		},
	};
	const sharing = new ChatSharing({
		store,
		clock,
		log: silentLog,
		onChange: ({ type }) => void window.changes.push(type),
		show: ({ chat }) => {
			if (chat) {
				window.show(chat);
			}
			return Promise.resolve();
		},
	});
	onTestFinished(() => sharing.dispose());
	return { ...window, window, sharing };
}

async function advanced<T>(step: Promise<T>, ms: number): Promise<T> {
	await clock.advance(ms);
	return step;
}

/** A chat that one window writes and another shows. */
async function setUp() {
	const [first, second] = [openWindow(), openWindow()];
	const chat = first.store.create();
	await chat.writer.append([...opening(chat.id), ...turnRecords(1)], true);
	first.show(chat);
	await second.open(chat.id);
	return { first, second, chat };
}

test("L5: a chat that another window writes shows what was saved, and why nothing can be written", async () => {
	const { first, second } = await setUp();
	expect(first.sharing.banner).toBeUndefined();
	expect(second.sharing.isReading).toBe(true);
	expect(second.window.shown?.turns).toHaveLength(1);
	expect(second.sharing.banner).toMatchObject({
		kind: "info",
		text: expect.stringContaining("open in another window"),
		action: "useHere",
		readOnly: "Read-only: in use in another window",
	});
});

test("L5: Use Here takes the chat with all that was saved, and the other window says so and keeps what it shows", async () => {
	const { first, second, chat } = await setUp();
	await chat.writer.append(turnRecords(2), true);
	await advanced(second.sharing.useHere(), 3_000);
	expect(second.sharing.banner).toBeUndefined();
	expect(second.window.shown?.turns).toHaveLength(2);
	await second.window.shown?.writer.append(turnRecords(3), true);

	await clock.advance(5_000);
	expect(first.changes).toEqual(["banner"]);
	expect(first.sharing.banner).toMatchObject({ action: "useHere" });
	expect(first.window.isClosed).toBe(true);
	await expect(chat.writer.append(turnRecords(3), true)).rejects.toMatchObject({
		kind: "heldElsewhere",
	});

	await advanced(first.sharing.useHere(), 3_000);
	expect(first.window.shown?.turns).toHaveLength(3);
	expect(first.sharing.banner).toBeUndefined();
	await clock.advance(5_000);
	expect(second.sharing.isReading).toBe(true);
});

test("L5: a window that lost its chat takes it back on a click alone", async () => {
	const { first, second } = await setUp();
	await advanced(second.sharing.useHere(), 3_000);
	await clock.advance(5_000);
	await second.window.shown?.writer.close();
	await clock.advance(60_000);
	expect(first.sharing.isReading).toBe(true);
});

test("L5: a chat whose window has gone is opened for writing without a click", async () => {
	const { second, chat } = await setUp();
	await chat.writer.append(turnRecords(2), true);
	await chat.writer.close();
	await clock.advance(15_000);
	expect(second.sharing.isReading).toBe(false);
	expect(second.window.shown?.turns).toHaveLength(2);
});

test("L5: a window that reloads finds its chat as it left it", async () => {
	const { first, second, chat } = await setUp();
	await chat.writer.close();
	await clock.advance(9_000);
	await first.open(chat.id);
	expect(first.sharing.isReading).toBe(false);
	await clock.advance(60_000);
	expect(second.sharing.isReading).toBe(true);
});

test("L6: a chat that can't be taken stays where it is", async () => {
	const { second, chat } = await setUp();
	files.failure = "EACCES";
	onTestFinished(() => void (files.failure = undefined));
	await expect(second.sharing.useHere()).rejects.toMatchObject({ kind: "denied" });
	files.failure = undefined;
	expect(second.sharing.isReading).toBe(true);
	await chat.writer.append(turnRecords(2), true);
});

test("showing another chat ends what was started for the one before", async () => {
	const { second } = await setUp();
	second.show(second.store.create());
	expect(second.sharing.banner).toBeUndefined();
	await second.sharing.useHere();
	await clock.advance(60_000);
	expect(second.window.shown?.turns).toEqual([]);
});
