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

test("S21: a model that loads and reads says for how long, from five seconds on", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	ticker.show({ type: "progress", stage: "loading" });
	await clock.advance(4_000);
	expect(shown).toEqual([]);
	await clock.advance(2_000);
	expect(shown).toEqual(["Loading the model… 5 s", "Loading the model… 6 s"]);
	shown.length = 0;
	ticker.show({ type: "progress", stage: "reading" });
	for (let told = 0; told < 12; told += 1) {
		await clock.advance(10_000);
		ticker.show({ type: "progress", stage: "reading" });
	}
	expect([shown[0], shown[1], shown.at(-1)]).toEqual([
		undefined,
		"Reading the prompt… 5 s",
		"Reading the prompt… 2 min",
	]);
	ticker.clear();
	expect(shown.at(-1)).toBeUndefined();
	expect(clock.pending).toBe(0);
});

test("S21: how much of the prompt is read is shown from one second on, as soon as more is", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	for (const share of [0.1, 0.405, 0.8]) {
		ticker.show({ type: "progress", stage: "reading", share });
		await clock.advance(700);
	}
	expect(shown).toEqual(["Reading the prompt… 40%", "Reading the prompt… 80%"]);
	ticker.dispose();
});

test("S21: an answer that goes on in silence says so after 15 seconds, once", async () => {
	const clock = createFakeClock();
	const shown: (string | undefined)[] = [];
	const ticker = new NoticeTicker(clock, sentence => shown.push(sentence));
	for (let told = 0; told < 4; told += 1) {
		ticker.show({ type: "progress", stage: "working" });
		await clock.advance(10_000);
	}
	expect(shown).toEqual(["Still waiting…"]);
	ticker.dispose();
});
