// @module-tag thorough
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { bundleProgram } from "../../helpers/bundledProgram.ts";
import { createRandom } from "../../helpers/random.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import {
	breathe,
	clip,
	clipBytes,
	generation,
	startVideoService,
	type VideoService,
} from "../../helpers/videoService.ts";
import { systemClock } from "../../../src/common/async.ts";
import { VideoJobs } from "../../../src/video/videoJobs.ts";
import { connectionTo } from "../../helpers/clientHarness.ts";
import { endpointOf } from "../../helpers/videoService.ts";

/** A few by default, to be quick; `npm run test:long` asks for forty, and `CUTAWAY_KILLS=400` proves more. */
const kills = Number(process.env["CUTAWAY_KILLS"] ?? 4);

test(
	"G7, J4, J19: killed at random points of submit, poll and download, nothing is sent twice, nothing acknowledged is lost, every clip is whole",
	async () => {
		const folder = await makeTempFolder();
		const program = await bundleProgram("videoCrashProcess", await makeTempFolder());
		const service = await startVideoService();
		const bytes = clipBytes(400_000);
		const random = createRandom(7);
		const good = service.onCreate;
		service.onCreate = (request, response) =>
			setTimeout(() => good(request, response), random.below(30));
		service.onPoll = (request, response) =>
			setTimeout(
				() => generation("complete", `${service.url}/clip`)(request, response),
				random.below(20),
			);
		// The whole comes in two halves with a pause between, so that a kill meets a download under way.
		service.onClip = (request, response) => {
			const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
			const rest = bytes.subarray(start);
			response.writeHead(start > 0 ? 206 : 200, {
				"content-type": "video/mp4",
				"content-length": rest.length,
				etag: '"v1"',
				...(start > 0
					? { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` }
					: {}),
			});
			response.write(rest.subarray(0, rest.length >> 1));
			setTimeout(() => response.end(rest.subarray(rest.length >> 1)), 60);
		};
		const startWindow = (url: string): ChildProcess =>
			spawn(process.execPath, [program, folder, url, "2"], {
				stdio: ["ignore", "pipe", "inherit"],
			});
		let clicks = 0;
		const kept = new Set<string>();
		// Two windows at a time, so that a kill also meets the other one at work.
		for (let kill = 0; kill < kills; kill += 2) {
			const outputs = await Promise.all(
				[0, 1].map(() => runFor(startWindow(service.url), service, random)),
			);
			clicks += outputs.flat().filter(line => line === "click").length;
			outputs.flat().forEach(line => line.startsWith("kept ") && kept.add(line.slice(5)));
		}
		expect(service.posts).toBeLessThanOrEqual(clicks);
		const posts = service.posts;
		const resumed = service.log.filter(({ headers }) => headers.range !== undefined);
		service.onClip = clip(bytes);
		const jobs = new VideoJobs({
			recordsFolder: join(folder, "records"),
			clipsFolder: () => join(folder, "clips"),
			endpoint: () => endpointOf(service.url),
			connection: () => Promise.resolve({ ...connectionTo(service.url), apiKey: "k" }),
			clock: {
				...systemClock,
				setTimer: (ms, callback) => systemClock.setTimer(ms / 20, callback),
			},
		});
		await jobs.start();
		for (
			let tries = 0;
			tries < 200 && jobs.jobs.some(job => !isSettled(job.state.name));
			tries += 1
		) {
			await breathe(50);
		}
		expect(service.posts).toBe(posts);
		// A handful of kills may all miss a download.
		expect(resumed.length).toBeGreaterThanOrEqual(kills < 40 ? 0 : 1);
		expect(jobs.unreadable).toEqual([]);
		const ids = new Set(jobs.jobs.map(({ id }) => id));
		expect([...kept].filter(id => !ids.has(id))).toEqual([]);
		expect(jobs.jobs.map(job => job.state.name).filter(name => !isSettled(name))).toEqual([]);
		const ready = jobs.jobs.filter(({ state }) => state.name === "ready");
		expect(ready.length).toBeGreaterThan(kills / 8);
		for (const { state } of ready) {
			expect(state.name === "ready" && (await readFile(state.file)).equals(bytes)).toBe(true);
		}
		const saved = ready.flatMap(({ state }) =>
			state.name === "ready" ? [basename(state.file)] : [],
		);
		// The last job's record comes before the end of what was beside its clip.
		await expect
			.poll(async () => (await readdir(join(folder, "clips"))).toSorted())
			.toEqual(saved.toSorted());
		jobs.dispose();
		await service.close();
	},
	60_000 + kills * 5_000,
);

function isSettled(name: string): boolean {
	return name === "ready" || name === "submissionUnknown" || name === "notSubmitted";
}

/** Lets the program begin, then kills it at a random point of its work; gives the lines it printed. */
async function runFor(
	child: ChildProcess,
	service: VideoService,
	random: ReturnType<typeof createRandom>,
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
	// So many requests on, however slow the machine is, and somewhere between one and the next.
	const target = service.log.length + random.below(8);
	const end = performance.now() + 3_000;
	while (service.log.length < target && performance.now() < end) {
		await breathe(2);
	}
	await breathe(random.below(60));
	child.kill("SIGKILL");
	await ended;
	return text.split("\n");
}
