import { expect, test } from "vitest";
import { NoticeTicker } from "../../../../src/ui/chat/noticeTicker.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

test("H8: the countdown is updated once a second until something else happens", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	await clock.advance(2000);
	ticker.clear();
	await clock.advance(5000);
	expect(shown).toEqual([
		"The service asks you to wait. Trying again in 3 s…",
		"The service asks you to wait. Trying again in 2 s…",
		"The service asks you to wait. Trying again in 1 s…",
		undefined,
	]);
	expect(clock.pending).toBe(0);
});

test("taking back a notice that does not stand says nothing", () => {
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(createFakeClock(), sentence => shown.push(sentence));
	ticker.clear();
	ticker.show({ type: "silent" });
	ticker.clear();
	ticker.clear();
	expect(shown).toEqual(["Still waiting…", undefined]);
});

test("a notice that was forgotten is not taken back later", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "retrying", attempt: 1, delayMs: 3000, reason: "rateLimited" });
	ticker.forget();
	ticker.clear();
	await clock.advance(5000);
	expect(shown).toEqual(["The service asks you to wait. Trying again in 3 s…"]);
	expect(clock.pending).toBe(0);
});
