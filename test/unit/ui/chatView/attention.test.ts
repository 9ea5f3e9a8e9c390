import { beforeEach, expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import type { ChatChange, TurnStatus } from "../../../../src/shared/chat.ts";
import type { ToolCardView } from "../../../../src/shared/tools.ts";
import { askingCard, emptyChat, turnOf } from "../../../webview/states.ts";

const showInformationMessage = vi.fn(
	(_sentence: string, button: string): Promise<string | undefined> =>
		Promise.resolve(pressed ? button : undefined),
);
const focusMoved = new Emitter<void>();
const state = { focused: true };
let pressed = false;
vi.mock("vscode", () => ({
	window: { state, showInformationMessage, onDidChangeWindowState: focusMoved.event },
}));
const { Attention } = await import("../../../../src/ui/chatView/attention.ts");

const streaming: TurnStatus = { state: "streaming", actions: [] };
const complete: TurnStatus = { state: "complete", actions: [] };

function setUp(mode: "whenHidden" | "always" | "never" = "whenHidden") {
	const changed = new Emitter<readonly ChatChange[]>();
	const shown = new Emitter<void>();
	const badges: number[] = [];
	const places: string[] = [];
	const view = {
		isShown: false,
		hasFocus: false,
		onDidShow: shown.event,
		showBadge: (count: number) => void badges.push(count),
		showTurn: (turnId: string) => Promise.resolve(void places.push(turnId)),
		showRequest: (turnId: string) => Promise.resolve(void places.push(`request of ${turnId}`)),
	};
	let turns = [turnOf("Go", [], { status: streaming })];
	const chat = { onDidChange: changed.event, picture: () => ({ ...emptyChat, turns }) };
	const attention = new Attention({ chat, view, mode: () => mode });
	return {
		view,
		places,
		badge: () => badges.at(-1),
		told: () => showInformationMessage.mock.calls.map(([sentence]) => sentence),
		push: (...changes: readonly ChatChange[]) => changed.fire(changes),
		ends: (status: TurnStatus) => changed.fire([{ type: "status", turnId: "turn", status }]),
		asks: (card: ToolCardView) => changed.fire([{ type: "tool-card", turnId: "turn", card }]),
		replace: (next: typeof turns) => {
			turns = next;
			changed.fire([{ type: "reset", state: { ...emptyChat, turns } }]);
		},
		look: () => {
			view.isShown = true;
			shown.fire();
		},
		attention,
	};
}

const answered: ToolCardView = { ...askingCard, state: "done" };
delete answered.approval;
const question: ToolCardView = {
	...answered,
	state: "asking",
	question: { requestId: "q", text: "Which\nprice?", options: [] },
};

beforeEach(() => {
	showInformationMessage.mockClear();
	state.focused = true;
	pressed = false;
});

test("a request is counted until it is answered, and told once, however often its card changes", () => {
	const { asks, told, badge } = setUp();
	asks(askingCard);
	asks({ ...askingCard, title: "Edit files again" });
	expect(told()).toEqual([`${askingCard.line ?? askingCard.title}: your approval is needed.`]);
	expect(badge()).toBe(1);
	asks(answered);
	asks(question);
	expect(told().at(-1)).toBe("The model asks: Which price?");
	expect(badge()).toBe(1);
	asks(answered);
	expect(badge()).toBe(0);
});

test("the end of an answer is told, and counted until the chat is looked at", () => {
	const { ends, told, badge, look } = setUp();
	ends({ ...streaming, notice: "Still waiting…" });
	expect(told()).toEqual([]);
	ends(complete);
	ends(complete);
	expect(told()).toEqual(["Answer ready"]);
	expect(badge()).toBe(1);
	state.focused = false;
	look();
	expect(badge()).toBe(1);
	state.focused = true;
	focusMoved.fire();
	expect(badge()).toBe(0);
});

test.each([
	["endedEarly", "The answer ended early.", ["The answer ended early."]],
	["stopped", "Stopped.", []],
	["interrupted", "Interrupted.", []],
] as const)("an answer that ended as %s is told as %s", (ending, sentence, words) => {
	const { ends, told } = setUp();
	ends({ state: ending, sentence, actions: [] });
	expect(told()).toEqual(words);
});

test.each([
	{ mode: "whenHidden", focused: true, isShown: true, hasFocus: false, isTold: false },
	{ mode: "whenHidden", focused: false, isShown: true, hasFocus: true, isTold: true },
	{ mode: "whenHidden", focused: true, isShown: false, hasFocus: false, isTold: true },
	{ mode: "always", focused: true, isShown: true, hasFocus: false, isTold: true },
	{ mode: "always", focused: true, isShown: true, hasFocus: true, isTold: false },
	{ mode: "never", focused: false, isShown: false, hasFocus: false, isTold: false },
] as const)("%o", ({ mode, focused, isShown, hasFocus, isTold }) => {
	const { view, ends, told } = setUp(mode);
	state.focused = focused;
	Object.assign(view, { isShown, hasFocus });
	ends(complete);
	expect(told()).toHaveLength(isTold ? 1 : 0);
});

test("the button leads to the answer, or to what is asked", async () => {
	pressed = true;
	const { asks, ends, places } = setUp();
	asks(askingCard);
	ends(complete);
	await vi.waitFor(() => expect(places).toEqual(["request of turn", "turn"]));
});

test("a chat that takes the place of another, or is read along, is no news", () => {
	const { replace, ends, told, badge, asks } = setUp();
	asks(question);
	ends(complete);
	showInformationMessage.mockClear();
	replace([turnOf("Other", [], { status: streaming, tools: [askingCard] })]);
	expect(badge()).toBe(1);
	replace([turnOf("Other", [], { status: complete })]);
	expect(badge()).toBe(0);
	expect(told()).toEqual([]);
});

test("T29: no words of a model become a link that runs a command", () => {
	const { asks, told } = setUp();
	const text = "[Yes](command:workbench.action.quit)";
	asks({ ...question, question: { requestId: "q", text, options: [] } });
	expect(told()[0]).not.toContain("](");
});
