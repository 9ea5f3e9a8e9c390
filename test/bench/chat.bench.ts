/** What a conversation costs beyond its network: the turns in memory, the log on disk, opening and listing chats. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatSession } from "../../src/chat/chatSession.ts";
import { ChatLibrary } from "../../src/chat/library/chatLibrary.ts";
import { ChatStore } from "../../src/chat/store/chatStore.ts";
import { applyEvent, startTurn, type TurnOptions } from "../../src/chat/contract/turn.ts";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import type { ChatEvent, ServiceClient } from "../../src/client/contract/serviceClient.ts";
import { createScriptedClient } from "../helpers/scriptedClient.ts";

const options: TurnOptions = { model: "llm-4-turbo", serverTools: [], parameters: {} };
const delta = "word";

/** Prints the figures. */
export async function run(): Promise<void> {
	await warmUp();
	printReducer();
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	try {
		await printStreaming(folder);
		await printManyChats(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function* eventsOf(bytes: number): Generator<ChatEvent, void, undefined> {
	yield { type: "message-start", index: 0, role: "assistant" };
	for (let sent = 0; sent < bytes; sent += delta.length) {
		yield { type: "text-delta", index: 0, text: delta };
	}
	yield {
		type: "message-end",
		index: 0,
		message: { role: "assistant", content: delta.repeat(bytes / delta.length) },
		isClosed: true,
		unreadableFrames: 0,
		hasReplacedBytes: false,
	};
	yield { type: "stream-end", isStreamed: true };
}

/** A client that answers as fast as it is read, a chunk's worth of events per turn of the event loop. */
function clientOf(bytes: number): ServiceClient {
	return {
		...createScriptedClient(),
		streamChat: async function* () {
			let count = 0;
			for (const event of eventsOf(bytes)) {
				yield event;
				count += 1;
				if (count % 600 === 0) {
					await new Promise(resolve => setImmediate(resolve));
				}
			}
		},
	};
}

async function warmUp(): Promise<void> {
	reduce(500_000);
	for await (const event of clientOf(500_000).streamChat({ model: "", messages: [] })) {
		event satisfies ChatEvent;
	}
}

/** Milliseconds to build a turn of so many bytes. */
function reduce(bytes: number): number {
	const start = performance.now();
	let turn = startTurn({ id: "t", prompt: "?", createdAt: 0, options });
	for (const event of eventsOf(bytes)) {
		turn = applyEvent(turn, event);
	}
	return performance.now() - start;
}

function printReducer(): void {
	const [small, large] = [50_000, 500_000].map(bytes => {
		const times = Array.from({ length: 15 }, () => reduce(bytes));
		return Math.min(...times) / (bytes / 1000);
	});
	print("turn, 4-character deltas, 50 KB", `${micro(small)} µs/KB`);
	print("turn, 4-character deltas, 500 KB", `${micro(large)} µs/KB`);
	print("  the same as a factor (target at most 1.5)", ((large ?? 0) / (small ?? 1)).toFixed(2));
}

async function printStreaming(folder: string): Promise<void> {
	for (const bytes of [50_000, 500_000]) {
		const bare = await time(async () => {
			let text = "";
			for await (const event of clientOf(bytes).streamChat({ model: "", messages: [] })) {
				text += event.type === "text-delta" ? event.text : "";
			}
			return text;
		});
		const store = new ChatStore({ folder: join(folder, "stream"), clock: systemClock });
		const client = clientOf(bytes);
		const session = new ChatSession({ client, store, clock: systemClock, log: silentLog });
		const ended = new Promise<void>(resolve => {
			session.onDidChange(change => change.type === "turn-progress" && resolve());
		});
		const saved = await time(() => session.send("?", options));
		const streamed = await time(() => ended);
		await session.close();
		const { size } = await stat(join(folder, "stream", `${session.id}.jsonl`));
		print(`session with log on disk, ${bytes / 1000} KB`, `${streamed.toFixed(1)} ms`);
		print("  reading the same events alone", `${bare.toFixed(1)} ms`);
		print("  bytes in the log per byte of text", (size / bytes).toFixed(3));
		print("  the question on the medium", `${saved.toFixed(1)} ms`);
	}
}

async function printManyChats(folder: string): Promise<void> {
	const path = join(folder, "many");
	const store = new ChatStore({ folder: path, clock: systemClock });
	let id = "";
	for (let chat = 0; chat < 1000; chat += 1) {
		const { writer, ...created } = store.create();
		id = created.id;
		const turns = chat === 999 ? 500 : 3;
		await writer.append(
			[
				{ type: "chat-created", at: 0, id },
				{ type: "title", at: 0, title: "Chat" },
			],
			false,
		);
		for (let turn = 1; turn <= turns; turn += 1) {
			await writer.append(
				[
					{
						type: "turn-started",
						at: 0,
						turn,
						id: `t${turn}`,
						prompt: "Why?",
						options: { model: options.model, serverTools: [], parameters: {} },
					},
					{ type: "text", turn, index: 0, role: "assistant", text: "word ".repeat(800) },
					{ type: "turn-ended", at: 0, turn, progress: { state: "stopped" } },
				],
				false,
			);
		}
		await writer.close();
	}
	const list = async (): Promise<void> => {
		const library = new ChatLibrary({ folder: path, clock: systemClock });
		await library.list();
		library.dispose();
	};
	print("list of 1,000 chats from their logs", `${(await time(list)).toFixed(1)} ms`);
	print("list of 1,000 chats with an index", `${(await time(list)).toFixed(1)} ms`);
	const opening = await time(async () => {
		const opened = await store.open(id);
		await (opened.type === "opened" && opened.chat.writer.close());
	});
	print("opening a chat of 500 turns, 2 MB", `${opening.toFixed(1)} ms`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

function micro(milliseconds: number | undefined): string {
	return ((milliseconds ?? 0) * 1000).toFixed(1);
}

function print(name: string, figure: string): void {
	process.stdout.write(`${name.padEnd(52)} ${figure.padStart(12)}\n`);
}
