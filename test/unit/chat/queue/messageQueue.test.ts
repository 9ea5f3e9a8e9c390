import { describe, expect, test } from "vitest";
import {
	addMessage,
	startSending,
	nextMessage,
	editMessage,
	emptyQueue,
	foundQueue,
	holdMessage,
	type MessageQueue,
	messageAsked,
	moveMessage,
	pauseQueue,
	type QueueChange,
	type QueuedMessage,
	removeMessage,
	restoreMessage,
	resumeQueue,
	sendingFailed,
} from "../../../../src/chat/queue/messageQueue.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";
import { createRandom } from "../../../helpers/random.ts";

function messageOf(id: string, text = `Message ${id}`): QueuedMessage {
	return { id, text, options: plainOptions, attachments: [] };
}

/** The queue after changes that are all allowed. */
function queueAfter(...changes: readonly QueueChange[]): MessageQueue {
	return changes.reduce<MessageQueue>((queue, change) => {
		const next = change(queue);
		if (typeof next === "string") {
			throw new Error(next);
		}
		return next;
	}, emptyQueue);
}

const threeWait = queueAfter(
	addMessage(messageOf("a")),
	addMessage(messageOf("b")),
	addMessage(messageOf("c")),
);
const idsOf = ({ items }: MessageQueue): string => items.map(({ id }) => id).join("");
const allowed = (result: ReturnType<QueueChange>): MessageQueue => {
	expect(result).not.toBeTypeOf("string");
	return typeof result === "string" ? emptyQueue : result;
};

describe("Messages that wait", () => {
	test("are asked in their order, one at a time", () => {
		expect(nextMessage(threeWait)?.id).toBe("a");
		const sending = startSending(threeWait, "a");
		expect(nextMessage(sending)).toBeUndefined();
		const asked = messageAsked(sending, "a");
		expect(idsOf(asked)).toBe("bc");
		expect(nextMessage(asked)?.id).toBe("b");
	});

	test("are held back by a pause until a user resumes, and whatever comes meanwhile waits too", () => {
		const paused = pauseQueue(threeWait, { type: "ended", state: "stopped" });
		expect(nextMessage(paused)).toBeUndefined();
		const more = allowed(addMessage(messageOf("d"))(paused));
		expect(nextMessage(more)).toBeUndefined();
		expect(nextMessage(resumeQueue(more))?.id).toBe("a");
	});

	test("that are gone leave nothing paused behind", () => {
		const one = queueAfter(addMessage(messageOf("a")));
		const paused = pauseQueue(one, { type: "notAsked" });
		expect(allowed(removeMessage("a")(paused)).mode).toEqual({ type: "waiting" });
		expect(pauseQueue(emptyQueue, { type: "notAsked" }).mode).toEqual({ type: "waiting" });
	});

	test("move by one place and stop at the ends", () => {
		expect(idsOf(allowed(moveMessage("c", -1)(threeWait)))).toBe("acb");
		expect(idsOf(allowed(moveMessage("a", 1)(threeWait)))).toBe("bac");
		expect(idsOf(allowed(moveMessage("a", -1)(threeWait)))).toBe("abc");
		expect(idsOf(allowed(moveMessage("c", 1)(threeWait)))).toBe("abc");
	});

	test("come back where they were when their removal is undone", () => {
		const removed = allowed(removeMessage("b")(threeWait));
		expect(idsOf(removed)).toBe("ac");
		expect(idsOf(allowed(restoreMessage()(removed)))).toBe("abc");
		expect(restoreMessage()(threeWait)).toBe("gone");
	});

	test("are not asked under the hands of somebody who changes them", () => {
		const held = allowed(holdMessage("a")(threeWait));
		expect(nextMessage(held)).toBeUndefined();
		expect(nextMessage(allowed(holdMessage(undefined)(held)))?.id).toBe("a");
		const edited = allowed(editMessage("a", "Better words")(held));
		expect(nextMessage(edited)).toMatchObject({ id: "a", text: "Better words" });
		expect(nextMessage(allowed(holdMessage("b")(threeWait)))?.id).toBe("a");
	});

	test("that are being asked are not changed any more, and nothing gets before them", () => {
		const sending = startSending(threeWait, "a");
		for (const change of [
			editMessage("a", "Other"),
			removeMessage("a"),
			holdMessage("a"),
			moveMessage("a", 1),
		]) {
			expect(change(sending)).toBe("sending");
		}
		expect(idsOf(allowed(moveMessage("b", -1)(sending)))).toBe("abc");
		const without = allowed(removeMessage("b")(sending));
		expect(idsOf(allowed(restoreMessage()(without)))).toBe("abc");
	});

	test("that could not be asked stay first, with the reason", () => {
		const failed = sendingFailed(startSending(threeWait, "a"), "The disk is full.");
		expect(idsOf(failed)).toBe("abc");
		expect(failed.mode).toEqual({
			type: "paused",
			reason: { type: "failed", sentence: "The disk is full." },
		});
	});

	test("that are found on disk are paused, without those the chat's log holds", () => {
		const found = foundQueue(threeWait.items, id => id === "a");
		expect(idsOf(found)).toBe("bc");
		expect(nextMessage(found)).toBeUndefined();
		expect(foundQueue(threeWait.items, () => true)).toEqual(emptyQueue);
	});

	test("are bounded in number and size", () => {
		const fifty = Array.from({ length: 50 }, (_, index) => addMessage(messageOf(`m${index}`)));
		expect(addMessage(messageOf("more"))(queueAfter(...fifty))).toBe("full");
		expect(addMessage(messageOf("a", "x".repeat(5_000_001)))(emptyQueue)).toBe("full");
		expect(editMessage("a", "x".repeat(5_000_001))(threeWait)).toBe("full");
	});

	test("of other chats are not there", () => {
		for (const change of [editMessage("z", ""), removeMessage("z"), moveMessage("z", 1)]) {
			expect(change(threeWait)).toBe("gone");
		}
	});
});

/** A chat with its queue on disk, over whatever happens to them: what is written in capitals survives a crash. */
interface World {
	queue: MessageQueue;
	readonly DISK: { items: readonly QueuedMessage[]; readonly asked: string[] };
	readonly requests: string[];
	isAnswering: boolean;
}

/** One thing that happens, chosen at random. */
function step(world: World, random: () => number, written: string[]): void {
	const pick = <T>(choices: readonly T[]): T | undefined =>
		choices[Math.floor(random() * choices.length)];
	const change = (queueChange: QueueChange): void => {
		const next = queueChange(world.queue);
		// A disk that refuses leaves everything as it was.
		if (typeof next !== "string" && random() > 0.1) {
			world.DISK.items = next.items;
			world.queue = next;
		}
	};
	const id = pick(world.queue.items)?.id ?? "none";
	const happen = pick([
		() => {
			const item = messageOf(`${written.length}`);
			const before = world.queue;
			change(addMessage(item));
			if (world.queue !== before) {
				written.push(item.id);
			}
		},
		() => change(moveMessage(id, random() < 0.5 ? 1 : -1)),
		() => change(editMessage(id, `Other words ${random()}`)),
		() => {
			const held = holdMessage(random() < 0.5 ? id : undefined)(world.queue);
			world.queue = typeof held === "string" ? world.queue : held;
		},
		() => (world.queue = resumeQueue(world.queue)),
		() => endAnswer(world, random),
		() => endAnswer(world, random),
		() => begin(world, random),
		() => begin(world, random),
		() => {
			// The window goes away at any point and comes back.
			world.isAnswering = false;
			world.queue = foundQueue(world.DISK.items, asked => world.DISK.asked.includes(asked));
		},
	]);
	happen?.();
}

function begin(world: World, random: () => number): void {
	const due = world.isAnswering ? undefined : nextMessage(world.queue);
	if (!due) {
		return;
	}
	world.queue = startSending(world.queue, due.id);
	const fate = random();
	if (fate < 0.15) {
		world.queue = sendingFailed(world.queue, "Not saved.");
		return;
	}
	world.DISK.asked.push(due.id);
	world.requests.push(due.id);
	world.isAnswering = true;
	if (fate < 0.4) {
		// A crash between the record of the question and what follows.
		return;
	}
	world.queue = messageAsked(world.queue, due.id);
	if (fate < 0.8) {
		world.DISK.items = world.queue.items;
	}
}

function endAnswer(world: World, random: () => number): void {
	if (world.isAnswering) {
		world.isAnswering = false;
		if (random() < 0.4) {
			world.queue = pauseQueue(world.queue, { type: "ended", state: "interrupted" });
		}
	}
}

test("Over random schedules every message is asked exactly once or waits still", () => {
	const seed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 1_000_000);
	console.log(`schedules from seed ${seed}`);
	for (let run = 0; run < 2000; run += 1) {
		const random = createRandom(seed + run).next;
		const world: World = {
			queue: emptyQueue,
			DISK: { items: [], asked: [] },
			requests: [],
			isAnswering: false,
		};
		const written: string[] = [];
		for (let count = 0; count < 60; count += 1) {
			step(world, random, written);
		}
		const waiting = foundQueue(world.DISK.items, id => world.DISK.asked.includes(id)).items;
		const found = [...world.requests, ...waiting.map(({ id }) => id)].sort();
		expect(found, `seed ${seed + run}`).toEqual([...written].sort());
	}
});
