import { expect, test } from "vitest";
import {
	nextPollMs,
	staggerMs,
	wakeSpreadMs,
} from "../../../../src/video/job/generationReading.ts";
import type { VideoJob, VideoJobState } from "../../../../src/video/job/videoJob.ts";

const minute = 60_000;
const hour = 60 * minute;

function jobAt(watchedMs: number, state: VideoJobState = { name: "inProgress" }): VideoJob {
	return {
		id: "a",
		request: { kind: "text", prompt: "p" },
		endpoint: { kind: "local", baseUrl: "", origin: "local", label: "Local service" },
		createdAt: 0,
		submissions: 1,
		generationId: "g",
		state,
		watch: { watchedMs, round: 1 },
		ignoresSizeLimit: false,
	};
}

/** The pauses of a job watched for `ms`, each drawn with this number. */
function pauses(ms: number, random: number): number[] {
	const all: number[] = [];
	for (let watched = 0; watched < ms;) {
		const pause = nextPollMs(jobAt(watched), () => random);
		all.push(pause);
		watched += pause;
	}
	return all;
}

test("J5: pauses are 2, 3, 5, 8, 12 and 15 seconds, then 15", () => {
	expect(pauses(70_000, 0.5).map(pause => pause / 1000)).toEqual([2, 3, 5, 8, 12, 15, 15, 15]);
});

test.each([0, 0.25, 0.75, 0.999])(
	"J5: jitter of %d keeps the order of the pauses within 20 %",
	random => {
		const factor = 0.8 + 0.4 * random;
		const seconds = pauses(60_000, random).map(pause => Math.round(pause / factor / 100) / 10);
		expect(seconds.slice(0, 6)).toEqual([2, 3, 5, 8, 12, 15]);
	},
);

test.each([0, 0.5, 0.999])(
	"J5, G23: jitter %d: at most 240 lookups in the first hour, 12 in an hour after three",
	random => {
		expect(pauses(hour, random).length).toBeLessThanOrEqual(240);
		const late = nextPollMs(jobAt(3 * hour + 1), () => random);
		expect(hour / late).toBeLessThanOrEqual(12);
		expect(nextPollMs(jobAt(30 * minute + 1), () => random)).toBeGreaterThanOrEqual(minute);
	},
);

test("J5: a service that asks for a longer pause gets it, up to five minutes", () => {
	const failure = { kind: "rateLimited", charge: "refused" } as const;
	const wait = (retryAfterMs: number): number =>
		nextPollMs(
			jobAt(minute, {
				name: "inProgress",
				problem: { failure: { ...failure, retryAfterMs }, count: 1 },
			}),
			() => 0.5,
		);
	expect(wait(40_000)).toBe(40_000);
	expect(wait(1_000)).toBe(15_000);
	expect(wait(24 * hour)).toBe(5 * minute);
});

test("J7: a status that reads like a failure is asked about once a minute", () => {
	const state = {
		name: "unusualStatus",
		status: "failed",
		readsLikeFailure: true,
		checksLeft: 9,
	} as const;
	expect(nextPollMs(jobAt(0, state), () => 0)).toBe(minute);
});

test("J23: jobs that wake together are spread over less than five seconds", () => {
	const times = Array.from({ length: 200 }, (_, index) => staggerMs(index, 200));
	expect(Math.max(...times)).toBeLessThan(wakeSpreadMs);
	expect(new Set(times).size).toBeGreaterThan(150);
	expect(staggerMs(0, 1)).toBe(0);
});
