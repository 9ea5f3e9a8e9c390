import { expect, test } from "vitest";
import type { ChatChange } from "../../../src/protocol/chat.ts";
import { createChangeQueue } from "../../../src/ui/changeQueue.ts";
import { cardOf } from "../../webview/states.ts";

const text = (turnId: string, index: number, fragment: string): ChatChange => ({
	type: "text",
	turnId,
	index,
	text: fragment,
});

test("joins a burst of deltas of one message into one change", () => {
	const queue = createChangeQueue();
	for (const fragment of ["a", "b", "c"]) {
		queue.add(text("t", 0, fragment));
	}
	expect(queue.drain()).toEqual([text("t", 0, "abc")]);
	expect(queue.isEmpty).toBe(true);
});

test("keeps the order when another message, another turn or another kind of change comes between", () => {
	const queue = createChangeQueue();
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
	const queue = createChangeQueue();
	const reset: ChatChange = {
		type: "reset",
		state: {
			seq: 0,
			chatId: "c",
			title: "",
			turns: [],
			connection: { kind: "local", label: "Local service", hasKey: false },
			composer: {
				model: "m",
				models: ["m"],
				canUseServerTools: false,
				codeInterpreter: false,
				browsing: false,
				choices: [],
			},
			attachments: { items: [], budget: null, offeredModel: null, isSending: false },
			queue: { items: [], paused: null, held: null, removed: null },
			banner: null,
			toolsOff: null,
		},
	};
	queue.add(text("t", 0, "a"));
	queue.add(reset);
	queue.add(text("t", 0, "b"));
	expect(queue.drain()).toEqual([reset, text("t", 0, "b")]);
});

test("of what a video says of its download within a frame, the last goes out", () => {
	const queue = createChangeQueue();
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
