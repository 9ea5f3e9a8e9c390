import { expect, test } from "vitest";
import type { ChatChange, ChatViewState } from "../../../../src/shared/chat.ts";
import { ChangeQueue } from "../../../../src/ui/chatView/changeQueue.ts";
import { applyPush } from "../../../../media/chat/messages/state.ts";
import { createRandom } from "../../../helpers/random.ts";
import { cardOf, emptyChat, turnOf } from "../../../webview/states.ts";

const text = (turnId: string, index: number, fragment: string): ChatChange => ({
	type: "text",
	turnId,
	index,
	text: fragment,
});

const resetTo = (state: ChatViewState): ChatChange => ({ type: "reset", state });

const chatOf = (chatId: string, count: number): ChatViewState => ({
	...emptyChat,
	chatId,
	turns: Array.from({ length: count }, (_, index) =>
		turnOf(`Question ${index}`, [], { id: `${chatId}-${index}` }),
	),
});

const idsOf = (changes: readonly ChatChange[]): string[][] =>
	changes.map(change => {
		const turns = change.type === "reset" ? change.state.turns : [];
		return (change.type === "earlier-turns" ? change.turns : turns).map(({ id }) => id);
	});

test("joins a burst of deltas of one message into one change", () => {
	const queue = new ChangeQueue();
	for (const fragment of ["a", "b", "c"]) {
		queue.add(text("t", 0, fragment));
	}
	expect(queue.drain()).toEqual([text("t", 0, "abc")]);
	expect(queue.isEmpty).toBe(true);
});

test("joins what a model thinks into one change with its last label, apart from other thoughts", () => {
	const queue = new ChangeQueue();
	const thought = (after: number, more: string, isOver = false): ChatChange => ({
		type: "thought",
		turnId: "t",
		thought: { after, text: more, label: isOver ? "Thought for 1 s" : "Thinking…", isOver },
	});
	[thought(0, "a"), thought(0, "b"), thought(0, "", true), thought(1, "c")].forEach(change =>
		queue.add(change),
	);
	expect(queue.drain()).toEqual([thought(0, "ab", true), thought(1, "c")]);
});

test("keeps the order when another message, another turn or another kind of change comes between", () => {
	const queue = new ChangeQueue();
	const title: ChatChange = { type: "title", title: "T" };
	const changes = [
		text("t", 0, "a"),
		text("t", 1, "b"),
		text("u", 1, "c"),
		title,
		text("u", 1, "d"),
	];
	changes.forEach(change => queue.add(change));
	expect(queue.drain()).toEqual(changes);
});

test("a reset makes everything before it unnecessary", () => {
	const queue = new ChangeQueue();
	const reset = resetTo(emptyChat);
	queue.add(text("t", 0, "a"));
	queue.add(reset);
	queue.add(text("t", 0, "b"));
	expect(queue.drain()).toEqual([reset, text("t", 0, "b")]);
});

test("of what a video says of its download within a frame, the last goes out", () => {
	const queue = new ChangeQueue();
	const video = (jobId: string, sentence: string): ChatChange => ({
		type: "video",
		video: cardOf({ jobId, sentence }),
	});
	queue.add(video("1", "10 KB so far."));
	queue.add(video("1", "20 KB so far."));
	queue.add(video("2", "1 KB so far."));
	queue.add(video("1", "30 KB so far."));
	expect(queue.drain()).toEqual([
		video("1", "20 KB so far."),
		video("2", "1 KB so far."),
		video("1", "30 KB so far."),
	]);
});

test("a long chat in place of another comes with its last turns; the others follow, before all that happened since", () => {
	const queue = new ChangeQueue();
	queue.begin(chatOf("a", 2), undefined);
	queue.add(resetTo(chatOf("b", 1000)));
	queue.add(text("b-3", 0, "x"));
	const [first, ...none] = idsOf(queue.drain());
	expect([first?.length, first?.at(-1), none]).toEqual([24, "b-999", []]);
	expect(queue.isEmpty).toBe(false);
	queue.add(text("b-3", 0, "y"));
	const rest = queue.drain();
	expect(rest.slice(1)).toEqual([text("b-3", 0, "xy")]);
	expect([idsOf(rest)[0]?.length, idsOf(rest)[0]?.at(-1)]).toEqual([976, "b-975"]);
	expect(queue.isEmpty).toBe(true);
});

test("what is read further up comes at first as well, with turns before it", () => {
	const queue = new ChangeQueue();
	const first = queue.begin(chatOf("a", 1000), "a-500");
	expect([first.turns[0]?.id, first.turns.at(-1)?.id]).toEqual(["a-476", "a-999"]);
	queue.add(resetTo(chatOf("b", 1000)));
	expect(idsOf(queue.drain("b-600"))[0]?.[0]).toBe("b-576");
});

test("a chat whose reader may be anywhere comes whole, and so does one that is not long", () => {
	const queue = new ChangeQueue();
	queue.begin(chatOf("a", 1000), undefined);
	expect(idsOf(queue.drain())[0]).toHaveLength(976);
	queue.add(resetTo(chatOf("a", 1000)));
	expect(idsOf(queue.drain())).toEqual([chatOf("a", 1000).turns.map(({ id }) => id)]);
	queue.add(resetTo(chatOf("b", 48)));
	expect(idsOf(queue.drain())[0]).toHaveLength(48);
	expect(queue.isEmpty).toBe(true);
});

test("another chat makes the rest of the one before unnecessary", () => {
	const queue = new ChangeQueue();
	queue.begin(chatOf("a", 1000), undefined);
	queue.add(resetTo(chatOf("b", 3)));
	expect(idsOf(queue.drain())).toEqual([["b-0", "b-1", "b-2"]]);
	queue.begin(chatOf("a", 1000), undefined);
	queue.begin(chatOf("c", 1), undefined);
	expect(queue.isEmpty).toBe(true);
});

test("however chats and changes follow each other, what the page has when nothing waits is what the host has", () => {
	const random = createRandom(11);
	const queue = new ChangeQueue();
	let real = chatOf("begin", 70);
	let page: ChatViewState | undefined = queue.begin(real, undefined);
	let count = 0;
	const send = (): void => {
		const at = random.below(3) === 0 ? real.turns[random.below(real.turns.length)]?.id : undefined;
		const seq = (page?.seq ?? 0) + 1;
		page = page && applyPush(page, { seq, changes: queue.drain(at) });
	};
	for (let step = 0; step < 3000; step++) {
		const kind = random.below(5);
		if (kind === 0) {
			real = chatOf(random.below(2) === 0 ? real.chatId : `chat-${step}`, 1 + random.below(120));
			queue.add(resetTo(real));
		} else if (kind === 1) {
			const turn = turnOf("More", [], { id: `more-${count++}` });
			real = { ...real, turns: [...real.turns, turn] };
			queue.add({ type: "turn-added", turn });
		} else if (kind === 2 && random.below(4) === 0) {
			page = { ...queue.begin(real, real.turns[random.below(real.turns.length)]?.id), seq: 0 };
		} else if (!queue.isEmpty) {
			send();
		}
		if (queue.isEmpty) {
			expect({ ...page, seq: 0 }).toEqual(real);
		}
	}
	expect(count).toBeGreaterThan(100);
});
