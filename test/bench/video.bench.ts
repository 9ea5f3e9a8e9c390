/**
 * What a clip costs: processor time for each second of it, its size, and how near its pictures are to what was drawn, each beside
 * a renderer of key frames alone; how long one takes from the request to its file through the local service; and what the
 * extension host feels of it while that renders, in time and memory.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { delay, systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { LocalService } from "../../src/localService/host/lifecycle.ts";
import type { ClipJob } from "../../src/localService/video/clipJob.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { FrameComposer } from "../../src/localService/video/render/frameComposer.ts";
import { createScene, filmScene } from "../../src/localService/video/render/renderClip.ts";
import { framesPerSecond } from "../../src/localService/video/render/scene.ts";
import { type EncodedFrame, muxWebm } from "../../src/localService/video/render/webm.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { openKeyFrames } from "./keyFrames.ts";

const root = resolve(import.meta.dirname, "..", "..");
const code = "export function total(prices: number[]): number {\n\treturn prices.length * 2;\n}\n";
const seconds = 2;

const prompts: Readonly<Record<string, string>> = {
	"a sentence": "A lighthouse at dusk, waves breaking slowly against the rocks",
	"4000 characters": "The quick brown fox jumps over the lazy dog. ".repeat(89).slice(0, 4000),
	code: code.repeat(8),
};

/** Prints the figures. */
export async function run(): Promise<void> {
	const renderer = await ClipRenderer.open(packageAssets);
	const filmKeyFrames = await openKeyFrames();
	const image = new Uint8Array(await readFile(join(root, "media", "pictures", "video.png")));
	const jobs: Readonly<Record<string, ClipJob>> = {
		...Object.fromEntries(
			Object.entries(prompts).map(([name, prompt]) => [
				name,
				{ type: "text", prompt, duration: seconds, motionStrength: 3 },
			]),
		),
		"an image": {
			...{ type: "image", bytes: image, source: "https://a.example/b.png" },
			...{ duration: seconds, motionStrength: 3 },
		},
	};
	for (const [name, job] of Object.entries(jobs)) {
		const ways = {
			"key frames": () => filmKeyFrames(createScene(job, renderer), seconds),
			now: () => filmScene(createScene(job, renderer), seconds),
		};
		for (const [way, film] of Object.entries(ways)) {
			const { milliseconds, frames } = leastOf(film);
			const clip = await muxWebm(frames, seconds, createScene(job, renderer));
			const likeness = await likenessOf(clip, job, renderer);
			print(
				`${name}, ${seconds} s: ${way}`,
				`${milliseconds.toFixed(0)} ms of processor for each second of clip, ` +
					`${(clip.length / 1024).toFixed(0)} KB, ${likeness}`,
			);
		}
	}
	await printHost();
}

/** The least processor time of three times, for each second of clip. */
function leastOf(film: () => readonly EncodedFrame[]): {
	readonly milliseconds: number;
	readonly frames: readonly EncodedFrame[];
} {
	const times = Array.from({ length: 3 }, () => {
		const start = process.cpuUsage();
		const frames = film();
		const { user, system } = process.cpuUsage(start);
		return { milliseconds: (user + system) / 1000 / seconds, frames };
	});
	return times.reduce((least, next) => (next.milliseconds < least.milliseconds ? next : least));
}

/** Structural similarity of the clip's pictures, as ffmpeg decodes them, to those that were drawn: 1 where they are the same. */
async function likenessOf(clip: Uint8Array, job: ClipJob, renderer: ClipRenderer): Promise<string> {
	if (spawnSync("ffmpeg", ["-version"]).status !== 0) {
		return "SSIM not measured without ffmpeg";
	}
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	const [file, drawn] = [join(folder, "clip.webm"), join(folder, "drawn.rgba")];
	await writeFile(file, clip);
	const scene = createScene(job, renderer);
	const composer = new FrameComposer(scene.ground());
	const pictures: Buffer[] = [];
	for (let index = 0; index < seconds * framesPerSecond; index++) {
		composer.compose(scene.frameAt(index / framesPerSecond));
		pictures.push(Buffer.from(composer.frame.pixels));
	}
	await writeFile(drawn, pictures);
	const size = `${scene.ground().width}x${scene.ground().height}`;
	const input = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", size, "-r", String(framesPerSecond)];
	const filter = `[0]fps=${framesPerSecond}[clip];[1]format=yuv420p[drawn];[clip][drawn]ssim`;
	const { stderr } = spawnSync(
		"ffmpeg",
		["-i", file, ...input, "-i", drawn, "-lavfi", filter, "-f", "null", "-"],
		{ encoding: "utf8" },
	);
	await rm(folder, { recursive: true });
	const [, luma = "?", all = "?"] = /SSIM Y:([\d.]+).* All:([\d.]+)/.exec(stderr) ?? [];
	return `SSIM ${Number(luma).toFixed(3)} of brightness, ${Number(all).toFixed(3)} of all planes`;
}

/**
 * The process that hosts the local service in a thread, as the extension host does: how late its timers fire while the service
 * renders, and how much memory it takes at most.
 */
async function printHost(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	const out = join(folder, "dist");
	execFileSync(process.execPath, ["esbuild.js", "--production", "--out", out], { cwd: root });
	// A process of its own: this one has drawn already, and its memory says nothing.
	const child = spawn(process.execPath, [import.meta.filename, out], { stdio: "inherit" });
	await new Promise(done => child.once("exit", done));
	await rm(folder, { recursive: true });
}

async function runHost(out: string): Promise<void> {
	const dataFolder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	const service = new LocalService({
		readerFile: "",
		workerFile: join(out, "localService.js"),
		dataFolder,
		clock: systemClock,
		log: silentLog,
	});
	const { baseUrl, token } = await service.connect();
	const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
	const ask = async (path: string, body?: object): Promise<unknown> => {
		const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
		return await (await fetch(`${baseUrl}${path}`, { headers, ...sent })).json();
	};
	// What the first request loads is not the renderer's.
	await ask("/v1/models");
	const make = async (prompt: string, pollMs: number): Promise<number> => {
		const start = performance.now();
		const made = { prompt, duration: seconds, motion_strength: 3 };
		const { generation_id: id } = (await ask("/v1/videos/text-to-video", made)) as {
			readonly generation_id: string;
		};
		for (let status = ""; status !== "complete"; await delay(pollMs)) {
			const found = (await ask(`/v1/generations/${id}`)) as {
				readonly generation: { readonly status: string };
			};
			({ status } = found.generation);
		}
		return performance.now() - start;
	};
	for (const [name, prompt] of Object.entries(prompts)) {
		const idle = await feltDuring(() => delay(seconds * 1000));
		const busy = await feltDuring(() => make(prompt, 100));
		print(
			`${name}, ${seconds} s: host of the service`,
			`event loop ${busy.lateMs.toFixed(1)} ms p99 while it renders beside ${idle.lateMs.toFixed(1)} ms idle, ` +
				`${busy.megabytes.toFixed(0)} MB more at most beside ${idle.megabytes.toFixed(0)}`,
		);
		const walls = [await make(prompt, 10), await make(prompt, 10), await make(prompt, 10)];
		print(
			`${name}, ${seconds} s: from request to file`,
			`${(Math.min(...walls) / 1000 / seconds).toFixed(2)} s by the clock for each second of clip, its thread's start included`,
		);
	}
	service.dispose();
	await rm(dataFolder, { recursive: true, force: true });
}

/** What a process feels of some work. */
interface Felt {
	/** How late its timers fire, in 99 of 100 cases at most, in milliseconds. */
	readonly lateMs: number;
	/** The most memory beyond what it had before. */
	readonly megabytes: number;
}

async function feltDuring(work: () => Promise<unknown>): Promise<Felt> {
	const before = process.memoryUsage.rss();
	let peak = before;
	const watch = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage.rss());
	}, 20);
	const histogram = monitorEventLoopDelay({ resolution: 5 });
	histogram.enable();
	await work();
	histogram.disable();
	clearInterval(watch);
	// The histogram counts from one tick to the next, the tick itself included.
	const lateMs = Math.max(0, histogram.percentile(99) / 1e6 - 5);
	return { lateMs, megabytes: (peak - before) / 2 ** 20 };
}

function print(name: string, figures: string): void {
	process.stdout.write(`  ${name.padEnd(48)} ${figures}\n`);
}

const [, program, out] = process.argv;
if (program === import.meta.filename && out !== undefined) {
	await runHost(out);
}
