import { expect, test } from "vitest";
import { createNoticeTicker } from "../../../../src/ui/chat/noticeTicker.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

test("H8: the countdown is said once a second until something else happens", async () => {
	const clock = createFakeClock();
	const said: (string | undefined)[] = [];
	const ticker = createNoticeTicker(clock, sentence => said.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	await clock.advance(2000);
	ticker.clear();
	await clock.advance(5000);
	expect(said).toEqual([
		"The service asks you to wait. Trying again in 3 s…",
		"The service asks you to wait. Trying again in 2 s…",
		"The service asks you to wait. Trying again in 1 s…",
		undefined,
	]);
	expect(clock.pending).toBe(0);
});

test("taking back a notice that does not stand says nothing", () => {
	const said: (string | undefined)[] = [];
	const ticker = createNoticeTicker(createFakeClock(), sentence => said.push(sentence));
	ticker.clear();
	ticker.show({ type: "silent" });
	ticker.clear();
	ticker.clear();
	expect(said).toEqual(["Still waiting…", undefined]);
});

test("a notice that was forgotten is not taken back later", async () => {
	const clock = createFakeClock();
	const said: (string | undefined)[] = [];
	const ticker = createNoticeTicker(clock, sentence => said.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	ticker.forget();
	ticker.clear();
	await clock.advance(5000);
	expect(said).toEqual(["The service asks you to wait. Trying again in 3 s…"]);
	expect(clock.pending).toBe(0);
});
