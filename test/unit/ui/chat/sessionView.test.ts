import { expect, test, vi } from "vitest";
import type { ChatSession, ChatSessionChange } from "../../../../src/chat/chatSession.ts";
import type { Turn } from "../../../../src/chat/turn/turn.ts";
import { Emitter } from "../../../../src/common/emitter.ts";
import type { SessionViewChange } from "../../../../src/ui/chat/sessionView.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

vi.mock("vscode", () => ({}));
const { SessionView } = await import("../../../../src/ui/chat/sessionView.ts");

const turn = (id: string): Turn => ({
	id,
	attachments: [],
	prompt: "Why?",
	createdAt: 0,
	options: { model: "m", serverTools: [], parameters: {} },
	attempt: 1,
	isStreamed: true,
	messages: [],
	progress: { state: "streaming" },
});

function setUp(turns: readonly Turn[] = []) {
	const steps = new Emitter<ChatSessionChange>();
	const seen: SessionViewChange[] = [];
	const session = { turns, onDidChange: steps.event } as Partial<ChatSession>;
	const view = new SessionView(
		session as ChatSession,
		createFakeClock(),
		() => false,
		change => seen.push(change),
	);
	const states = (turnId: string): (string | undefined)[] =>
		seen.flatMap(change =>
			change.type === "status" && change.turnId === turnId
				? [change.status.notice ?? change.status.state]
				: [],
		);
	return { steps, seen, view, states };
}

test("S21, S25: a turn stopped while it waited stays stopped when the next question is asked", () => {
	const { steps, states } = setUp();
	steps.fire({ type: "turn-added", turn: turn("one") });
	steps.fire({ type: "notice", turnId: "one", notice: { type: "silent" } });
	steps.fire({ type: "turn-progress", turnId: "one", progress: { state: "stopped" } });
	steps.fire({ type: "turn-added", turn: turn("two") });
	steps.fire({ type: "text", turnId: "two", index: 0, text: "Because" });
	expect(states("one")).toEqual(["Still waiting…", "stopped"]);
	expect(states("two")).toEqual([]);
});

test("what arrives takes a notice back, and the turn goes on streaming", () => {
	const { steps, states } = setUp();
	steps.fire({ type: "turn-added", turn: turn("one") });
	steps.fire({ type: "notice", turnId: "one", notice: { type: "silent" } });
	steps.fire({ type: "text", turnId: "one", index: 0, text: "Because" });
	expect(states("one")).toEqual(["Still waiting…", "streaming"]);
});

test("who answers is told with every attempt, and with the end of one", () => {
	const { steps, seen } = setUp([turn("one")]);
	steps.fire({ type: "answer-cleared", turnId: "one" });
	steps.fire({ type: "turn-progress", turnId: "one", progress: { state: "streaming" } });
	expect(seen.at(-1)).toMatchObject({ type: "status", answerer: { model: "m" } });
});

test("a change of the store redraws the banner", () => {
	const { steps, seen } = setUp();
	steps.fire({ type: "store-recovered" });
	expect(seen).toEqual([{ type: "banner" }]);
});

test("nothing is reported once the view is disposed", () => {
	const { steps, seen, view } = setUp();
	view.dispose();
	steps.fire({ type: "title", title: "T" });
	expect(seen).toEqual([]);
});
