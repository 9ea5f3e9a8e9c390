// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
	IdleQueue,
	type IdleScheduler,
} from "../../../../../../media/chat/markdown/elements/idle.ts";

/** Quiet moments that come when a test says so, each with time for one step. */
function manualMoments(): { readonly schedule: IdleScheduler; runAll(): void } {
	const waiting: Parameters<IdleScheduler>[0][] = [];
	return {
		schedule: callback => waiting.push(callback),
		runAll: () => {
			for (let run = waiting.shift(); run; run = waiting.shift()) {
				run({ timeRemaining: () => 0 });
			}
		},
	};
}

function* steps(name: string, count: number, done: string[]): Generator<undefined, void> {
	for (let step = 1; step < count; step++) {
		done.push(`${name}${step}`);
		yield;
	}
	done.push(`${name}${count}`);
}

test("work is done in the order it came, one step in a moment that has time for no more", () => {
	const { schedule, runAll } = manualMoments();
	const queue = new IdleQueue(schedule);
	const done: string[] = [];
	queue.add(steps("a", 2, done));
	queue.add(steps("b", 1, done));
	runAll();
	expect(done).toEqual(["a1", "a2", "b1"]);
});

test("work for what has left the page waits until what is on it is done, and is not lost", () => {
	const { schedule, runAll } = manualMoments();
	const queue = new IdleQueue(schedule);
	const done: string[] = [];
	const left = document.createElement("div");
	const shown = document.createElement("div");
	document.body.append(left, shown);
	queue.add(steps("left", 2, done), left);
	left.remove();
	queue.add(steps("shown", 2, done), shown);
	runAll();
	expect(done).toEqual(["shown1", "shown2", "left1", "left2"]);
});

test("work that throws is dropped, and the next is done", () => {
	const { schedule, runAll } = manualMoments();
	const queue = new IdleQueue(schedule);
	const done: string[] = [];
	queue.add({
		next: () => {
			throw new Error("Broken on purpose");
		},
	});
	queue.add(steps("b", 1, done));
	expect(runAll).toThrow("Broken on purpose");
	runAll();
	expect(done).toEqual(["b1"]);
});
