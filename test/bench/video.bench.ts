/** What a clip costs: time for each second of it, size, memory, and what the thread that asked for it feels of it. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../src/common/async.ts";
import type { ClipJob } from "../../src/localService/video/clipJob.ts";
import { createThreadRenderer } from "../../src/localService/video/renderThread.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";

const workerFile = new URL("../../src/localService/video/render/worker.ts", import.meta.url);
const code = "export function total(prices: number[]): number {\n\treturn prices.length * 2;\n}\n";

const jobs: Readonly<Record<string, string>> = {
	"a sentence": "A lighthouse at dusk, waves breaking slowly against the rocks",
	"4000 characters": "The quick brown fox jumps over the lazy dog. ".repeat(89).slice(0, 4000),
	code: code.repeat(8),
};

/** Prints the figures. */
export async function run(): Promise<void> {
	const render = createThreadRenderer({ workerFile, assets: packageAssets, clock: systemClock });
	for (const [name, prompt] of Object.entries(jobs)) {
		const job: ClipJob = { type: "text", prompt, duration: 2, motionStrength: 3 };
		const idle = await delayDuring(
			() => new Promise(resolve => systemClock.setTimer(2000, () => resolve(0))),
		);
		const memory = process.memoryUsage().rss;
		const processor = process.cpuUsage();
		const startedAt = performance.now();
		let bytes = 0;
		let peak = memory;
		const watch = setInterval(() => {
			peak = Math.max(peak, process.memoryUsage().rss);
		}, 20);
		const delay = await delayDuring(async () => {
			const result = await render(job, new AbortController().signal);
			bytes = result.type === "clip" ? result.bytes.byteLength : 0;
		});
		clearInterval(watch);
		const perSecond = (performance.now() - startedAt) / job.duration;
		const { user, system } = process.cpuUsage(processor);
		const work = (user + system) / 1000 / job.duration;
		print(
			`${name}, 2 s`,
			`${perSecond.toFixed(0)} ms for each second of clip (${work.toFixed(0)} ms of processor), ` +
				`${(bytes / 1024).toFixed(0)} KB, ${((peak - memory) / 2 ** 20).toFixed(0)} MB more, ` +
				`event loop of the asking thread ${delay.toFixed(1)} ms p99 beside ${idle.toFixed(1)} ms idle`,
		);
	}
}

/** The 99th percentile of how late timers fire in this thread, in milliseconds. */
async function delayDuring(work: () => Promise<unknown>): Promise<number> {
	const histogram = monitorEventLoopDelay({ resolution: 5 });
	histogram.enable();
	await work();
	histogram.disable();
	// The histogram counts from one tick to the next, the tick itself included.
	return Math.max(0, histogram.percentile(99) / 1e6 - 5);
}

function print(name: string, figures: string): void {
	process.stdout.write(`  ${name.padEnd(48)} ${figures}\n`);
}
