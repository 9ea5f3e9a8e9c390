/**
 * A program that does to chats what a window does, while others do the same in the same folder. Arguments: the folder, the seed
 * and how many operations. It prints a line of JSON for everything that the store says is kept, and ends with code 0 when all
 * of its operations were.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ChatLibrary } from "../../src/chat/library/chatLibrary.ts";
import type { ChatRecord } from "../../src/chat/log/chatRecord.ts";
import { ChatStore, type StoredChat } from "../../src/chat/store/chatStore.ts";
import { StoreError } from "../../src/storage/fileSystem.ts";
import { systemClock } from "../../src/common/async.ts";
import { createRandom } from "./random.ts";

/** What a program reports as kept. */
export type Kept =
	| { readonly type: "turn"; readonly chat: string; readonly turn: string }
	| { readonly type: "title"; readonly chat: string; readonly title: string }
	| { readonly type: "pin"; readonly chat: string; readonly isPinned: boolean }
	| { readonly type: "list"; readonly chats: number };

const [folder = "", seed = "0", operations = "0"] = process.argv.slice(2);
const random = createRandom(Number(seed));
const store = new ChatStore({ folder, clock: systemClock });
const library = new ChatLibrary({ folder, clock: systemClock });
const options = { model: "m", serverTools: [], parameters: {} };
const own: string[] = [];
/** How many chats all windows write to, and how long one is kept open now and then, in milliseconds. */
const sharedChats = 3;
const holdMs = 300;

function report(kept: Kept): void {
	process.stdout.write(`${JSON.stringify(kept)}\n`);
}

function recordsOf(turn: number, id: string): ChatRecord[] {
	return [
		{ type: "turn-started", at: turn, turn, id, prompt: `Question ${id}`, options },
		{ type: "turn-ended", at: turn, turn, progress: { state: "complete" } },
	];
}

async function createChat(turnId: string): Promise<void> {
	const { id, writer } = store.create();
	const opening: ChatRecord[] = [
		{ type: "chat-created", at: 0, id },
		{ type: "title", at: 0, title: "First" },
	];
	await writer.append([...opening, ...recordsOf(1, turnId)], false);
	await writer.close();
	own.push(id);
	report({ type: "turn", chat: id, turn: turnId });
}

/** Opens a chat with the right to write it, taking it from whoever has it. */
async function openToWrite(id: string): Promise<StoredChat> {
	for (;;) {
		const opened = await store.open(id);
		if (opened.type !== "opened") {
			throw new Error(`The chat is ${opened.type}`);
		}
		if (!opened.chat.readOnly) {
			return opened.chat;
		}
		if (opened.chat.readOnly.kind !== "heldElsewhere") {
			throw opened.chat.readOnly;
		}
		await store.seize(id);
	}
}

async function addTurn(id: string, turnId: string): Promise<void> {
	for (;;) {
		const chat = await openToWrite(id);
		try {
			await chat.writer.append(recordsOf(chat.nextTurn, turnId), false);
			report({ type: "turn", chat: id, turn: turnId });
			if (random.below(20) === 0) {
				await sleep(holdMs);
			}
			return;
		} catch (error) {
			if (!(error instanceof StoreError) || error.kind !== "heldElsewhere") {
				throw error;
			}
		} finally {
			await chat.writer.close();
		}
	}
}

for (let operation = 0; operation < Number(operations); operation += 1) {
	const turnId = `${seed}-${operation}`;
	const mine = own.length === 0 ? undefined : random.pick(own);
	const kind = mine === undefined ? 0 : random.below(10);
	if (mine === undefined || kind === 0) {
		await createChat(turnId);
	} else if (kind === 1) {
		await library.rename(mine, turnId);
		report({ type: "title", chat: mine, title: turnId });
	} else if (kind === 2) {
		const isPinned = random.below(2) === 0;
		await library.setPinned(mine, isPinned);
		report({ type: "pin", chat: mine, isPinned });
	} else if (kind === 3) {
		report({ type: "list", chats: (await library.list()).length });
	} else {
		const ids = (await library.list()).map(({ id }) => id).sort();
		await addTurn(random.pick(ids.slice(0, sharedChats)), turnId);
	}
}
library.dispose();
