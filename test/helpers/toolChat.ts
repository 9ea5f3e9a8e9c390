import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ChatSession, type ChatSessionChange } from "../../src/chat/chatSession.ts";
import { chatPaths } from "../../src/chat/log/chatPaths.ts";
import { ChatStore, type StoredChat } from "../../src/chat/store/chatStore.ts";
import type { FileSystem } from "../../src/storage/fileSystem.ts";
import type { ToolPauseReason } from "../../src/chat/toolLoop/toolLoop.ts";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { openForTest, plainOptions, waitUntil } from "./chatBench.ts";
import { clientOf } from "./clientHarness.ts";
import { start, streamed } from "./httpScripts.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "./scriptedServer.ts";
import { chatToolsOf, createToolBench, type ToolBench } from "./toolBench.ts";

/** A message as the service is sent it. */
export type SentMessage = Readonly<Record<string, unknown>>;

/** A chat with tools, on the real client, a real server with a scripted model in it, and real files. */
export interface ToolChat {
	readonly bench: ToolBench;
	readonly server: ScriptedServer;
	readonly session: ChatSession;
	readonly changes: readonly ChatSessionChange[];
	/** The service that the session takes as the connected one. */
	service: string;
	/** Asked whether to go on, and why. */
	readonly pauses: readonly ToolPauseReason[];
	/** What is answered then. */
	goesOn: boolean;
	/** Asks a question and waits for the end of its turn. */
	ask(prompt?: string): Promise<string | undefined>;
	/** The bodies of the requests, in order. */
	bodies(): readonly {
		readonly messages: readonly SentMessage[];
		readonly [name: string]: unknown;
	}[];
	/** The results in the last request, by the id of their call. */
	results(): Readonly<Record<string, string>>;
	/** Where the chat is kept. */
	readonly logPath: string;
	/** The chat as the next start finds it. */
	reopen(): Promise<StoredChat>;
}

/** One call as a frame holds it. */
export function callFrame(
	...calls: readonly (readonly [id: string, name: string, input: unknown])[]
): string {
	return JSON.stringify({
		tool_calls: calls.map(([id, name, input]) => ({
			id,
			type: "function",
			function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
		})),
	});
}

/** A streamed answer of one message that calls tools. */
export function calling(
	...calls: readonly (readonly [id: string, name: string, input: unknown])[]
): Script {
	return streamed(start, callFrame(...calls), "{}", "[DONE]", "[END]");
}

/** A streamed answer of one message of text, which ends the turn. */
export function saying(text: string): Script {
	return streamed(start, JSON.stringify({ content: text }), "{}", "[DONE]", "[END]");
}

/** Makes a chat whose model answers with `scripts`, one per request, the last for all that follow. */
export async function makeToolChat(
	scripts: readonly Script[],
	options: { readonly files?: FileSystem } = {},
): Promise<ToolChat> {
	const bench = await createToolBench();
	const server = await startScriptedServer(scripts);
	onTestFinished(() => server.close());
	const folder = join(bench.base, "chats");
	const store = new ChatStore({ folder, clock: systemClock, ...options });
	const pauses: ToolPauseReason[] = [];
	const session = new ChatSession({
		client: clientOf(server.url),
		store,
		clock: systemClock,
		log: silentLog,
		tools: {
			...chatToolsOf(bench.gate),
			service: () => chat.service,
			mayContinue: reason => {
				pauses.push(reason);
				return Promise.resolve(chat.goesOn);
			},
		},
	});
	onTestFinished(() => session.close().catch(() => undefined));
	const changes: ChatSessionChange[] = [];
	session.onDidChange(change => changes.push(change));
	const chat: ToolChat = {
		bench,
		server,
		session,
		changes,
		pauses,
		service: "",
		goesOn: false,
		ask: async (prompt = "Go") => {
			await session.send(prompt, plainOptions);
			await waitUntil(() => !session.isBusy);
			return session.turns.at(-1)?.progress.state;
		},
		bodies: () => server.requests.map(({ body }) => JSON.parse(body.toString("utf8"))),
		results: () =>
			Object.fromEntries(
				(chat.bodies().at(-1)?.messages ?? [])
					.filter(({ role }) => role === "tool")
					.map(message => [message["tool_call_id"], message["content"]]),
			),
		logPath: chatPaths(folder, session.id).logPath,
		reopen: async () => {
			await session.close();
			return openForTest(new ChatStore({ folder, clock: systemClock }), session.id);
		},
	};
	return chat;
}
