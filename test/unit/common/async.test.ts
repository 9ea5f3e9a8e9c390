import { expect, test } from "vitest";
import { Limiter } from "../../../src/common/async.ts";

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test("no more tasks than allowed run at once, in the order they came", async () => {
	const limiter = new Limiter(2);
	const started: number[] = [];
	let open = 0;
	let most = 0;
	const task = (number: number) => async (): Promise<number> => {
		started.push(number);
		most = Math.max(most, ++open);
		await turn();
		open -= 1;
		return number;
	};
	const results = await Promise.all(
		[0, 1, 2, 3, 4].map(number => limiter.run(task(number), never)),
	);
	expect(results).toEqual([0, 1, 2, 3, 4]);
	expect(started).toEqual([0, 1, 2, 3, 4]);
	expect(most).toBe(2);
});

test("a task that fails gives its place back", async () => {
	const limiter = new Limiter(1);
	await expect(limiter.run(() => Promise.reject(new Error("no")), never)).rejects.toThrow("no");
	expect(await limiter.run(() => Promise.resolve("yes"), never)).toBe("yes");
});

test("a task cancelled while it waits never runs, and the one behind it does", async () => {
	const limiter = new Limiter(1);
	const first = Promise.withResolvers<void>();
	const holding = limiter.run(() => first.promise, never);
	const cancel = new AbortController();
	const ran: string[] = [];
	const cancelled = limiter.run(async () => void ran.push("cancelled"), cancel.signal);
	const behind = limiter.run(async () => void ran.push("behind"), never);
	cancel.abort();
	await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
	first.resolve();
	await Promise.all([holding, behind]);
	expect(ran).toEqual(["behind"]);
	await expect(limiter.run(async () => void ran.push("late"), cancel.signal)).rejects.toMatchObject(
		{
			name: "AbortError",
		},
	);
	expect(ran).toEqual(["behind"]);
});

test("a task cancelled in the moment its turn comes never runs, and gives its place on", async () => {
	const limiter = new Limiter(1);
	const first = Promise.withResolvers<void>();
	const cancel = new AbortController();
	const ran: string[] = [];
	const holding = limiter.run(async () => {
		await first.promise;
		// The place is given on as soon as this task is over, before the next one runs.
		queueMicrotask(() => queueMicrotask(() => cancel.abort()));
	}, never);
	const cancelled = limiter.run(async () => void ran.push("cancelled"), cancel.signal);
	first.resolve();
	await holding;
	await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
	expect(ran).toEqual([]);
	expect(await limiter.run(() => Promise.resolve("yes"), never)).toBe("yes");
});
