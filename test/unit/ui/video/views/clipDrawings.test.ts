import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readScene, scenesOf } from "../../../../../src/clip/clipLength.ts";
import { clipThemes } from "../../../../../src/clip/clipThemes.ts";
import {
	type ClipLooks,
	type FramesOrder,
	FramesTooLarge,
} from "../../../../../src/common/clipLooks.ts";
import { silentLog } from "../../../../../src/common/log.ts";
import { muxWebm } from "../../../../../src/localService/video/render/renderClip.ts";
import { Vp8Encoder } from "../../../../../src/localService/video/vp8/vp8Encoder.ts";
import { ClipDrawings, undrawnIn } from "../../../../../src/ui/video/views/clipDrawings.ts";
import type { VideoJob } from "../../../../../src/video/job/videoJob.ts";
import { joinClips } from "../../../../../src/video/join/joinClips.ts";
import { makeTempFolder } from "../../../../helpers/tempFolder.ts";

vi.mock("vscode", () => ({ extensions: { all: [] } }));

const looks: ClipLooks = {
	shape: "9:16",
	tabSize: 4,
	theme: clipThemes.Monokai,
	themeName: "Monokai",
	ground: "solid",
	bar: false,
	font: {
		families: ["Grüße Mono", "x".repeat(90)],
		features: {},
	},
};

async function clipFile(drawnWith?: ClipLooks): Promise<string> {
	const file = join(await makeTempFolder(), "clip.webm");
	const pixels = { width: 16, height: 16, pixels: new Uint8Array(16 * 16 * 4) };
	const bytes = new Vp8Encoder(pixels, 20).encodeKeyFrame(pixels);
	const about = { size: { width: 8, height: 8 }, undrawn: 7, looks: drawnWith };
	await writeFile(file, await muxWebm([{ bytes, at: 0, isKey: true }], 1, about));
	return file;
}

const text = (prompt: string): VideoJob["request"] => ({ kind: "text", prompt, duration: 2 });

function jobWith(fields: Partial<VideoJob>, file: string): VideoJob {
	return {
		id: "a",
		request: text("```ts\nlet a = 1;\n```"),
		endpoint: { kind: "local", baseUrl: "", origin: "local", label: "the local service" },
		createdAt: 0,
		submissions: 1,
		state: { name: "ready", file, size: 9, format: "webm", savedAt: 0 },
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
		...fields,
	};
}

/** Draws the first of some jobs, and returns what was asked of the renderer. */
async function drawn(...jobs: readonly VideoJob[]) {
	return await draw({ hasGround: true }, ...jobs);
}

async function draw(
	how: { readonly hasGround: boolean; readonly failure?: Error },
	...jobs: readonly VideoJob[]
) {
	const orders: FramesOrder[] = [];
	const drawings = new ClipDrawings({
		job: id => jobs.find(job => job.id === id),
		drawFrames: order => {
			orders.push(order);
			return how.failure ? Promise.reject(how.failure) : Promise.resolve(new Uint8Array([1]));
		},
		log: silentLog,
	});
	const { signal } = new AbortController();
	const frames = await drawings.draw("a", { rate: 20, hasGround: how.hasGround }, signal);
	return { orders, frames, look: await drawings.lookOf("a") };
}

test("a clip of this machine's renderer is drawn from its text and from the look in its file", async () => {
	const job = jobWith({}, await clipFile(looks));
	const { orders, frames, look } = await draw({ hasGround: false }, job);
	expect(frames).toEqual({ file: new Uint8Array([1]), hasGround: false });
	expect(orders).toEqual([
		{
			scenes: [text("```ts\nlet a = 1;\n```")],
			looks: JSON.stringify(looks),
			rate: 20,
			hasGround: false,
		},
	]);
	expect(look).toMatchObject({
		shape: "9:16",
		theme: "Monokai",
		ground: "solid",
		bar: false,
		numbers: true,
		padding: "usual",
		hasWindow: true,
		groundColor: "#6c5ce7",
		typeSize: "auto",
	});
	expect(look?.themes).toContain("Monokai");
});

test("a joined clip is drawn from the texts of the scenes that were joined, in their order", async () => {
	const parts = [await clipFile(looks), await clipFile(looks)];
	const file = join(await makeTempFolder(), "joined.webm");
	await joinClips({ files: parts, target: file });
	const request = { kind: "storyboard" as const, scenes: [] };
	const scenes = ["Two", "One"].map(prompt => jobWith({ id: prompt, request: text(prompt) }, file));
	const { orders, look } = await drawn(
		jobWith({ request, joined: ["One", "Two"] }, file),
		...scenes,
	);
	expect(orders[0]?.scenes).toEqual([text("One"), text("Two")]);
	expect(look?.hasWindow).toBe(false);
});

test("later scenes of a storyboard and parts of a clip are drawn as they were sent", async () => {
	const code = "```ts\nlet a = 1;\n```";
	const scene = (index: number) => ({ storyboard: "s", index });
	const file = await clipFile(looks);
	const later = await drawn(jobWith({ scene: scene(1) }, file));
	expect(readScene(`${later.orders[0]?.scenes[0]?.prompt}`)).toEqual({
		prompt: code,
		isLater: true,
	});
	expect(later.look?.hasWindow).toBe(true);
	const [first, part] = scenesOf(code, 6);
	const laterPart = await drawn(
		jobWith({ scene: scene(1), request: text(first?.prompt ?? "") }, file),
	);
	expect(readScene(`${laterPart.orders[0]?.scenes[0]?.prompt}`)).toEqual({
		prompt: code,
		part: { from: 0, of: 6 },
		isLater: true,
	});
	const request = text(part?.prompt ?? "");
	const long = await drawn(jobWith({ scene: scene(1), request }, file));
	expect(long.orders[0]?.scenes).toEqual([request]);
	expect(long.look?.hasWindow).toBe(true);
});

test("a clip joined from scenes of different looks isn't drawn", async () => {
	const target = join(await makeTempFolder(), "joined.webm");
	for (const others of [[{ ...looks, bar: true }], [undefined], [looks, undefined]]) {
		const files = await Promise.all([looks, ...others].map(other => clipFile(other)));
		await joinClips({ files, target });
		expect((await drawn(jobWith({}, target))).look).toBeNull();
		expect(await undrawnIn(target)).toBe(7);
	}
});

test("a clip of another engine, of an image, of a lost scene or without a stored look isn't drawn", async () => {
	const file = await clipFile(looks);
	const { endpoint } = jobWith({}, file);
	const image = { kind: "image" as const, imageUrl: "https://pictures.example/a.png" };
	const request = { kind: "storyboard" as const, scenes: [] };
	for (const job of [
		jobWith({ endpoint: { ...endpoint, engine: "Sora" } }, file),
		jobWith({ endpoint: { ...endpoint, kind: "remote" } }, file),
		jobWith({ request: image }, file),
		jobWith({ request, joined: ["gone"] }, file),
		jobWith({}, await clipFile()),
	]) {
		expect(await drawn(job)).toEqual({ orders: [], frames: undefined, look: null });
	}
});

test("a clip whose stored look another program broke isn't drawn", async () => {
	const file = await clipFile(looks);
	await writeFile(file, (await readFile(file, "latin1")).replace('{"shape"', '["shape"'), "latin1");
	expect(await draw({ hasGround: true, failure: new Error() }, jobWith({}, file))).toMatchObject({
		frames: undefined,
		look: null,
	});
});

test("the frames of the longest storyboard are drawn, all in one order", async () => {
	const request = { kind: "storyboard" as const, scenes: [] };
	const file = await clipFile(looks);
	const scenes = Array.from({ length: 36 }, (_, index) =>
		jobWith({ id: `${index}`, request: text(`${index}`) }, file),
	);
	const joined = jobWith({ request, joined: scenes.map(({ id }) => id) }, file);
	const { orders } = await drawn(joined, ...scenes);
	expect(orders.map(order => order.scenes.length)).toEqual([36]);
});

test("what can't be drawn has its frames in the video, unless its background is to be left out", async () => {
	const [job, unmarked] = [jobWith({}, await clipFile(looks)), jobWith({}, await clipFile())];
	const failure = new Error("the thread hung");
	const { frames } = await draw({ hasGround: true, failure }, job);
	expect(frames).toBeUndefined();
	const refusal = "its background stays";
	await expect(draw({ hasGround: false, failure }, job)).rejects.toThrow(refusal);
	await expect(draw({ hasGround: false }, unmarked)).rejects.toThrow(refusal);
	const tooLarge = new FramesTooLarge();
	expect((await draw({ hasGround: true, failure: tooLarge }, job)).frames).toBeUndefined();
	await expect(draw({ hasGround: false, failure: tooLarge }, job)).rejects.toThrow(
		"too long for a transparent background",
	);
});
