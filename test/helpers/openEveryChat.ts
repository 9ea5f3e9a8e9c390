import { readdir } from "node:fs/promises";
import { ChatStore } from "../../src/chat/store/chatStore.ts";
import type { Clock } from "../../src/common/async.ts";

/** Opens and closes every chat of a folder. Throws for one that can't be written. */
export async function openEveryChat(folder: string, clock: Clock): Promise<void> {
	const store = new ChatStore({ folder, clock });
	for (const name of (await readdir(folder)).filter(file => file.endsWith(".jsonl"))) {
		const opened = await store.open(name.slice(0, -".jsonl".length));
		if (opened.type !== "opened" || opened.chat.readOnly) {
			throw new Error(`${name} was not opened for writing.`);
		}
		await opened.chat.writer.close();
	}
}
