import { expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import type { ChatChange, TurnView } from "../../../../src/shared/chat.ts";
import type { ToolCardView } from "../../../../src/shared/tools.ts";

const executeCommand = vi.fn((..._: readonly unknown[]) => Promise.resolve());
vi.mock("vscode", () => ({ commands: { executeCommand } }));
const { followAnswers, keepChatContexts } = await import("../../../../src/ui/app/chatContexts.ts");

const plain = { id: "c1", after: 0, title: "Edit a.txt", name: "apply_edit", argumentsText: "{}" };
const applied: ToolCardView = { ...plain, state: "done", change: "applied" };
const running: ToolCardView = { ...plain, state: "running" };
const changeBy = (card: ToolCardView): ChatChange => ({ type: "tool-card", turnId: "t", card });
const title: ChatChange = { type: "title", title: "Another" };

/** A chat whose changed files are looked for, each time with the answer the test gives. */
function makeChat() {
	executeCommand.mockClear();
	const changed = new Emitter<readonly ChatChange[]>();
	const asked: ((has: boolean) => void)[] = [];
	const shown = { turnCount: 0 };
	const around: { hasChangedFiles?: boolean } = {};
	const shownFiles: unknown[] = [];
	const settings = {
		environment: around as never,
		setEnvironment: (change: { readonly hasChangedFiles?: boolean | undefined }) => {
			Object.assign(around, change);
			shownFiles.push(change.hasChangedFiles);
		},
	};
	const subscription = keepChatContexts({
		settings,
		shown,
		onDidChange: changed.event,
		tools: {
			history: { hasChangedFiles: () => new Promise(resolve => asked.push(resolve)) },
		},
	});
	const told = (name: string): unknown[] =>
		executeCommand.mock.calls.filter(([, key]) => key === name).map(([, , value]) => value);
	const answer = async (index: number, has: boolean): Promise<void> => {
		asked[index]?.(has);
		await Promise.resolve();
	};
	const fire = (changes: readonly ChatChange[]): void => changed.fire(changes);
	return { fire, asked, shown, shownFiles, subscription, told, answer };
}

test("Changed files are offered once a tool changed one, until that is undone", async () => {
	const { fire, asked, shownFiles, answer, subscription } = makeChat();
	await answer(0, false);
	fire([title, changeBy(running)]);
	expect(asked).toHaveLength(1);
	fire([changeBy(applied)]);
	await answer(1, true);
	fire([changeBy({ ...applied, change: "undone" })]);
	await answer(2, false);
	expect(shownFiles).toEqual([true, false]);
	subscription.dispose();
	fire([changeBy(applied)]);
	expect(asked).toHaveLength(3);
});

test("What was asked of the chat before says nothing of the one that is shown", async () => {
	const { fire, shownFiles, answer } = makeChat();
	fire([changeBy(applied)]);
	await answer(1, false);
	await answer(0, true);
	expect(shownFiles).toEqual([]);
});

test("Commands about the chat are offered while it has messages, each state told once", () => {
	const { fire, shown, told } = makeChat();
	fire([title]);
	shown.turnCount = 1;
	const turn = { type: "turn-added" } as ChatChange;
	fire([turn]);
	fire([turn]);
	expect(told("cutaway.hasChat")).toEqual([false, true]);
});

function turnOf(id: string, kind?: "selection" | "data"): ChatChange {
	const file = { name: "a.ts", path: "", size: 1, use: "read" as const, isLost: false };
	const turn: TurnView = {
		id,
		prompt: "Explain",
		model: "llm-4-turbo",
		createdAt: 0,
		messages: [],
		videos: [],
		attachments: kind
			? [
					{
						...file,
						kind,
					},
				]
			: [],
		status: {
			state: "streaming",
			actions: [],
		},
	};
	return { type: "turn-added", turn };
}

function endOf(turnId: string, state: "complete" | "stopped"): ChatChange {
	return { type: "status", turnId, status: { state, actions: [] } };
}

test("a step about answers is done by a complete answer, not by a message that was sent or stopped", () => {
	const changed = new Emitter<readonly ChatChange[]>();
	let answers = 0;
	followAnswers(changed.event, () => (answers += 1));
	changed.fire([turnOf("1", "selection")]);
	changed.fire([endOf("1", "stopped")]);
	expect(answers).toBe(0);
	changed.fire([turnOf("2", "data"), endOf("2", "complete")]);
	expect(answers).toBe(0);
	changed.fire([turnOf("3", "selection")]);
	changed.fire([endOf("3", "complete")]);
	expect(answers).toBe(1);
});
