/**
 * What a clip costs: processor time for each second of it, its size, and how near its worst picture is to what was drawn, beside a
 * renderer of key frames alone; how long one takes from the request to its file through the local service; and what the
 * extension host feels of it while that renders, in time and memory.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { delay, systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { LocalService } from "../../src/localService/host/lifecycle.ts";
import type { ClipJob } from "../../src/localService/video/assets.ts";
import { ClipRenderer, quantizers } from "../../src/localService/video/render/clipRenderer.ts";
import { FrameComposer } from "../../src/localService/video/render/frameComposer.ts";
import {
	createScene,
	filmScene,
	type EncodedFrame,
	muxWebm,
} from "../../src/localService/video/render/renderClip.ts";
import { framesPerSecond } from "../../src/localService/video/render/scene.ts";
import {
	convertMacroblock,
	createPlanes,
	type Pixels,
} from "../../src/localService/video/vp8/planes.ts";
import { Vp8Encoder } from "../../src/localService/video/vp8/vp8Encoder.ts";
import { clipThemes } from "../pictures/clipThemes.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { colorFigures } from "./codeColors.ts";
import { openKeyFrames } from "./keyFrames.ts";

const root = resolve(import.meta.dirname, "..", "..");
const code = "export function total(prices: number[]): number {\n\treturn prices.length * 2;\n}\n";
const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\`\`\``;
const seconds = 2;

/** What the service is asked for, in the part about its host. */
const prompts: Readonly<Record<string, string>> = {
	"a sentence": "A lighthouse at dusk, waves breaking slowly against the rocks",
	code: code.repeat(4),
};

/** Clips of every kind, the length of each in seconds, and a theme of its own. */
const clips: readonly {
	readonly name: string;
	readonly prompt: string;
	readonly length: number;
	readonly theme?: keyof typeof clipThemes;
}[] = [
	{ name: "code", prompt: fenced("ts", code.repeat(4)), length: 4 },
	{
		name: "a change",
		prompt: fenced(
			"diff",
			"@@ -1,3 +1,3 @@\n const a = 1;\n-const b = a;\n+const b = a * 2;\n use(b);\n",
		),
		length: 4,
	},
	{
		name: "a terminal",
		prompt: fenced("console", "$ npm test\n✓ adds\n✓ removes\n\nTests  2 passed\n"),
		length: 4,
	},
	{ name: "a sentence", prompt: prompts["a sentence"] ?? "", length: 4 },
	{
		name: "a page",
		prompt: "The keeper climbs the stairs and lights the lamp. ".repeat(16),
		length: 4,
	},
	{ name: "28 rows, scrolling", prompt: fenced("ts", `${code.repeat(9)}\n`), length: 4 },
	{ name: "light", prompt: fenced("ts", code.repeat(9)), length: 12, theme: "Light Modern" },
];

/** Prints the figures; the goals are 800 ms for each second, 400 KB for 4 s of code, 0.985, and 2 levels. */
export async function run(): Promise<void> {
	const renderer = await ClipRenderer.open(packageAssets);
	const filmKeyFrames = await openKeyFrames();
	for (const { name, prompt, length, theme } of clips) {
		const job: ClipJob = {
			type: "text",
			prompt,
			duration: length,
			motionStrength: 3,
			...(theme
				? {
						looks: {
							shape: "16:9",
							tabSize: 4,
							theme: clipThemes[theme],
						},
					}
				: {}),
		};
		const scene = () => createScene(job, renderer);
		const figures = async (way: string, film: () => readonly EncodedFrame[], more: string) => {
			const start = process.cpuUsage();
			const frames = film();
			const { user, system } = process.cpuUsage(start);
			const { length: bytes } = await muxWebm(frames, length, scene());
			print(
				`${name}, ${length} s: ${way}`,
				`${((user + system) / 1000 / length).toFixed(0)} ms of processor for each second of clip, ${(bytes / 1024).toFixed(0)} KB${more}`,
			);
		};
		if (name === "code") {
			await figures("key frames", () => filmKeyFrames(scene(), length), "");
		}
		const { worst, at, ground } = likenessOf(job, length, renderer);
		const likeness = `, SSIM of the worst picture ${worst.toFixed(4)} at ${at.toFixed(2)} s, worst block of the ground ${ground.toFixed(1)} levels`;
		await figures("now", () => filmScene(scene(), length), likeness);
	}
	const { lines, grammar, thread, again } = await colorFigures();
	print(
		"400 lines of TypeScript, colored as in the editor",
		`${lines.toFixed(0)} ms of processor, and ${grammar.toFixed(0)} ms for the grammar (goal 120 without it)`,
	);
	print(
		"12 lines, until a new thread has their colors",
		`${thread.toFixed(0)} ms while the choices are shown, and ${again.toFixed(0)} ms when the clip is made (goal 150)`,
	);
	await printHost();
}

/**
 * Structural similarity of the picture that is least like what was drawn, in brightness: the encoder has each picture as a decoder
 * would. 1 where they are the same. `ground` is the mean difference of the worst macroblock in which nothing but the background was
 * drawn, in levels of 255.
 */
function likenessOf(
	job: ClipJob,
	length: number,
	renderer: ClipRenderer,
): { readonly worst: number; readonly at: number; readonly ground: number } {
	const scene = createScene(job, renderer);
	const composer = new FrameComposer(scene.ground());
	const encoder = new Vp8Encoder(scene.ground(), ...quantizers);
	const still = lumaOf(scene.ground());
	let [found, ground] = [{ worst: 1, at: 0 }, 0];
	for (let index = 0; index < length * framesPerSecond; index++) {
		const at = index / framesPerSecond;
		const change = composer.compose(scene.frameAt(at));
		if (index === 0) {
			encoder.encodeKeyFrame(composer.frame);
		} else {
			encoder.encodeChange(composer.frame, change);
		}
		const drawn = lumaOf(composer.frame);
		const alike = similarity(drawn, encoder.decoded.luma, encoder.columns * 16);
		found = alike < found.worst ? { worst: alike, at } : found;
		for (let block = 0; block < encoder.count; block++) {
			ground = Math.max(ground, differenceOfGround(still, drawn, encoder, block));
		}
	}
	return { ...found, ground };
}

/** Mean difference of a macroblock, or 0 if something is drawn on its background. */
function differenceOfGround(
	still: Uint8Array,
	drawn: Uint8Array,
	{ decoded, columns }: Vp8Encoder,
	block: number,
): number {
	const width = columns * 16;
	const start = Math.floor(block / columns) * 16 * width + (block % columns) * 16;
	let sum = 0;
	for (let pixel = 0; pixel < 256; pixel++) {
		const at = start + (pixel >> 4) * width + (pixel & 15);
		if (drawn[at] !== still[at]) {
			return 0;
		}
		sum += Math.abs((drawn[at] ?? 0) - (decoded.luma[at] ?? 0));
	}
	return sum / 256;
}

function lumaOf(frame: Pixels): Uint8Array {
	const planes = createPlanes(frame.width, frame.height);
	const { buffer, byteOffset, length } = frame.pixels;
	const words = new Uint32Array(buffer, byteOffset, length / 4);
	for (let index = 0; index < planes.columns * planes.rows; index++) {
		const row = Math.floor(index / planes.columns);
		convertMacroblock(frame, words, planes, index % planes.columns, row);
	}
	return planes.luma;
}

/** Mean SSIM over squares of 8 × 8 pixels beside one another. @see https://doi.org/10.1109/TIP.2003.819861 */
function similarity(one: Uint8Array, other: Uint8Array, width: number): number {
	let sum = 0;
	for (let top = 0; top < one.length; top += 8 * width) {
		for (let left = 0; left < width; left += 8) {
			sum += similarityAt(one, other, top + left, width);
		}
	}
	return sum / (one.length / 64);
}

function similarityAt(one: Uint8Array, other: Uint8Array, from: number, width: number): number {
	const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
	let [a, b, squares, ab] = [0, 0, 0, 0];
	for (let pixel = 0; pixel < 64; pixel++) {
		const at = from + (pixel >> 3) * width + (pixel & 7);
		const [p, q] = [one[at] ?? 0, other[at] ?? 0];
		a += p;
		b += q;
		squares += p * p + q * q;
		ab += p * q;
	}
	const [meanA, meanB] = [a / 64, b / 64];
	const means = meanA ** 2 + meanB ** 2;
	const covariance = ab / 64 - meanA * meanB;
	return (
		((2 * meanA * meanB + c1) * (2 * covariance + c2)) /
		((means + c1) * (squares / 64 - means + c2))
	);
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
