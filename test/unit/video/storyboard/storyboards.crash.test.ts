// @module-tag thorough
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { systemClock } from "../../../../src/common/async.ts";
import type { VideoJob } from "../../../../src/video/job/videoJob.ts";
import { sceneJobs } from "../../../../src/video/storyboard/storyboards.ts";
import { VideoJobs } from "../../../../src/video/videoJobs.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import {
	breathe,
	clipBytes,
	endpointOf,
	generation,
	startVideoService,
	type VideoService,
} from "../../../helpers/videoService.ts";

/** Twenty by default; `npm run test:long`, which asks for forty of other tests, kills two hundred here. */
const kills = 5 * Number(process.env["CUTAWAY_KILLS"] ?? 4);
const seed = Number(process.env["CUTAWAY_SEED"] ?? 11);
const scenesEach = 3;

const bodySchema = z.object({ prompt: z.string() });

test(
	"G7, J4, J19: killed at random points of recording, sending, fetching and joining, no scene of a storyboard is lost and none is sent twice",
	async () => {
		const folder = await makeTempFolder();
		const program = await bundleProgram("storyboardCrashProcess", await makeTempFolder());
		const service = await startVideoService();
		const random = createRandom(seed);
		slowDown(service, random);
		const kept = new Set<string>();
		for (let kill = 0; kill < kills; kill += 2) {
			const outputs = await Promise.all(
				[0, 1].map(side => {
					const child = spawn(process.execPath, [program, folder, service.url, `${kill}-${side}`], {
						stdio: ["ignore", "pipe", "inherit"],
					});
					return runFor(child, service, random);
				}),
			);
			outputs.flat().forEach(line => line.startsWith("kept ") && kept.add(line.slice(5)));
		}
		const posts = service.posts;
		const jobs = openWindow(folder, service.url);
		await jobs.start();
		const storyboards = (): VideoJob[] =>
			jobs.jobs.filter(({ request }) => request.kind === "storyboard");
		const whole = (): VideoJob[] => storyboards().filter(job => isAllReady(job, jobs.jobs));
		await until(
			() =>
				jobs.jobs.every(job => job.request.kind === "storyboard" || isSettled(job)) &&
				whole().every(({ state }) => state.name === "ready"),
		);

		expect(service.posts, "nothing is sent without a click").toBe(posts);
		const sent = promptsOf(service);
		expect(sent.toSorted(), "each prompt once").toEqual([...new Set(sent)].toSorted());
		const ids = new Set(storyboards().map(({ id }) => id));
		expect(
			[...kept].filter(id => !ids.has(id)),
			"storyboards kept and lost",
		).toEqual([]);
		for (const storyboard of storyboards()) {
			const scenes = sceneJobs(storyboard, jobs.jobs);
			expect(scenes.map(job => job && job.request.kind === "text" && job.request.prompt)).toEqual(
				storyboard.request.kind === "storyboard" &&
					storyboard.request.scenes.map(({ prompt }) => prompt),
			);
			scenes.forEach(job => {
				const { prompt } = z.parse(bodySchema, job?.request);
				expect(job?.submissions).toBe(job?.state.name === "waiting" ? 0 : 1);
				// What was sent is recorded as sent; what waits was not.
				expect(job?.state.name === "waiting" && sent.includes(prompt)).toBe(false);
			});
		}

		// One click for what waits makes whole what no answer was lost of.
		await Promise.all(storyboards().map(({ id }) => jobs.submitScenes(id)));
		await until(() => jobs.jobs.every(job => job.request.kind === "storyboard" || isSettled(job)));
		await until(() => whole().every(({ state }) => state.name === "ready"));
		const all = promptsOf(service);
		expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
		expect(all.length).toBe(storyboards().length * scenesEach - neverSent(jobs.jobs, all));
		expect(whole().length).toBeGreaterThan(kills / 4);
		await expectWholeFiles(folder, whole(), jobs);
		jobs.dispose();
		await service.close();
	},
	60_000 + kills * 4_000,
);

/** Gives every step a little time, so that a kill meets each of them. */
function slowDown(service: VideoService, random: Random): void {
	const good = service.onCreate;
	service.onCreate = (...exchange) => setTimeout(() => good(...exchange), random.below(25));
	service.onPoll = (...exchange) =>
		setTimeout(() => generation("complete", `${service.url}/clip`)(...exchange), random.below(20));
	const bytes = clipBytes(60_000);
	service.onClip = (_request, response) => {
		response.writeHead(200, { "content-type": "video/mp4", "content-length": bytes.length });
		response.write(bytes.subarray(0, 30_000));
		setTimeout(() => response.end(bytes.subarray(30_000)), random.below(30));
	};
}

function openWindow(folder: string, url: string): VideoJobs {
	return new VideoJobs({
		recordsFolder: join(folder, "records"),
		clipsFolder: () => join(folder, "clips"),
		endpoint: () => endpointOf(url),
		connection: () => Promise.resolve({ ...connectionTo(url), apiKey: "k" }),
		joinClips: async ({ files, target }) => {
			const bytes = Buffer.concat(await Promise.all(files.map(file => readFile(file))));
			await writeFile(target, bytes);
			return { type: "joined", format: "mp4", size: bytes.length };
		},
		clock: {
			...systemClock,
			setTimer: (ms, callback) => systemClock.setTimer(ms / 20, callback),
		},
	});
}

const promptsOf = ({ log }: VideoService): string[] =>
	log
		.filter(({ line }) => line.startsWith("POST"))
		.map(({ body }) => z.parse(bodySchema, JSON.parse(body)).prompt);

/** Scenes that count as sent although no request came: the window died between the record and the request. */
const neverSent = (jobs: readonly VideoJob[], sent: readonly string[]): number =>
	jobs.filter(({ request }) => request.kind === "text" && !sent.includes(request.prompt)).length;

const isSettled = ({ state }: VideoJob): boolean =>
	["ready", "submissionUnknown", "waiting", "notSubmitted"].includes(state.name);

const isAllReady = (storyboard: VideoJob, jobs: readonly VideoJob[]): boolean =>
	sceneJobs(storyboard, jobs).every(job => job?.state.name === "ready");

/** Every joined file holds its scenes' clips, and nothing else is in the folder. */
async function expectWholeFiles(
	folder: string,
	whole: readonly VideoJob[],
	jobs: VideoJobs,
): Promise<void> {
	for (const { state } of whole) {
		const bytes = await readFile(state.name === "ready" ? state.file : "");
		expect(bytes.length).toBe(scenesEach * 60_000);
	}
	const saved = jobs.jobs.flatMap(({ state }) =>
		state.name === "ready" ? [basename(state.file)] : [],
	);
	await expect
		.poll(async () => (await readdir(join(folder, "clips"))).toSorted())
		.toEqual(saved.toSorted());
}

async function until(isTrue: () => boolean): Promise<void> {
	for (let tries = 0; !isTrue(); tries += 1) {
		// The clips of all storyboards are fetched and joined in this time.
		if (tries > 400 + kills * 20) {
			throw new Error("It never became true");
		}
		await breathe(50);
	}
}

/** Lets the program begin, then kills it at a random point of its work; gives the lines it printed. */
async function runFor(
	child: ChildProcess,
	service: VideoService,
	random: Random,
): Promise<string[]> {
	let text = "";
	const ended = new Promise<void>(resolve => {
		child.on("close", () => resolve());
	});
	await new Promise<void>(resolve => {
		child.stdout?.on("data", (data: Buffer) => {
			text += data.toString("utf8");
			resolve();
		});
		child.on("close", () => resolve());
	});
	// A third die before anything is sent, among the records; the others so many requests on.
	if (random.below(3) > 0) {
		const target = service.log.length + random.below(14);
		const end = performance.now() + 1_500;
		while (service.log.length < target && performance.now() < end) {
			await breathe(2);
		}
	}
	await breathe(random.below(40));
	child.kill("SIGKILL");
	await ended;
	return text.split("\n");
}
