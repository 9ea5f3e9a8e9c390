import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Submitter } from "../../../../src/video/job/videoJob.ts";
import { generation, makeVideoBench, type VideoBench } from "../../../helpers/videoService.ts";

const minute = 60_000;

/** Makes the record of a running job one of another program. */
async function submittedBy(bench: VideoBench, submitter: Partial<Submitter>): Promise<string> {
	bench.service.onPoll = generation("in_progress");
	const id = await bench.submit();
	await bench.reach(id, "inProgress");
	bench.jobs.dispose();
	await bench.pass(5_000);
	const path = join(bench.records, `${id}.json`);
	const record = JSON.parse(await readFile(path, "utf8"));
	Object.assign(record.job.submitter, submitter);
	await writeFile(path, JSON.stringify(record));
	return id;
}

test("J20: a video whose window gives no sign for ten minutes is asked about by another, not before", async () => {
	const bench = await makeVideoBench();
	const id = await submittedBy(bench, { host: "another-machine" });
	const { polls, posts } = bench.service;
	const other = await bench.open();
	await bench.pass(9 * minute);
	expect(bench.service.polls).toBe(polls);
	bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
	await bench.reach(id, "ready", { jobs: other });
	expect(bench.service.posts).toBe(posts);
});

test("J20: a video whose window shows itself in the record is left to it", async () => {
	const bench = await makeVideoBench();
	const id = await submittedBy(bench, { host: "another-machine" });
	const { polls } = bench.service;
	await bench.open();
	const path = join(bench.records, `${id}.json`);
	for (let check = 1; check <= 6; check += 1) {
		await bench.pass(5 * minute);
		const record = JSON.parse(await readFile(path, "utf8"));
		record.job.watch.watchedMs += minute;
		await writeFile(path, JSON.stringify(record));
	}
	expect(bench.service.polls).toBe(polls);
});

test("J20: a video whose window's program has ended is asked about at once", async () => {
	const bench = await makeVideoBench();
	await submittedBy(bench, { host: hostname(), pid: 2 ** 22 + 12_345 });
	const { polls } = bench.service;
	await bench.open();
	await bench.pass(2_000);
	expect(bench.service.polls).toBeGreaterThan(polls);
});

test("J24: a clock that jumps takes no video from its window", async () => {
	const bench = await makeVideoBench();
	await submittedBy(bench, { host: "another-machine" });
	const { polls } = bench.service;
	await bench.open();
	bench.clock.jump(86_400_000);
	await bench.pass(minute);
	expect(bench.service.polls).toBe(polls);
});

test("J20: of several windows one takes over a video, and none orders it again", async () => {
	const bench = await makeVideoBench();
	const id = await submittedBy(bench, { host: hostname(), pid: 2 ** 22 + 12_345 });
	const { posts, log } = bench.service;
	bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
	const windows = await Promise.all(Array.from({ length: 6 }, () => bench.open()));
	for (const jobs of windows) {
		await bench.reach(id, "ready", { jobs });
	}
	expect(log.filter(({ line }) => line.includes("clip"))).toHaveLength(1);
	expect(bench.service.posts).toBe(posts);
});
