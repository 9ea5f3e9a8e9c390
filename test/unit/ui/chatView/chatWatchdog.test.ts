import { expect, test } from "vitest";
import { delay } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { ChatWatchdog } from "../../../../src/ui/chatView/chatWatchdog.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

/** A page that loads and answers as a test says, and what was done to it and when. */
function setUp(isLoading = true) {
	const clock = createFakeClock();
	const done: string[] = [];
	const page = {
		loadMs: (isLoading ? 100 : undefined) as number | undefined,
		answerMs: 5 as number | undefined,
		isShown: true,
		windowMs: 2,
		isWindowAsked: false,
		takesPings: true,
		pings: 0,
	};
	const after = (ms: number | undefined, then: () => void): void => {
		if (ms !== undefined) {
			clock.setTimer(ms, then);
		}
	};
	const load = (): void => {
		watchdog.hidden();
		watchdog.shown();
		after(page.loadMs, () => watchdog.keepAlive());
	};
	const watchdog = new ChatWatchdog(
		{
			ping: async () => {
				page.pings += 1;
				await delay(page.windowMs, undefined, clock);
				if (page.takesPings) {
					after(page.answerMs, () => watchdog.answered(page.isShown));
				}
				return page.takesPings;
			},
			windowAnswers: () => {
				page.isWindowAsked = true;
				return delay(page.windowMs, undefined, clock);
			},
			replace: () => {
				done.push(`replaced at ${clock.monotonic()}`);
				load();
				return Promise.resolve();
			},
			showCrashed: () => void done.push(`crashed at ${clock.monotonic()}`),
		},
		clock,
		silentLog,
	);
	/** Lets time pass until something is true, ten seconds at most. */
	const until = async (isTrue: () => boolean): Promise<void> => {
		for (let ms = 0; ms < 10_000 && !isTrue(); ms += 10) {
			await clock.advance(10);
		}
		expect(isTrue()).toBe(true);
	};
	load();
	return { clock, done, page, until, watchdog };
}

test("a page that answers is left alone, and asked about once a second", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(60_000);
	expect(done).toEqual([]);
	expect(page.pings).toBeGreaterThan(50);
	expect(page.pings).toBeLessThanOrEqual(60);
});

test("L4: a page that dies is replaced within three seconds, once, and goes on", async () => {
	const { clock, done, page, until } = setUp();
	await clock.advance(5000);
	page.answerMs = undefined;
	const diedAt = clock.monotonic();
	await until(() => done.length === 1);
	page.answerMs = 5;
	expect(Number(done[0]?.split(" at ")[1]) - diedAt).toBeLessThan(2800);
	await clock.advance(60_000);
	expect(done).toHaveLength(1);
});

test("L4: a page whose document was emptied is replaced at its next answer", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(5000);
	page.isShown = false;
	await clock.advance(1100);
	expect(done).toHaveLength(1);
});

test("L4: a page that fails again within a minute is shown as crashed, and then left alone", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(5000);
	page.answerMs = undefined;
	await clock.advance(20_000);
	expect(done.map(entry => entry.split(" ")[0])).toEqual(["replaced", "crashed"]);
	await clock.advance(600_000);
	expect(done).toHaveLength(2);
});

test("L4: a page that hangs in a process it shares with the next one is shown as crashed when that does not load", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(5000);
	page.answerMs = undefined;
	page.loadMs = undefined;
	await clock.advance(8000);
	expect(done.map(entry => entry.split(" ")[0])).toEqual(["replaced", "crashed"]);
});

test("a page that fails an hour later is replaced again", async () => {
	const { clock, done, page, until } = setUp();
	for (let round = 1; round <= 3; round++) {
		page.isShown = false;
		await until(() => done.length === round);
		page.isShown = true;
		await clock.advance(3_600_000);
	}
});

test("L4: a page that never loads is replaced after ten seconds, and reported after fifteen", async () => {
	const { clock, done } = setUp(false);
	await clock.advance(30_000);
	expect(done.map(entry => entry.split(" ")[0])).toEqual(["replaced", "crashed"]);
	expect(done[0]).toBe("replaced at 10002");
});

test("L4: a script that cannot be loaded is asked for once more, then reported", () => {
	const { clock, done, watchdog } = setUp();
	return [0, 1]
		.reduce(async before => {
			await before;
			watchdog.scriptFailed();
			await clock.advance(50);
		}, Promise.resolve())
		.then(() => {
			expect(done.map(entry => entry.split(" ")[0])).toEqual(["replaced", "crashed"]);
		});
});

test("a silent page is asked again while the window itself is busy", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(5000);
	page.answerMs = undefined;
	page.windowMs = 2000;
	await clock.advance(30_000);
	expect(done).toEqual([]);
	page.answerMs = 5;
	page.windowMs = 2;
	await clock.advance(30_000);
	expect(done).toEqual([]);
});

test("an answer that comes while the window is asked clears the page", async () => {
	const { clock, done, page, until, watchdog } = setUp();
	await clock.advance(5000);
	page.answerMs = undefined;
	page.windowMs = 300;
	await until(() => page.isWindowAsked);
	watchdog.answered(true);
	page.answerMs = 5;
	await clock.advance(10_000);
	expect(done).toEqual([]);
});

test("a ping that the window does not deliver is sent again and says nothing about the page", async () => {
	const { clock, done, page } = setUp();
	await clock.advance(5000);
	page.takesPings = false;
	await clock.advance(30_000);
	page.takesPings = true;
	await clock.advance(30_000);
	expect(done).toEqual([]);
});

test("a hidden page is not asked", async () => {
	const { clock, done, page, watchdog } = setUp();
	await clock.advance(5000);
	watchdog.hidden();
	const { pings } = page;
	await clock.advance(600_000);
	expect(page.pings).toBe(pings);
	expect(done).toEqual([]);
});

test("Reload replaces a page that was shown as crashed, and watches it again", async () => {
	const { clock, done, page, watchdog } = setUp();
	page.isShown = false;
	await clock.advance(10_000);
	page.isShown = true;
	expect(done.map(entry => entry.split(" ")[0])).toEqual(["replaced", "crashed"]);
	await watchdog.reload();
	page.isShown = false;
	await clock.advance(1500);
	expect(done.map(entry => entry.split(" ")[0]).slice(2)).toEqual(["replaced", "replaced"]);
});

test("nothing is done after it was disposed of", async () => {
	const { clock, done, page, watchdog } = setUp();
	page.answerMs = undefined;
	watchdog.dispose();
	await clock.advance(600_000);
	expect(done).toEqual([]);
});
