import { expect, test } from "vitest";
import { startTurn } from "../../../../src/chat/contract/turn.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import { ToolCardStore } from "../../../../src/ui/tools/toolCardStore.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";

const turn = startTurn({ id: "t1", prompt: "Ask me", createdAt: 1, options: plainOptions });
const call = { form: "tool", id: "c1", name: "ask_user", arguments: "{}" } as const;

/** A question of a call that runs, on its card. */
function ask(options: readonly string[], signal = new AbortController().signal) {
	const store = new ToolCardStore(new ToolRegistry(), () => Promise.reject(new Error("no change")));
	store.note(turn, call, { state: "running", summary: "Ask" });
	const answer = store.askQuestion(
		{ callId: "t1:1:1:c1", text: "Which\u202E one?", options },
		signal,
	);
	const card = () => store.cardsOf(turn)[0];
	return { store, answer, card, requestId: card()?.question?.requestId ?? "" };
}

test("T30: a question of the model is on the card of its call, with hidden characters shown", () => {
	const { card } = ask(["a\u200Bb", "c"]);
	expect(card()).toMatchObject({
		title: "Ask a question",
		state: "asking",
		question: { text: "Which␣U+202E one?", options: ["a␣U+200Bb", "c"] },
	});
});

test("it is answered with an option as the model wrote it, with other words, or not at all", async () => {
	const first = ask(["a\u200Bb", "c"]);
	first.store.answerQuestion({ requestId: first.requestId, option: 0 });
	expect(await first.answer).toBe("a\u200Bb");
	expect(first.card()?.question).toBeUndefined();
	const second = ask(["a"]);
	second.store.answerQuestion({ requestId: second.requestId, text: "neither" });
	expect(await second.answer).toBe("neither");
	const both = ask(["a", "b"]);
	both.store.answerQuestion({ requestId: both.requestId, option: 1, text: "but only\nfor tests" });
	expect(await both.answer).toBe("b\n\nbut only\nfor tests");
	const third = ask([]);
	third.store.answerQuestion({ requestId: third.requestId });
	expect(await third.answer).toBeUndefined();
	const beyond = ask(["a"]);
	beyond.store.answerQuestion({ requestId: beyond.requestId, option: 7 });
	expect(await beyond.answer).toBeUndefined();
});

test("T19: an answer to a question that is no longer open, or was never asked, is refused", async () => {
	const { store, answer, requestId } = ask([]);
	expect(() => store.answerQuestion({ requestId: "made up", text: "x" })).toThrow(
		"no longer available",
	);
	store.answerQuestion({ requestId, text: "x" });
	await answer;
	expect(() => store.answerQuestion({ requestId, text: "y" })).toThrow("no longer available");
});

test("Stop ends the question", async () => {
	const abort = new AbortController();
	const { answer, card } = ask(["a"], abort.signal);
	abort.abort();
	expect(await answer).toBeUndefined();
	expect(card()?.question).toBeUndefined();
});
