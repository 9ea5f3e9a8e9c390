import { onTestFinished } from "vitest";
import { ChatSession, type ChatSessionChange } from "../../src/chat/chatSession.ts";
import { ChatStore, type StoredChat } from "../../src/chat/store/chatStore.ts";
import type { FileSystem } from "../../src/storage/fileSystem.ts";
import type { TurnOptions } from "../../src/chat/contract/turn.ts";
import { silentLog } from "../../src/common/log.ts";
import { createFakeClock, type FakeClock } from "./fakeClock.ts";
import { createScriptedClient, type ScriptedCall, type ScriptedClient } from "./scriptedClient.ts";
import { makeTempFolder } from "./tempFolder.ts";

/** What a question is asked with where a test does not care. */
export const plainOptions: TurnOptions = {
	model: "llm-4-turbo-tools",
	serverTools: [],
	parameters: {},
};

/** A session on a real folder, a clock that is stopped and a client that the test answers for. */
export interface ChatBench {
	readonly folder: string;
	readonly clock: FakeClock;
	readonly store: ChatStore;
	readonly client: ScriptedClient;
	readonly session: ChatSession;
	/** Everything the session reported, in order. */
	readonly changes: readonly ChatSessionChange[];
	/** Waits until nothing runs and returns the last turn's state. */
	ended(): Promise<string | undefined>;
	/** Asks a question and returns the request it led to. */
	ask(prompt: string): Promise<ScriptedCall>;
	/** The chat as another start of the editor finds it, once this session is closed. */
	reopen(): Promise<StoredChat>;
}

/** What a bench may be given instead of its own. */
export interface ChatBenchOptions {
	readonly files?: FileSystem;
	readonly onCall?: (call: ScriptedCall) => void;
}

/** Makes a bench; everything it holds is let go of when the test is over. */
export async function makeChatBench({ files, onCall }: ChatBenchOptions = {}): Promise<ChatBench> {
	const folder = await makeTempFolder();
	const clock = createFakeClock();
	const store = new ChatStore({ folder, clock, ...(files ? { files } : {}) });
	const client = createScriptedClient(onCall);
	const session = new ChatSession({ client, store, clock, log: silentLog });
	const changes: ChatSessionChange[] = [];
	session.onDidChange(change => changes.push(change));
	onTestFinished(() => session.close().catch(() => undefined));
	return {
		folder,
		clock,
		store,
		client,
		session,
		changes,
		ended: async () => {
			await waitUntil(() => !session.isBusy);
			return session.turns.at(-1)?.progress.state;
		},
		ask: async prompt => {
			const count = client.calls.length;
			await session.send(prompt, plainOptions);
			return client.called(count + 1);
		},
		reopen: () => openForTest(new ChatStore({ folder, clock }), session.id),
	};
}

/** Opens a chat that must be there, and lets go of it when the test is over. */
export async function openForTest(store: ChatStore, id: string): Promise<StoredChat> {
	const opened = await store.open(id);
	if (opened.type !== "opened") {
		throw new Error(`The chat is ${opened.type}`);
	}
	onTestFinished(() => opened.chat.writer.close());
	return opened.chat;
}

/** Lets everything that is due happen until `condition` holds. */
export async function waitUntil(condition: () => boolean): Promise<void> {
	while (!condition()) {
		await new Promise(resolve => setImmediate(resolve));
	}
}
