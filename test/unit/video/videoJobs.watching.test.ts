// @module-tag thorough
import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { maxPollsAtOnce } from "../../../src/video/job/generationReading.ts";
import {
	cannotCheckAfter,
	isUnusuallyLong,
	type VideoJob,
} from "../../../src/video/job/videoJob.ts";
import type { VideoJobs } from "../../../src/video/videoJobs.ts";
import { encodeRecord } from "../../../src/video/store/videoJobStore.ts";
import { canaryKey } from "../../helpers/clientHarness.ts";
import { atRest } from "../../helpers/videoIdle.ts";
import {
	generation,
	json,
	makeVideoBench,
	pollTimes,
	type VideoBench,
} from "../../helpers/videoService.ts";

const minute = 60_000;

const pauses = (times: readonly number[]): number[] =>
	times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) * 1000) / 1000);

function assertDefined<T>(value: T | undefined): T {
	if (value === undefined) {
		throw new Error("It is not there");
	}
	return value;
}

/** Closes a window and opens another in which the job has been watched for so long. */
async function reopenAfter(
	bench: VideoBench,
	id: string,
	watchedMs: number,
	jobs = bench.jobs,
): Promise<VideoJobs> {
	const job = assertDefined(jobs.job(id));
	jobs.dispose();
	await atRest();
	const record = encodeRecord({ ...job, watch: { ...job.watch, watchedMs } });
	await writeFile(join(bench.records, `${id}.json`), record);
	return await bench.open();
}

describe("watching", () => {
	test("J5: failing checks go on to the second of the schedule, are counted, and a good one clears them", async () => {
		const bench = await makeVideoBench();
		const times = pollTimes(bench, json({}, 500));
		const id = await bench.submit();
		await bench.pass(70_000);
		expect(times).toEqual([2, 5, 10, 18, 30, 45, 60]);
		expect(cannotCheckAfter).toBe(5);
		expect(bench.state(id)).toMatchObject({ problem: { failure: { status: 500 }, count: 7 } });
		bench.service.onPoll = generation("in_progress");
		await bench.pass(5_000);
		expect(bench.state(id)).toEqual({ name: "inProgress" });
	});

	test("J6, G23: a job without end is shown as slow, never as failed, and asked ever more rarely until a day has passed", async () => {
		const bench = await makeVideoBench();
		const times = pollTimes(bench, generation("in_progress"));
		const id = await bench.submit();
		const job = (jobs = bench.jobs): VideoJob => assertDefined(jobs.job(id));
		await bench.pass(30 * minute - 1);
		expect(isUnusuallyLong(job())).toBe(false);
		await bench.pass(1);
		expect(isUnusuallyLong(job())).toBe(true);
		expect(job().state).toEqual({ name: "inProgress" });
		await bench.pass(5 * minute);
		expect(times.slice(0, 6)).toEqual([2, 5, 10, 18, 30, 45]);
		expect(pauses(times.slice(5))).toEqual([...Array(118).fill(15), ...Array(4).fill(66)]);

		const later = await reopenAfter(bench, id, 176 * minute);
		times.length = 0;
		await bench.pass(66 * minute);
		// The first lookup comes at once after a restart.
		expect(pauses(times)).toEqual([...Array(4).fill(66), ...Array(11).fill(330)]);
		expect(job(later).state).toEqual({ name: "inProgress" });

		const last = await reopenAfter(bench, id, 24 * 60 * minute - 331_000, later);
		times.length = 0;
		await bench.pass(330_000);
		expect(job(last).state).toEqual({ name: "inProgress" });
		await bench.pass(330_000);
		expect(job(last).state).toEqual({ name: "watchingStopped", by: "time" });
		await bench.pass(60 * minute);
		expect(times).toHaveLength(3);
		expect(bench.service.posts).toBe(1);
	}, 60_000);

	test("J5: lookups whose replies drip without end give their places to the jobs that wait", async () => {
		const bench = await makeVideoBench();
		const dripping: ServerResponse[] = [];
		const answered = bench.service.onPoll;
		bench.service.onPoll = (_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.write(" ");
			dripping.push(response);
		};
		const ids = [];
		for (let count = 0; count <= maxPollsAtOnce; count += 1) {
			ids.push(await bench.submit());
		}
		await bench.pass(10_000);
		expect([dripping.length, bench.service.mostPolls]).toEqual([maxPollsAtOnce, maxPollsAtOnce]);
		bench.service.onPoll = answered;
		for (let passed = 0; passed < 60_000; passed += 10_000) {
			dripping.forEach(response => response.write(" "));
			await bench.pass(10_000);
		}
		await bench.pass(30_000);
		expect(ids.map(id => bench.state(id)?.name)).toEqual(ids.map(() => "ready"));
	});

	test("J6: stop watching stops, keep watching goes on", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(5_000);
		await bench.jobs.stopWatching(id);
		expect(bench.state(id)).toEqual({ name: "watchingStopped", by: "user" });
		const polls = bench.service.polls;
		await bench.pass(5 * minute);
		expect(bench.service.polls).toBe(polls);
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.jobs.checkAgain(id);
		await bench.reach(id, "ready");
		expect(bench.service.posts).toBe(1);
	});

	test("J7: an unknown status is shown as it came and watched on", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("Queued at 7");
		const id = await bench.submit();
		expect(await bench.reach(id, "unusualStatus")).toMatchObject({
			status: "Queued at 7",
			readsLikeFailure: false,
		});
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready");
	});

	test("J7: a status that reads like a failure is asked ten more times, a minute apart, then believed", async () => {
		const bench = await makeVideoBench();
		const times = pollTimes(bench, generation("Generation FAILED"));
		const id = await bench.submit();
		await bench.reach(id, "unusualStatus");
		await bench.reach(id, "failedByService", { limitMs: 12 * minute });
		expect(times).toEqual([2, ...Array.from({ length: 10 }, (_, index) => 2 + 66 * (index + 1))]);
		expect(bench.state(id)).toEqual({ name: "failedByService", status: "Generation FAILED" });
		expect(bench.service.posts).toBe(1);
	});

	test.each([
		["missing", undefined],
		["a number", 7],
		["null", null],
	])("J8: a status that is %s leaves the last good state", async (_name, status) => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation(status);
		const id = await bench.submit();
		await bench.pass(12_000);
		expect(bench.state(id)).toEqual({ name: "inProgress" });
		bench.service.onPoll = generation("COMPLETE", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready");
	});

	test("J7: the service's own words about a failure are kept, plain, short and without the key", async () => {
		const bench = await makeVideoBench();
		const message = `No \u202eimage at ${canaryKey} ${"x".repeat(100_000)}`;
		bench.service.onPoll = json({ success: true, generation: { status: "failed", message } });
		const id = await bench.submit();
		const beginning = "No image at [key] ";
		const words = `${beginning}${"x".repeat(500 - beginning.length - 1)}…`;
		expect(await bench.reach(id, "unusualStatus")).toMatchObject({ message: words });
		expect(await bench.reach(id, "failedByService", { limitMs: 12 * minute })).toEqual({
			name: "failedByService",
			status: "failed",
			message: words,
		});
		const record = await readFile(join(bench.records, `${id}.json`), "utf8");
		expect(record).not.toContain(canaryKey);
		const next = await bench.open();
		expect(next.job(id)?.state).toMatchObject({ message: words });
	});

	test("J8, J11: without an address, checks that say nothing are counted too", async () => {
		const bench = await makeVideoBench();
		const times: number[] = pollTimes(bench, (request, response) =>
			generation(times.length === 1 ? "complete" : undefined)(request, response),
		);
		const id = await bench.submit();
		await bench.reach(id, "completeWithoutAddress");
		expect(times).toEqual([2, 4, 9, 19, 49]);
	});

	test("J9: a finished job stays finished whatever the service says later", async () => {
		const bench = await makeVideoBench();
		const id = await bench.submit();
		await bench.reach(id, "ready");
		bench.service.onPoll = generation("in_progress");
		const polls = bench.service.polls;
		await bench.pass(10 * minute);
		expect(bench.state(id)?.name).toBe("ready");
		expect(bench.service.polls).toBe(polls);
	});

	test("J9: without a file the newest word counts", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("complete");
		const id = await bench.submit();
		await bench.reach(id, "awaitingAddress");
		bench.service.onPoll = generation("in_progress");
		await bench.reach(id, "inProgress");
	});

	test("J10: a job the service does not know is asked three times over a minute, then gone", async () => {
		const bench = await makeVideoBench();
		const times = pollTimes(bench, json({ message: "not found" }, 404));
		const id = await bench.submit();
		await bench.pass(61_999);
		expect(bench.state(id)?.name).toBe("inProgress");
		await bench.pass(1);
		expect(bench.state(id)).toEqual({ name: "goneAtService" });
		await bench.pass(5 * minute);
		expect(times).toEqual([2, 32, 62]);
	});

	test.each([
		["missing", undefined],
		["null", null],
		["empty", ""],
		["a number", 4],
	])(
		"J11: complete with an address that is %s is asked four more times, then says so",
		async (_name, address) => {
			const bench = await makeVideoBench();
			const times = pollTimes(bench, generation("complete", address));
			const id = await bench.submit();
			await bench.reach(id, "awaitingAddress");
			await bench.reach(id, "completeWithoutAddress");
			expect(times).toEqual([2, 4, 9, 19, 49]);
			bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
			await bench.jobs.checkAgain(id);
			await bench.reach(id, "ready");
			expect(bench.service.posts).toBe(1);
		},
	);
});
