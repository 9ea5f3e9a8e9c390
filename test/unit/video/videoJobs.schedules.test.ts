import { expect, test } from "vitest";
import type { VideoJobs } from "../../../src/video/videoJobs.ts";
import { createRandom, type Random } from "../../helpers/random.ts";
import {
	type Answer,
	breakOff,
	clip,
	generation,
	json,
	makeVideoBench,
	type VideoBench,
} from "../../helpers/videoService.ts";

/** A POST that the service may have charged, or refused; none is repeated by the client. */
const creations: Answer[] = [
	breakOff,
	json({}, 500),
	json({ success: true }),
	json({ success: false }),
	json({ success: true, generation_id: "x1" }),
	json({ success: true, generation_id: "x2" }),
	json({}, 401),
];

/** `npm run test:long` runs 300; `CUTAWAY_SCHEDULES=10000` proves more. */
const schedules = Number(process.env["CUTAWAY_SCHEDULES"] ?? 3);
const firstSeed = Number(process.env["CUTAWAY_SEED"] ?? 20_261_120);
const steps = 25;

function polls({ service }: VideoBench, random: Random): Answer {
	return random.pick<Answer>([
		breakOff,
		json({}, 500),
		json({}, 404),
		json({}, 401),
		generation("in_progress"),
		generation("failed"),
		generation("complete"),
		generation("complete", `${service.url}/clip.mp4`),
		generation(7),
	]);
}

/** One thing a user or a machine does; gives how many clicks that cost it was. */
async function act(bench: VideoBench, windows: VideoJobs[], random: Random): Promise<number> {
	const { service } = bench;
	const jobs = random.pick(windows);
	const job = jobs.jobs.length > 0 ? random.pick(jobs.jobs) : undefined;
	service.onCreate = random.pick(creations);
	service.onPoll = polls(bench, random);
	service.onClip = random.pick<Answer>([clip(), breakOff, json({}, 403)]);
	switch (random.below(10)) {
		case 0:
		case 1:
			await jobs.submit({ kind: "text", prompt: "Again and again" });
			return 1;
		case 2:
			await (job && jobs.submitAgain(job.id));
			return job && ["notSubmitted", "submissionUnknown"].includes(job.state.name) ? 1 : 0;
		case 3:
			await (job && jobs.checkAgain(job.id));
			return 0;
		case 4:
			await (job && jobs.stopWatching(job.id));
			return 0;
		case 5:
			await (job && (random.below(2) ? jobs.remove(job.id) : jobs.restore(job.id)));
			return 0;
		case 6:
			jobs.connectionsChanged();
			return 0;
		case 7:
			bench.clock.jump(random.below(20) * 3_600_000 - 36_000_000);
			return 0;
		case 8:
			windows.splice(windows.indexOf(jobs), 1, await bench.open());
			jobs.dispose();
			return 0;
		default:
			await bench.pass(random.below(60_000));
			return 0;
	}
}

/** Runs the schedule of a seed; throws when a step sends another number of paid requests than it has clicks. */
async function runSchedule(seed: number): Promise<void> {
	const random = createRandom(seed);
	const bench = await makeVideoBench();
	const windows = [bench.jobs, await bench.open()];
	let clicks = 0;
	for (let step = 0; step < steps; step += 1) {
		const before = bench.service.posts;
		const clicked = await act(bench, windows, random);
		await bench.pass(random.pick([40, 1_500]));
		clicks += clicked;
		expect({ step, posts: bench.service.posts - before }).toEqual({ step, posts: clicked });
	}
	await bench.pass(120_000);
	expect(bench.service.posts).toBe(clicks);
	await bench.close();
}

test(
	"T8, G1: over random schedules of clicks, faults, reloads, two windows and a jumping clock, every step sends exactly as many paid requests as it has clicks",
	async () => {
		for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
			try {
				await runSchedule(seed);
			} catch (error) {
				throw new Error(`The schedule of seed ${seed} went wrong`, { cause: error });
			}
		}
	},
	60_000 + schedules * 5_000,
);
