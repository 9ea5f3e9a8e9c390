import { expect, test } from "vitest";
import { delay } from "../../../src/common/async.ts";
import { silentLog } from "../../../src/common/log.ts";
import { ViewRevival } from "../../../src/ui/viewRevival.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";

/** A page that loads (its first document after so long), answers and dies as a test says, and what was done to it and when. */
function setUp(firstLoadMs = 100) {
	const clock = createFakeClock();
	const done: string[] = [];
	const page = {
		loadMs: firstLoadMs as number | undefined,
		answerMs: 5 as number | undefined,
		isShown: true,
		windowMs: 2,
		idleShare: 0.8,
		takesPings: true,
		/** Whether its process hangs, which every page but one in another process shares. */
		isHanging: false,
	};
	const after = (ms: number | undefined, then: () => void): void => {
		if (ms !== undefined && Number.isFinite(ms) && !page.isHanging) {
			clock.setTimer(ms, then);
		}
	};
	const load = (): void => {
		// VS Code drops the frame first.
		revival.tell({ type: "hidden" });
		revival.tell({ type: "shown" });
		after(page.loadMs, () => revival.tell({ type: "loaded" }));
	};
	const note = (what: string): void => void done.push(`${what} at ${clock.monotonic()}`);
	const revival = new ViewRevival(
		{
			ping: async beat => {
				await delay(page.windowMs, undefined, clock);
				if (page.takesPings) {
					after(page.answerMs, () =>
						revival.tell({ type: "answered", beat, isShown: page.isShown }),
					);
				}
				return page.takesPings;
			},
			reach: async () => {
				await delay(page.windowMs, undefined, clock);
				return !page.isHanging || new Promise<boolean>(() => undefined);
			},
			idleShare: () => page.idleShare,
			windowAnswers: () => delay(page.windowMs, undefined, clock),
			redraw: () => {
				note("redraw");
				load();
			},
			replace: () => {
				note("replace");
				load();
				return Promise.resolve();
			},
			changeView: () => {
				note("change view");
				page.isHanging = false;
				load();
				return Promise.resolve();
			},
			giveUp: () => note("give up"),
		},
		clock,
		silentLog,
	);
	/** Text flows into the page for a while, 60 times a second. */
	const stream = async (ms: number): Promise<void> => {
		for (let passed = 0; passed < ms; passed += 16) {
			revival.tell({ type: "sent", characters: 10 });
			await clock.advance(16);
		}
	};
	load();
	return { clock, done, page, revival, stream };
}

test("a page that answers is left alone, however long text flows into it or nothing happens", async () => {
	const { clock, done, stream } = setUp();
	await stream(60_000);
	await clock.advance(3_600_000);
	expect(done).toEqual([]);
});

test("L4: a page that falls silent in mid-stream has a new frame within 0.6 s", async () => {
	const { clock, done, page, stream } = setUp();
	await stream(5000);
	const diedAt = clock.monotonic();
	page.answerMs = undefined;
	await stream(2000);
	const [first] = done;
	const at = Number(first?.replace("replace at ", ""));
	expect(at - diedAt).toBeGreaterThan(350);
	expect(at - diedAt).toBeLessThan(600);
});

test("L4: a page that died while nothing happened is made anew within a second of the first text", async () => {
	const { clock, done, page, stream } = setUp();
	await clock.advance(10_000);
	page.answerMs = undefined;
	const diedAt = clock.monotonic();
	await stream(1000);
	expect(done).toHaveLength(1);
	expect(Number(done[0]?.replace("replace at ", "")) - diedAt).toBeLessThan(1000);
});

test("L4: a page that answers and shows nothing is made anew at its next answer", async () => {
	const { done, page, stream } = setUp();
	await stream(3000);
	page.isShown = false;
	await stream(250);
	expect(done).toHaveLength(1);
});

test("L4: a page that falls silent and then says that it shows nothing is made anew once, for what it said", async () => {
	const { done, page, stream } = setUp();
	await stream(3000);
	page.isShown = false;
	page.answerMs = 380;
	await stream(600);
	expect(done.map(entry => entry.replace(/ at .*/, ""))).toEqual(["redraw"]);
});

test("L4: a view that does not come up at first has a new frame after ten seconds", async () => {
	const { clock, done, page } = setUp(Number.POSITIVE_INFINITY);
	await clock.advance(9_900);
	expect(done).toEqual([]);
	page.loadMs = 100;
	await clock.advance(60_000);
	expect(done).toHaveLength(1);
	expect(done[0]).toMatch(/^replace at 100\d\d$/);
});

test("L4: a page whose process hangs is made good in another process within one and a half seconds", async () => {
	const { clock, done, page, stream } = setUp();
	await stream(5000);
	const diedAt = clock.monotonic();
	page.isHanging = true;
	await stream(5000);
	expect(done.map(entry => entry.replace(/ at .*/, ""))).toEqual(["replace", "change view"]);
	expect(Number(done[1]?.replace(/.* at /, "")) - diedAt).toBeLessThan(1500);
});

test("a script that cannot be loaded is asked for again at once", async () => {
	const { clock, done, revival } = setUp();
	await clock.advance(50);
	revival.tell({ type: "scriptFailed" });
	await clock.advance(5);
	expect(done).toEqual(["redraw at 52"]);
});

test("a frame whose second document does not come up either is replaced, and the third time nothing more is tried", async () => {
	const { clock, done, page, stream } = setUp();
	await stream(3000);
	page.isShown = false;
	page.loadMs = undefined;
	await stream(60_000);
	expect(done.map(entry => entry.replace(/ at .*/, ""))).toEqual([
		"redraw",
		"replace",
		"replace",
		"give up",
	]);
	await clock.advance(600_000);
	expect(done).toHaveLength(4);
});

test("a person's word opens a page that was given up, with three more tries", async () => {
	const { clock, done, page, revival, stream } = setUp();
	page.answerMs = undefined;
	page.loadMs = undefined;
	await stream(60_000);
	page.answerMs = 5;
	page.loadMs = 100;
	done.length = 0;
	revival.tell({ type: "asked" });
	await clock.advance(60_000);
	expect(done).toHaveLength(1);
});

test("a page in the middle of work of known size is given the time for it", async () => {
	const { clock, done, page, revival, stream } = setUp();
	await stream(3000);
	revival.tell({ type: "sent", characters: 1_000_000 });
	page.answerMs = 4000;
	await clock.advance(6000);
	expect(done).toEqual([]);
});

test("a page that has been slow before is not taken for dead when it is slow again", async () => {
	const { done, page, stream } = setUp();
	await stream(1000);
	page.answerMs = 400;
	await stream(3000);
	page.answerMs = 1200;
	await stream(3000);
	expect(done).toEqual([]);
});

test("a slow page that was taken for dead is given more time afterwards, and is not made anew for ever", async () => {
	const { done, page, stream } = setUp();
	await stream(2000);
	page.answerMs = 900;
	await stream(30_000);
	expect(done).toHaveLength(1);
});

test("a window that is busy or gone says nothing about its page", async () => {
	const { clock, done, page, stream } = setUp();
	await stream(2000);
	page.windowMs = 5000;
	await stream(20_000);
	page.takesPings = false;
	page.answerMs = undefined;
	await clock.advance(60_000);
	expect(done).toEqual([]);
});

test("a page that did not answer because its window was busy meanwhile is asked once more", async () => {
	const { clock, done, page, revival, stream } = setUp();
	await stream(2000);
	page.answerMs = 3000;
	// The window takes the ping at once and is busy from then on.
	await clock.advance(210);
	page.windowMs = 2900;
	await clock.advance(4000);
	page.windowMs = 2;
	page.answerMs = 5;
	await clock.advance(10_000);
	revival.tell({ type: "sent", characters: 1 });
	expect(done).toEqual([]);
});

test("a page whose answer comes while its window is asked is left alone", async () => {
	const { done, page, stream } = setUp();
	await stream(2000);
	page.answerMs = 390;
	await stream(30_000);
	expect(done).toEqual([]);
});

test("L4: a silent page on a machine with nothing idle is given 0.6 s more, and is made anew after it", async () => {
	const { clock, done, page, stream } = setUp();
	await stream(2000);
	page.idleShare = 0.02;
	page.answerMs = 800;
	await stream(800);
	page.answerMs = 5;
	await stream(3000);
	expect(done).toEqual([]);
	const diedAt = clock.monotonic();
	page.answerMs = undefined;
	await stream(900);
	expect(done).toEqual([]);
	await stream(500);
	expect(done).toHaveLength(1);
	expect(Number(done[0]?.replace("replace at ", "")) - diedAt).toBeLessThan(1300);
});

test("a hidden view is not asked, and costs no timer", async () => {
	const { clock, done, page, revival, stream } = setUp();
	await stream(2000);
	page.answerMs = undefined;
	revival.tell({ type: "hidden" });
	await stream(30_000);
	await clock.advance(60_000);
	expect(done).toEqual([]);
	expect(clock.pending).toBe(0);
});

test("asking costs two timers at most, and none is left when it is over", async () => {
	const { clock, revival, stream } = setUp();
	await stream(2000);
	expect(clock.pending).toBeLessThanOrEqual(2);
	revival.dispose();
	await clock.advance(10);
	expect(clock.pending).toBe(0);
});
