import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ChatSession } from "../../../../src/chat/chatSession.ts";
import { ChatStore, type StoredChat } from "../../../../src/chat/store/chatStore.ts";
import { type FileSystem, nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import type { TurnOptions } from "../../../../src/chat/contract/turn.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { TurnAttachment } from "../../../../src/attachments/contract/turnAttachment.ts";
import type { ChatAttachments } from "../../../../src/ui/attachments/chatAttachments.ts";
import type {
	ChatQueue as Queue,
	ChatQueueDependencies,
} from "../../../../src/ui/chat/chatQueue.ts";
import type { QuestionSettings } from "../../../../src/ui/chat/questionSettings.ts";
import { openForTest, plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import { clientOf } from "../../../helpers/clientHarness.ts";
import { chunk, content, start, streamHead } from "../../../helpers/httpScripts.ts";
import { reset, type Script, stall, startScriptedServer } from "../../../helpers/scriptedServer.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { saying } from "../../../helpers/toolChat.ts";

vi.mock("vscode", () => ({}));
const { ChatQueue } = await import("../../../../src/ui/chat/chatQueue.ts");
const { ChatQuestions } = await import("../../../../src/ui/chat/chatQuestions.ts");

/** An answer that is cut off in the middle of its second word. */
const cut: Script = {
	steps: [streamHead(), chunk(`data: ${start}\n\n`), chunk(`data: ${content("Half")}\n\n`), reset],
};

/** A window with a chat in it: a real store, a real client, and a service that answers by script. */
async function openWindow(
	place: {
		readonly folder: string;
		readonly url: string;
		readonly chatState?: ChatQueueDependencies["chatState"];
	},
	{ chat, files }: { chat?: StoredChat; files?: FileSystem } = {},
) {
	const store = new ChatStore({
		folder: place.folder,
		clock: systemClock,
		...(files ? { files } : {}),
	});
	const session = new ChatSession({
		client: clientOf(place.url),
		store,
		clock: systemClock,
		log: silentLog,
		...(chat ? { chat } : {}),
	});
	onTestFinished(() => session.close().catch(() => undefined));
	const tray = {
		isSending: false,
		names: [] as string[],
		going: [] as string[],
		reading: [] as string[],
	};
	const sent = (name: string): TurnAttachment => ({
		kind: "text",
		name,
		path: name,
		text: name,
		size: 1,
		hash: name,
		omittedCharacters: 0,
	});
	const attachments = {
		view: () => ({ items: tray.names.map(id => ({ id })), isSending: tray.isSending }),
		prepare: () => {
			tray.names.push(...tray.reading.splice(0));
			return Promise.resolve(tray.names.map(sent));
		},
		whileSending: async (step: () => Promise<unknown>) => {
			tray.isSending = true;
			return await step().finally(() => (tray.isSending = false));
		},
		renew: (all: readonly TurnAttachment[]) => Promise.resolve(all),
		clear: () => tray.names.splice(0),
		get going() {
			return tray.going;
		},
		get isReading() {
			return tray.reading.length > 0;
		},
	} as unknown as ChatAttachments;
	const chosen: { now: TurnOptions } = { now: plainOptions };
	const options = {
		settled: () => Promise.resolve(chosen.now),
	} as unknown as QuestionSettings;
	const questions = new ChatQuestions({
		session: () => session,
		isLocal: () => true,
		attachments,
		options,
		onSent: () => undefined,
		onNotAsked: () => queue.questionFailed(),
		onEdit: () => undefined,
	});
	const kept: string[] = [];
	const service = { now: "local" };
	const queue = new ChatQueue({
		service: () => service.now,
		questions,
		attachments,
		options,
		chatState: place.chatState ?? {
			sharing: { isReading: false },
			metadata: { banner: undefined },
		},
		currentChat: { set: id => kept.push(id) },
		log: silentLog,
	});
	onTestFinished(() => queue.dispose());
	queue.follow(session, chat);
	return { store, session, queue, questions, tray, chosen, kept, service };
}

async function setUp(scripts: readonly Script[], files?: FileSystem) {
	const server = await startScriptedServer(scripts);
	onTestFinished(() => server.close());
	const folder = join(await makeTempFolder(), "chats");
	const place = { folder, url: server.url };
	const window = await openWindow(place, files ? { files } : {});
	const pathOf = (): string => join(folder, `${window.session.id}.queue`);
	return { ...window, server, place, pathOf };
}

const prompts = ({ turns }: ChatSession): string[] => turns.map(({ prompt }) => prompt);
const waiting = (queue: Queue): string[] => queue.view().items.map(({ text }) => text);
const isThere = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);

/** Waits until nothing runs, and nothing that waits is about to. */
async function settled({ session, queue }: { session: ChatSession; queue: Queue }): Promise<void> {
	await waitUntil(() => {
		const { items, paused } = queue.view();
		const isOver = !session.isBusy && session.turns.at(-1)?.progress.state !== "streaming";
		return isOver && (items.length === 0 || (paused !== null && !items[0]?.isSending));
	});
}

test("a complete answer sends the next message, one at a time and in order, and each once", async () => {
	const { session, queue, questions, server, pathOf } = await setUp([saying("Yes.")]);
	await questions.send("First");
	await queue.add("Second");
	await queue.add("Third");
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second", "Third"]);
	expect(server.requests).toHaveLength(3);
	expect(session.turns.map(({ progress }) => progress.state)).toEqual(Array(3).fill("complete"));
	await waitUntil(() => queue.view().items.length === 0);
	await vi.waitFor(async () => expect(await isThere(pathOf())).toBe(false));
});

test("a stopped answer pauses the queue, and nothing goes out before a user says so", async () => {
	const { session, queue, questions, server, pathOf } = await setUp([
		{ steps: [streamHead(), chunk(`data: ${start}\n\n`), stall] },
		saying("Yes."),
	]);
	await questions.send("First");
	await queue.add("Second");
	expect(await readFile(pathOf(), "utf8")).toContain("Second");
	await waitUntil(() => server.requests.length === 1);
	session.stop();
	await settled({ session, queue });
	expect(queue.view()).toMatchObject({
		items: [{ text: "Second", isSending: false }],
		paused: "Paused: the answer was stopped.",
	});
	await queue.add("Third");
	expect(server.requests).toHaveLength(1);
	await queue.resume();
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second", "Third"]);
	expect(server.requests).toHaveLength(3);
});

test("a user has the first message asked in place of the rest of an answer, and what waits behind it goes on", async () => {
	const { session, queue, questions, server } = await setUp([
		{ steps: [streamHead(), chunk(`data: ${start}\n\n`), stall] },
		saying("Yes."),
	]);
	await questions.send("First");
	await queue.add("Second");
	await queue.add("Third");
	await waitUntil(() => server.requests.length === 1);
	await queue.sendNow(() => session.stop());
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second", "Third"]);
	expect(session.turns[0]?.progress.state).toBe("stopped");
	expect(server.requests).toHaveLength(3);
});

test("an answer that is cut off pauses the queue, also when the message comes right after it", async () => {
	const { session, queue, questions, server } = await setUp([cut, cut]);
	await questions.send("First");
	await queue.add("Second");
	await settled({ session, queue });
	expect(queue.view().paused).toBe("Paused: the last message has no complete answer.");
	await queue.remove(queue.view().items[0]?.id ?? "");
	expect(queue.view()).toMatchObject({ items: [], paused: null, removed: "Second" });
	await queue.add("Late");
	expect(queue.view().paused).not.toBeNull();
	expect(server.requests).toHaveLength(1);
});

test("a message that is added after a complete answer goes out at once", async () => {
	const { session, queue, questions } = await setUp([saying("Yes.")]);
	await questions.send("First");
	await waitUntil(() => !session.isBusy);
	await queue.add("Second");
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second"]);
});

test("a message is asked with what was chosen when it was written", async () => {
	const { session, queue, questions, chosen, tray } = await setUp([saying("Yes.")]);
	await questions.send("First");
	tray.names = ["notes.md"];
	chosen.now = { ...plainOptions, model: "llm-3.5-turbo-tools" };
	const adding = queue.add("Second");
	chosen.now = plainOptions;
	await adding;
	expect(tray.names).toEqual([]);
	await settled({ session, queue });
	expect(session.turns[1]?.options.model).toBe("llm-3.5-turbo-tools");
	expect(session.turns[1]?.attachments).toMatchObject([{ name: "notes.md" }]);
});

test("a message with files counts as being sent until it waits in the queue", async () => {
	const { session, queue, questions, tray } = await setUp([saying("Yes.")]);
	await questions.send("First");
	const shown: [number, boolean][] = [];
	queue.onDidChange(({ items }) => shown.push([items.length, tray.isSending]));
	tray.names = ["notes.md"];
	await queue.add("Second");
	expect(shown[0]).toEqual([1, true]);
	expect(tray.isSending).toBe(false);
	await settled({ session, queue });
});

test("files that are on their way with another question do not go along, and others keep the words back", async () => {
	const { session, queue, questions, tray } = await setUp([saying("Yes.")]);
	await questions.send("First");
	Object.assign(tray, { isSending: true, names: ["a"], going: ["a"] });
	await queue.add("Second");
	tray.names = ["a", "b"];
	await expect(queue.add("Third")).rejects.toThrow("still uploading");
	await settled({ session, queue });
	expect(session.turns[1]?.attachments).toEqual([]);
});

test("a message that is queued while its folder is being read gets the folder", async () => {
	const { session, queue, questions, tray } = await setUp([saying("Yes.")]);
	await questions.send("First");
	tray.reading.push("notes.md");
	await queue.add("Second");
	await settled({ session, queue });
	expect(session.turns[1]?.attachments).toMatchObject([{ name: "notes.md" }]);
});

test("what waits is there after a reload, paused, and is never sent by itself", async () => {
	const hanging: Script = { steps: [streamHead(), chunk(`data: ${start}\n\n`), stall] };
	const { session, queue, questions, server, place } = await setUp([hanging, saying("Yes.")]);
	await questions.send("First");
	await queue.add("Second");
	await queue.add("Third");
	await queue.move(queue.view().items[1]?.id ?? "", -1);
	queue.dispose();
	await session.close();
	const store = new ChatStore({ folder: place.folder, clock: systemClock });
	const next = await openWindow(place, { chat: await openForTest(store, session.id) });
	await waitUntil(() => next.queue.view().items.length > 0);
	expect(waiting(next.queue)).toEqual(["Third", "Second"]);
	expect(next.queue.view().paused).toBe("Paused. These messages are from an earlier session.");
	await new Promise(resolve => setTimeout(resolve, 50));
	expect(server.requests).toHaveLength(1);
	await next.queue.resume();
	await settled(next);
	expect(prompts(next.session)).toEqual(["First", "Third", "Second"]);
	expect(server.requests).toHaveLength(3);
});

test("a crash between a question's record and the queue's file does not ask it again", async () => {
	const { session, queue, questions, server, place, pathOf } = await setUp([saying("Yes.")]);
	await questions.send("First");
	await queue.add("Second");
	const before = await readFile(pathOf(), "utf8");
	await settled({ session, queue });
	queue.dispose();
	await session.close();
	await writeFile(pathOf(), before);
	const store = new ChatStore({ folder: place.folder, clock: systemClock });
	const next = await openWindow(place, { chat: await openForTest(store, session.id) });
	await next.queue.resume();
	expect(waiting(next.queue)).toEqual([]);
	expect(server.requests).toHaveLength(2);
});

test("a message that is being changed is not sent under a user's hands", async () => {
	const held = Promise.withResolvers<void>();
	const [head, ...rest] = saying("Yes.").steps;
	const first: Script = { steps: [...(head ? [head] : []), () => held.promise, ...rest] };
	const { session, queue, questions, server } = await setUp([first, saying("Yes.")]);
	await questions.send("First");
	await queue.add("Second");
	const id = queue.view().items[0]?.id ?? "";
	await queue.hold(id);
	held.resolve();
	await waitUntil(() => !session.isBusy);
	expect(server.requests).toHaveLength(1);
	await queue.edit(id, "Better");
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Better"]);
});

test("L6: a full disk is told, and neither takes nor changes a message", async () => {
	let isFull = false;
	const files: FileSystem = {
		...nodeFileSystem,
		replace: (path, text) =>
			isFull && path.endsWith(".queue")
				? Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }))
				: nodeFileSystem.replace(path, text),
	};
	const hanging: Script = { steps: [streamHead(), stall] };
	const { session, queue, questions } = await setUp([hanging], files);
	await questions.send("First");
	await queue.add("Second");
	isFull = true;
	await expect(queue.add("Third")).rejects.toThrow("the disk is full");
	await expect(queue.edit(queue.view().items[0]?.id ?? "", "Other")).rejects.toThrow("unchanged");
	expect(waiting(queue)).toEqual(["Second"]);
	session.stop();
});

test("a message whose question cannot be saved is not sent, stays and says why", async () => {
	let isFull = false;
	const files: FileSystem = {
		...nodeFileSystem,
		open: async path => {
			const file = await nodeFileSystem.open(path);
			return {
				...file,
				append: bytes =>
					isFull
						? Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }))
						: file.append(bytes),
			};
		},
	};
	const { session, queue, questions, server } = await setUp([saying("Yes.")], files);
	await questions.send("First");
	await waitUntil(() => !session.isBusy);
	isFull = true;
	await queue.add("Second");
	await settled({ session, queue });
	expect(queue.view()).toMatchObject({ items: [{ text: "Second", isSending: false }] });
	expect(queue.view().paused).toContain("the disk is full");
	expect(server.requests).toHaveLength(1);
	isFull = false;
	await queue.resume();
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second"]);
});

test("L5: a window that lost the chat to another one neither sends nor keeps anything in it", async () => {
	const hanging: Script = { steps: [streamHead(), stall] };
	const { session, queue, questions, place, pathOf } = await setUp([hanging]);
	await questions.send("First");
	await queue.add("Second");
	const before = await readFile(pathOf(), "utf8");
	await writeFile(
		join(place.folder, `${session.id}.lock`),
		JSON.stringify({ pid: process.pid, host: "another", session: "another" }),
	);
	await expect(queue.add("Third")).rejects.toThrow("In use in another window");
	expect(await readFile(pathOf(), "utf8")).toBe(before);
	session.stop();
});

test("a file that cannot be read is kept as it was found, and the chat goes on without it", async () => {
	const { session, queue, questions, place, pathOf } = await setUp([saying("Yes.")]);
	await questions.send("First");
	await waitUntil(() => !session.isBusy);
	queue.dispose();
	await session.close();
	await writeFile(pathOf(), '{"v":1,"sum":"00000000","items":["lost?"]}\n');
	const store = new ChatStore({ folder: place.folder, clock: systemClock });
	const next = await openWindow(place, { chat: await openForTest(store, session.id) });
	await next.queue.add("Second");
	await settled(next);
	expect(prompts(next.session)).toEqual(["First", "Second"]);
	expect(await readFile(`${pathOf()}.unreadable-1`, "utf8")).toContain("lost?");
});

test("messages behind a question that was not asked wait for a user, and are found under the same id", async () => {
	const { session, queue, questions, place, kept, server } = await setUp([saying("Yes.")]);
	const failing = questions.send("First");
	session.stop();
	await failing;
	await waitUntil(() => !session.isBusy);
	const other = await openWindow(place);
	await other.queue.add("Alone");
	expect(other.queue.view().paused).toBe("Paused: the previous message wasn't sent.");
	expect(() => other.queue.requireReachable(other.session)).toThrow("Send or remove them first");
	expect(() => queue.requireReachable(session)).not.toThrow();
	other.queue.dispose();
	expect(
		await new ChatStore({ ...place, clock: systemClock }).openQueuedOnly(other.session.id),
	).toBe(undefined);
	await other.session.close();
	const chat = await new ChatStore({ ...place, clock: systemClock }).openQueuedOnly(
		other.session.id,
	);
	const again = await openWindow(place, chat ? { chat } : {});
	expect(again.session.id).toBe(other.session.id);
	expect(await new ChatStore({ ...place, clock: systemClock }).openQueuedOnly("none")).toBe(
		undefined,
	);
	await waitUntil(() => again.queue.view().items.length > 0);
	const count = server.requests.length;
	await again.queue.resume();
	await settled(again);
	expect(prompts(again.session)).toEqual(["Alone"]);
	expect(server.requests).toHaveLength(count + 1);
	expect(kept).toEqual([]);
});

test("what waits stays with its chat while another one is shown, and is paused when it is shown again", async () => {
	const hanging: Script = { steps: [streamHead(), stall] };
	const { session, store, queue, questions, place, server } = await setUp([hanging]);
	await questions.send("First");
	await queue.add("Second");
	const other = await openWindow(place);
	queue.follow(other.session, undefined);
	expect(queue.view().items).toEqual([]);
	await session.close();
	queue.follow(session, await openForTest(store, session.id));
	await waitUntil(() => queue.view().items.length > 0);
	expect(queue.view()).toMatchObject({ items: [{ text: "Second" }] });
	expect(queue.view().paused).not.toBeNull();
	expect(server.requests).toHaveLength(1);
});

test("what was written for one service goes to no other before the user says so", async () => {
	const late = Promise.withResolvers<void>();
	const answer = saying("Yes.");
	const { session, queue, questions, service, server } = await setUp([
		{ ...answer, steps: [() => late.promise, ...answer.steps] },
		answer,
	]);
	await questions.send("First");
	await queue.add("Second");
	await queue.add("Third");
	service.now = "https://example.com";
	late.resolve();
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First"]);
	expect(waiting(queue)).toEqual(["Second", "Third"]);
	expect(queue.view().paused).toBe("Paused: another service answers now.");
	expect(server.requests).toHaveLength(1);
	await queue.resume();
	await waitUntil(() => prompts(session).length === 3);
	expect(prompts(session)).toEqual(["First", "Second", "Third"]);
});

test("in a deleted chat nothing goes out by itself, and a window that only reads shows nothing", async () => {
	const chatState = {
		sharing: { isReading: false },
		metadata: { banner: "deleted" as string | undefined },
	};
	const { place } = await setUp([saying("Yes.")]);
	const { session, queue, questions } = await openWindow({ ...place, chatState });
	await questions.send("First");
	await queue.add("Second");
	await settled({ session, queue });
	expect(queue.view().paused).toBe("Paused: this chat was deleted.");
	await queue.resume();
	await settled({ session, queue });
	expect(prompts(session)).toEqual(["First", "Second"]);
	chatState.sharing.isReading = true;
	expect(queue.view().items).toEqual([]);
	await expect(queue.add("Third")).rejects.toThrow();
});
