// @module-tag thorough
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { VideoJob, VideoJobState } from "../../../src/video/job/videoJob.ts";
import { encodeRecord } from "../../../src/video/store/videoJobStore.ts";
import { countFileWork } from "../../helpers/videoFileCounts.ts";
import { atRest } from "../../helpers/videoIdle.ts";
import { endpointOf, generation, makeVideoBench } from "../../helpers/videoService.ts";

const states: readonly VideoJobState[] = [
	{ name: "ready", file: "/videos/a.mp4", size: 1, format: "mp4", savedAt: 0 },
	{ name: "linkExpired", status: 403 },
	{ name: "submissionUnknown" },
	{ name: "goneAtService" },
];

interface Work {
	readonly atStart: Record<string, number>;
	readonly inAQuietMinute: Record<string, number>;
	readonly forOneLookup: Record<string, number>;
	readonly forOneRemoval: Record<string, number>;
	readonly changesHeard: number;
}

/** What files are worked on, and how much is heard, among so many jobs of which one is being made. */
async function workAmong(count: number): Promise<Work> {
	const bench = await makeVideoBench();
	bench.jobs.dispose();
	bench.service.onPoll = generation("in_progress");
	await mkdir(bench.records, { recursive: true });
	const job = (id: string, state: VideoJobState): VideoJob => ({
		id,
		request: { kind: "text", prompt: `Video ${id}` },
		endpoint: endpointOf(bench.service.url),
		createdAt: bench.clock.now(),
		submissions: 1,
		generationId: id,
		state,
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
	});
	for (let index = 0; index < count; index += 1) {
		const state = states[index % states.length] ?? { name: "goneAtService" };
		const id = `job-${index}`;
		await writeFile(join(bench.records, `${id}.json`), encodeRecord(job(id, state)));
	}
	const counts = countFileWork();
	const worked = async (step: () => Promise<unknown>): Promise<Record<string, number>> => {
		counts.clear();
		await step();
		await atRest();
		return Object.fromEntries(counts);
	};
	const opened: Awaited<ReturnType<typeof bench.open>>[] = [];
	const atStart = await worked(async () => opened.push(await bench.open()));
	const [jobs] = opened;
	let changesHeard = 0;
	jobs?.onDidChangeJob(() => {
		changesHeard += 1;
	});
	await bench.pass(60_000);
	const inAQuietMinute = await worked(() => bench.pass(60_000));
	const forOneRemoval = await worked(async () => {
		await jobs?.remove("job-0");
		await bench.pass(40);
	});
	await jobs?.checkAgain("job-1");
	await bench.reach("job-1", "inProgress", jobs ? { jobs } : {});
	await bench.pass(25_000);
	const polls = bench.service.polls;
	const forOneLookup = await worked(async () => {
		while (bench.service.polls === polls) {
			await bench.clock.step(1_000);
		}
	});
	return { atStart, inAQuietMinute, forOneLookup, forOneRemoval, changesHeard };
}

test("G23: among a thousand jobs a change, a lookup and a quiet minute cost what they cost among ten; only the start reads them all, once", async () => {
	const few = await workAmong(10);
	const many = await workAmong(1_000);
	expect(many.atStart["readFile"]).toBe(1_000);
	expect(many.inAQuietMinute).toEqual(few.inAQuietMinute);
	expect(many.inAQuietMinute["readFile"] ?? 0).toBe(0);
	expect(many.forOneRemoval).toEqual(few.forOneRemoval);
	// A look through the folder falls into this time; it reads so many of the resting ones and no more.
	const readNow = (work: Work): number => work.forOneLookup["readFile"] ?? 0;
	expect(readNow(many)).toBeLessThanOrEqual(readNow(few) + 32);
	expect({ ...many.forOneLookup, readFile: 0 }).toEqual({ ...few.forOneLookup, readFile: 0 });
	expect(many.changesHeard).toBe(few.changesHeard);
}, 60_000);
