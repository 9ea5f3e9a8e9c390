import { expect, test } from "vitest";
import { paceText } from "../../../../src/localService/demo/pace.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

const forever = new AbortController().signal;

async function gather(deltas: AsyncIterable<string>): Promise<readonly string[]> {
	const gathered: string[] = [];
	for await (const delta of deltas) {
		gathered.push(delta);
	}
	return gathered;
}

test("sends a text at the speed asked for, in small deltas", async () => {
	const clock = createFakeClock();
	let received = "";
	const text = "0123456789".repeat(120);
	const done = (async () => {
		for await (const delta of paceText(text, 600, clock, forever)) {
			expect(delta.length).toBe(20);
			received += delta;
		}
	})();
	await clock.advance(1_000);
	expect(received.length).toBeGreaterThanOrEqual(600);
	expect(received.length).toBeLessThanOrEqual(640);
	await clock.advance(1_000);
	await done;
	expect(received).toBe(text);
});

test("waits for nothing at speed 0", async () => {
	const clock = createFakeClock();
	const deltas = await gather(paceText("x".repeat(1000), 0, clock, forever));
	expect(deltas.join("")).toHaveLength(1000);
	expect(deltas.length).toBeGreaterThan(10);
	expect(clock.pending).toBe(0);
});

test("never cuts a character in two", async () => {
	const text = "👍🏽".repeat(100);
	for (let lead = 0; lead < 64; lead += 1) {
		const whole = "a".repeat(lead) + text;
		const deltas = await gather(paceText(whole, 0, createFakeClock(), forever));
		expect(deltas.join("")).toBe(whole);
		expect(deltas.every(delta => delta.isWellFormed())).toBe(true);
	}
});

test("ends at once when told, and leaves no timer", async () => {
	const clock = createFakeClock();
	const leaving = new AbortController();
	const done = gather(paceText("x".repeat(1000), 30, clock, leaving.signal));
	await clock.advance(100);
	expect(clock.pending).toBe(1);
	leaving.abort();
	await expect(done).rejects.toMatchObject({ name: "AbortError" });
	expect(clock.pending).toBe(0);
});

test("has nothing to say about an empty text", async () => {
	expect(await gather(paceText("", 600, createFakeClock(), forever))).toEqual([]);
});
