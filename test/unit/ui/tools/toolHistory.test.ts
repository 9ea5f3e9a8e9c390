import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import type { WorkspacePaths } from "../../../../src/paths/resolveTarget.ts";
import { answerChanges } from "../../../../src/tools/undo/undoAnswer.ts";
import { ToolCardStore } from "../../../../src/ui/tools/toolCardStore.ts";
import { plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import { allow } from "../../../helpers/toolBench.ts";
import { calling, makeToolChat, saying, type ToolChat } from "../../../helpers/toolChat.ts";

interface Item {
	readonly label: string;
	readonly description: string;
}

const showQuickPick = vi.fn((items: readonly Item[]) => Promise.resolve(items[0]));
const showTextDocument = vi.fn((_: unknown) => Promise.resolve());
vi.mock("vscode", () => ({
	Uri: { file: (path: string) => ({ path }) },
	ThemeIcon: vi.fn(),
	window: { showQuickPick, showTextDocument },
}));
const { ToolHistory } = await import("../../../../src/ui/tools/toolHistory.ts");

const edit = { files: [{ path: "a.txt", edits: [{ find: "one", replace: "two" }] }] };

async function makeChat(): Promise<ToolChat> {
	const chat = await makeToolChat([calling(["c1", "apply_edit", edit]), saying("Done.")]);
	chat.bench.put("ws/a.txt", "one\n");
	chat.bench.decide = allow;
	return chat;
}

/** A call that took effect, or not, and whose result was lost. */
async function loseResult(chat: ToolChat, isMade: boolean): Promise<void> {
	const change = chat.bench.editor.change;
	chat.bench.editor.change = async changes => {
		if (isMade) {
			await change(changes);
		}
		void chat.session.close();
		return new Promise(() => undefined);
	};
	await chat.session.send("Go", plainOptions);
	await waitUntil(() => !chat.session.isBusy);
	chat.bench.editor.change = change;
}

/** The history of the chat as the next start finds it. */
async function reopen(chat: ToolChat) {
	const { id, turns } = await chat.reopen();
	const { bench } = chat;
	const cards = new ToolCardStore(new ToolRegistry(), () =>
		Promise.resolve({ dispose: () => undefined }),
	);
	bench.journal.onDidChange(change => cards.noteChange(change));
	const compare = vi.fn((..._: readonly unknown[]) => Promise.resolve());
	const history = new ToolHistory({
		journal: bench.journal,
		cards,
		editor: bench.editor,
		paths: () => ({ roots: bench.roots, platform: "linux" }),
		previews: { compare },
		log: silentLog,
	});
	await history.recall(id, turns);
	const [turn] = turns;
	return {
		history,
		compare,
		place: { turnId: turn?.id ?? "", cardId: "c1" },
		card: () => (turn ? cards.cardsOf(turn)[0] : undefined),
		file: join(bench.workspace, "a.txt"),
	};
}

const interrupted =
	"This call was interrupted and may have had an effect. Check before you repeat it.";

test("U18: a call that was interrupted says so, and is undone if its files show that it was made", async () => {
	const chat = await makeChat();
	await loseResult(chat, true);
	const { card, history, place, file } = await reopen(chat);
	expect(card()).toMatchObject({
		state: "stopped",
		note: interrupted,
		change: "applied",
	});
	await history.undo(place);
	expect(readFileSync(file, "utf8")).toBe("one\n");
	expect(card()?.change).toBe("undone");
	await expect(history.undo(place)).rejects.toThrow("nothing to undo");
});

test("U18: a call that was interrupted has no Undo if its files don't show that it was made", async () => {
	const chat = await makeChat();
	await loseResult(chat, false);
	const { card } = await reopen(chat);
	expect(card()).toMatchObject({ state: "stopped", note: interrupted });
	expect(card()?.change).toBeUndefined();
});

test("U18: a change of two files that was cut off is undone where it was made", async () => {
	const edits = [{ find: "one", replace: "two" }];
	const files = [
		{ path: "a.txt", edits },
		{ path: "b.txt", edits },
	];
	const chat = await makeToolChat([calling(["c1", "apply_edit", { files }])]);
	const [a, b] = [chat.bench.put("ws/a.txt", "one\n"), chat.bench.put("ws/b.txt", "one\n")];
	chat.bench.decide = allow;
	const { change } = chat.bench.editor;
	chat.bench.editor.change = async changes => {
		await change(changes.slice(0, 1));
		void chat.session.close();
		return new Promise(() => undefined);
	};
	await chat.session.send("Go", plainOptions);
	await waitUntil(() => !chat.session.isBusy);
	chat.bench.editor.change = change;
	const { card, history, place } = await reopen(chat);
	expect(card()).toMatchObject({
		note: interrupted,
		change: "applied",
	});
	writeFileSync(b, "mine\n");
	await history.undo(place);
	expect([a, b].map(path => readFileSync(path, "utf8"))).toEqual(["one\n", "mine\n"]);
});

test("U18: an undo of an answer that was cut off counts for the files that it reached, and the others can still be undone", async () => {
	const edits = [{ find: "one", replace: "two" }];
	const files = ["a.txt", "b.txt"].map(path => ({ path, edits }));
	const chat = await makeToolChat([calling(["c1", "apply_edit", { files }]), saying("Done.")]);
	const { bench, session } = chat;
	const [a, b] = [bench.put("ws/a.txt", "one\n"), bench.put("ws/b.txt", "one\n")];
	bench.decide = allow;
	await chat.ask();
	const turnId = session.turns[0]?.id ?? "";
	const paths = (): WorkspacePaths => ({ roots: bench.roots, platform: "linux" });
	const chatId = session.id;
	const left = async () =>
		(
			await answerChanges(
				bench.journal,
				{ chatId, turnIds: [turnId] },
				{ editor: bench.editor, paths },
			)
		).ready;
	const undoes = { callId: `${turnId}:1:1:c1`, index: 0 };
	expect((await bench.journal.list(chatId)).map(({ callId }) => callId)).toEqual([undoes.callId]);
	const changes = (await left()).flatMap(file => file.changes);
	const both = changes.map((change, index) => ({ ...change, undoes: [{ ...undoes, index }] }));
	await bench.journal.begin({ callId: `${turnId}:1:1:undo`, chatId }, both);
	await bench.editor.change(both.slice(0, 1));
	await reopen(chat);
	expect([a, b].map(path => readFileSync(path, "utf8"))).toEqual(["one\n", "two\n"]);
	expect((await left()).map(({ file }) => file.label)).toEqual(["b.txt"]);
});

test("U17: a call that waited for its approval was not run, and says so", async () => {
	const chat = await makeChat();
	chat.bench.decide = () => new Promise(() => undefined);
	await chat.session.send("Go", plainOptions);
	await waitUntil(() => chat.bench.asked.length === 1);
	const { card } = await reopen(chat);
	expect(card()?.note).toBe("VS Code restarted before you approved this.");
});

test("a change in effect is shown with its Undo, and an undone one as such", async () => {
	const chat = await makeChat();
	await chat.ask();
	const first = await reopen(chat);
	const counts = { added: 1, removed: 1 };
	expect(first.card()).toMatchObject({ state: "done", change: "applied", counts });
	expect(await first.history.hasChangedFiles()).toBe(true);
	await first.history.undo(first.place);
	expect(await first.history.hasChangedFiles()).toBe(false);
	expect((await reopen(chat)).card()).toMatchObject({ state: "done", change: "undone" });
});

test("nothing is taken back from a file that moved on; the diff is shown instead", async () => {
	const chat = await makeChat();
	await chat.ask();
	const { history, place, file, compare } = await reopen(chat);
	writeFileSync(file, "three\n");
	await expect(history.undo(place)).rejects.toThrow("Nothing was undone: a.txt was changed");
	expect(compare).toHaveBeenCalledWith("a.txt", "one\n", file, "a.txt (before ↔ now)");
	expect(readFileSync(file, "utf8")).toBe("three\n");
});

test("the changed files are offered, and the chosen one is shown against its text before the chat", async () => {
	const chat = await makeChat();
	await chat.ask();
	const { history, compare, file } = await reopen(chat);
	await history.showChangedFiles();
	expect(showQuickPick.mock.lastCall?.[0]).toMatchObject([
		{ label: "a.txt", description: "edited, 1 change" },
	]);
	expect(compare).toHaveBeenCalledWith("a.txt", "one\n", file, "a.txt (before this chat ↔ now)");
});

test("a journal that cannot be read takes no card away", async () => {
	const chat = await makeChat();
	await chat.ask();
	chat.bench.journal.list = () => Promise.reject(new Error("no disk"));
	expect((await reopen(chat)).card()).toMatchObject({ state: "done" });
});
