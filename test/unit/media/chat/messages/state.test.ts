import { describe, expect, test } from "vitest";
import { applyPush, isAnswering } from "../../../../../media/chat/messages/state.ts";
import type { ChatChange, ChatViewState } from "../../../../../src/shared/chat.ts";
import { cardOf, emptyChat, messageOf, streaming, turnOf } from "../../../../webview/states.ts";

const asked: ChatViewState = {
	...emptyChat,
	seq: 5,
	turns: [turnOf("Hi", [], { id: "a" }), turnOf("Hello?", [], { id: "b", status: streaming })],
};

/** The state after pushes that follow each other without a gap. */
function after(state: ChatViewState, ...pushes: readonly ChatChange[][]): ChatViewState {
	let next: ChatViewState | undefined = state;
	for (const changes of pushes) {
		next = next && applyPush(next, { seq: next.seq + 1, changes });
	}
	if (!next) {
		throw new Error("A change was refused");
	}
	return next;
}

const started: ChatChange = {
	type: "message-started",
	turnId: "b",
	message: messageOf("", { isFinished: false }),
};

describe("A push of changes", () => {
	test("that follows the last one is applied in order", () => {
		const state = after(asked, [
			started,
			{ type: "text", turnId: "b", index: 0, text: "Good " },
			{ type: "text", turnId: "b", index: 0, text: "day" },
		]);
		expect(state.seq).toBe(6);
		expect(state.turns[1]?.messages[0]?.text).toBe("Good day");
		expect(state.turns[0]).toBe(asked.turns[0]);
	});

	test("that is already part of the state changes nothing", () => {
		const push = { seq: 5, changes: [{ type: "title", title: "old" }] } as const;
		expect(applyPush(asked, push)).toBe(asked);
	});

	test.each([7, 8, 1000])("L4: after a gap (%i after 5) is refused", seq => {
		expect(applyPush(asked, { seq, changes: [{ type: "title", title: "x" }] })).toBeUndefined();
	});

	test("that shows another branch replaces what comes after a turn, or everything", () => {
		const other = turnOf("Hello!", [], { id: "c", version: { number: 2, count: 2 } });
		const shown = after(asked, [{ type: "branch-shown", after: "a", turns: [other] }]);
		expect(shown.turns).toEqual([asked.turns[0], other]);
		const all = after(asked, [{ type: "branch-shown", after: null, turns: [other] }]);
		expect(all.turns).toEqual([other]);
		const unknown: ChatChange = { type: "branch-shown", after: "x", turns: [other] };
		expect(applyPush(asked, { seq: 6, changes: [unknown] })).toBeUndefined();
	});

	test("that resets everything is taken even after a gap", () => {
		const state = { ...emptyChat, chatId: "other" };
		expect(applyPush(asked, { seq: 9, changes: [{ type: "reset", state }] })).toEqual({
			...state,
			seq: 9,
		});
	});

	test.each<ChatChange>([
		{ type: "text", turnId: "nobody", index: 0, text: "x" },
		{ type: "text", turnId: "b", index: 3, text: "x" },
		{ type: "message-finished", turnId: "b", index: 0, toolNames: [] },
		{ type: "status", turnId: "nobody", status: streaming },
		{ type: "answer-cleared", turnId: "nobody" },
	])("that speaks of what is not there is refused: %j", change => {
		expect(applyPush(asked, { seq: 6, changes: [change] })).toBeUndefined();
	});

	test("that starts a message twice is refused", () => {
		const once = after(asked, [started]);
		expect(applyPush(once, { seq: 7, changes: [started] })).toBeUndefined();
	});
});

test("A message that finishes carries the tools it asked for", () => {
	const state = after(asked, [
		started,
		{ type: "message-finished", turnId: "b", index: 0, toolNames: ["search"] },
	]);
	expect(state.turns[1]?.messages[0]).toMatchObject({ isFinished: true, toolNames: ["search"] });
});

test("An answer that is cleared begins again from its first message", () => {
	const state = after(
		asked,
		[started, { type: "text", turnId: "b", index: 0, text: "wrong" }],
		[{ type: "answer-cleared", turnId: "b" }],
		[started, { type: "text", turnId: "b", index: 0, text: "right" }],
	);
	expect(state.turns[1]?.messages.map(message => message.text)).toEqual(["right"]);
});

test("Title, connection, composer and banner are replaced as a whole", () => {
	const connection = { kind: "remote", label: "api.example.com", hasKey: true } as const;
	const composer = { ...emptyChat.composer, model: "llm-4-turbo", canUseServerTools: false };
	const banner = { kind: "warning", text: "The disk is full." } as const;
	const state = after(asked, [
		{ type: "title", title: "Greetings" },
		{ type: "connection", connection },
		{ type: "composer", composer },
		{ type: "banner", banner },
	]);
	expect(state).toMatchObject({ title: "Greetings", connection, composer, banner });
});

test("Whether an answer is being written is what the last turn says", () => {
	expect(isAnswering(asked)).toBe(true);
	const ended = after(asked, [
		{ type: "status", turnId: "b", status: { state: "stopped", actions: [] } },
	]);
	expect(isAnswering(ended)).toBe(false);
	expect(isAnswering(emptyChat)).toBe(false);
});

describe("A video below a question", () => {
	const first = cardOf({ jobId: "1", turnId: "a" });
	const second = cardOf({ jobId: "2", turnId: "a" });
	const shown = after(asked, [
		{ type: "video", video: first },
		{ type: "video", video: second },
	]);

	test("is below its own question, in the order the videos were started", () => {
		expect(shown.turns[0]?.videos).toEqual([first, second]);
		expect(shown.turns[1]).toBe(asked.turns[1]);
	});

	test("that changes stays in its place", () => {
		const changed = { ...first, label: "Ready" };
		expect(after(shown, [{ type: "video", video: changed }]).turns[0]?.videos).toEqual([
			changed,
			second,
		]);
	});

	test("that was deleted is gone, and deleting it twice changes nothing", () => {
		const removed: ChatChange = { type: "video-removed", turnId: "a", jobId: "1" };
		expect(after(shown, [removed], [removed]).turns[0]?.videos).toEqual([second]);
	});

	test("whose question is not in the chat shows nothing, and the chat needs no reload", () => {
		const state = after(asked, [{ type: "video", video: cardOf({ turnId: "nobody" }) }]);
		expect(state).toEqual({ ...asked, seq: 6 });
	});
});
