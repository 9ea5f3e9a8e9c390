import { expect, test, vi } from "vitest";
import type { ChatSession, ChatSessionChange } from "../../../../src/chat/chatSession.ts";
import type { Turn } from "../../../../src/chat/contract/turn.ts";
import { Emitter } from "../../../../src/common/disposable.ts";
import { type SessionViewChange, NoticeTicker } from "../../../../src/ui/chat/sessionView.ts";
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

test("a status without notes takes away the line about the model before", () => {
	const { steps, seen } = setUp([turn("one")]);
	steps.fire({ type: "turn-progress", turnId: "one", progress: { state: "streaming" } });
	expect(seen).toMatchObject([{ type: "status", notes: [] }]);
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

test("H8: the countdown is updated once a second until something else happens", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	await clock.advance(2000);
	ticker.clear();
	await clock.advance(5000);
	expect(shown).toEqual([
		"The service asks you to wait. Trying again in 3 s…",
		"The service asks you to wait. Trying again in 2 s…",
		"The service asks you to wait. Trying again in 1 s…",
		undefined,
	]);
	expect(clock.pending).toBe(0);
});

test("taking back a notice that does not stand says nothing", () => {
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(createFakeClock(), sentence => shown.push(sentence));
	ticker.clear();
	ticker.show({ type: "silent" });
	ticker.clear();
	ticker.clear();
	expect(shown).toEqual(["Still waiting…", undefined]);
});

test("a notice that was forgotten is not taken back later", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	ticker.forget();
	ticker.clear();
	await clock.advance(5000);
	expect(shown).toEqual(["The service asks you to wait. Trying again in 3 s…"]);
	expect(clock.pending).toBe(0);
});

test("S21: a model that loads and reads says for how long, from five seconds on", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "progress", stage: "loading" });
	await clock.advance(4_000);
	expect(shown).toEqual([]);
	await clock.advance(2_000);
	expect(shown).toEqual(["Loading the model… 5 s", "Loading the model… 6 s"]);
	shown.length = 0;
	ticker.show({ type: "progress", stage: "reading" });
	for (let told = 0; told < 12; told += 1) {
		await clock.advance(10_000);
		ticker.show({ type: "progress", stage: "reading" });
	}
	expect([shown[0], shown[1], shown.at(-1)]).toEqual([
		undefined,
		"Reading the prompt… 5 s",
		"Reading the prompt… 2 min",
	]);
	ticker.clear();
	expect(shown.at(-1)).toBeUndefined();
	expect(clock.pending).toBe(0);
});

test("S21: how much of the prompt is read is shown from one second on, as soon as more is", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	for (const share of [0.1, 0.405, 0.8]) {
		ticker.show({ type: "progress", stage: "reading", share });
		await clock.advance(700);
	}
	expect(shown).toEqual(["Reading the prompt… 40%", "Reading the prompt… 80%"]);
	ticker.dispose();
});

test("S21: an answer that goes on in silence says so after 15 seconds, once", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	for (let told = 0; told < 4; told += 1) {
		ticker.show({ type: "progress", stage: "working" });
		await clock.advance(10_000);
	}
	expect(shown).toEqual(["Still waiting…"]);
	ticker.dispose();
});
