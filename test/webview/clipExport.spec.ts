import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { renderClip } from "../../src/localService/video/render/renderClip.ts";
import { joinClips } from "../../src/video/join/joinClips.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import {
	canEncodeMovies,
	decode,
	drawnFrames,
	exported,
	exportedId,
	open,
	openBytes,
	openClip,
	type Part,
	play,
	requestsOf,
	seamsIn,
	writePicture,
} from "./exportedClips.ts";
import { expect, test } from "./fixtures.ts";
import type { Harness } from "./harness.ts";
import { recordClip } from "./scenes.ts";

for (const [format, type] of [
	["webp", "image/webp"],
	["gif", "image/gif"],
] as const) {
	test(`a clip becomes an animated ${format} of its length, its size and its pictures`, async ({
		page,
		harness,
	}) => {
		await openClip(page, harness);
		const bytes = await exported(page, format);
		const { size, count, repeats, durationMs, differences } = await decode(page, bytes, type);
		expect(size).toEqual([480, 270]);
		expect(count).toBeGreaterThan(5);
		expect(count).toBeLessThanOrEqual(40);
		expect(repeats).toBe(Infinity);
		expect(Math.abs(durationMs - 2000)).toBeLessThanOrEqual(50);
		expect(Math.max(...differences)).toBeLessThan(6);
		console.log(
			`${format}: ${bytes.length} bytes, ${count} pictures, differences ${differences.map(Math.round).join(", ")}`,
		);
	});
}

test("an animation that plays once says so", async ({ page, harness }) => {
	await openClip(page, harness);
	const { repeats } = await decode(page, await exported(page, "webp", false), "image/webp");
	expect(repeats).toBe(0);
});

/** The colors of an exported file at places of its last picture, and whether its animation has as many pictures as wanted. */
async function colorsIn(
	page: Page,
	bytes: Buffer,
	type: string,
	places: readonly (readonly [number, number])[],
): Promise<number[][]> {
	return await page.evaluate(
		async ([base64, kind, wanted]) => {
			const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			const decoder = new ImageDecoder({ data, type: kind });
			await Promise.all([decoder.tracks.ready, decoder.completed]);
			const frameIndex = (decoder.tracks.selectedTrack?.frameCount ?? 1) - 1;
			const { image } = await decoder.decode({ frameIndex });
			const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext("2d");
			context?.drawImage(image, 0, 0);
			return wanted.map(([x, y]) => [...(context?.getImageData(x, y, 1, 1).data ?? [])]);
		},
		[bytes.toString("base64"), type, places] as const,
	);
}

const drawnCode = "```ts\nexport const answer = 42;\n```";
const seamCode =
	"```ts\nexport function total(prices: number[]): number {\n\treturn prices.reduce((sum, price) => sum + price, 0);\n}\n```";

for (const [format, type] of [
	["webp", "image/webp"],
	["gif", "image/gif"],
] as const) {
	test(`frames that the host drew become an animated ${format}, without reading the video`, async ({
		page,
		harness,
	}) => {
		await openClip(page, harness);
		await page.evaluate(() => {
			HTMLVideoElement.prototype.requestVideoFrameCallback = () => {
				throw new Error("The video is read");
			};
		});
		const frames = await drawnFrames(drawnCode, true);
		const bytes = await exported(page, format, true, false, 30_000, { frames, hasGround: true });
		await page.reload();
		await openClip(page, harness);
		const { size, count, durationMs, differences } = await decode(page, bytes, type);
		expect(size).toEqual([480, 270]);
		expect(count).toBeGreaterThan(5);
		expect(Math.abs(durationMs - 2000)).toBeLessThanOrEqual(50);
		expect(Math.max(...differences)).toBeLessThan(6);
		await writePicture(`drawn.${format}`, bytes);
	});
}

// A WebP compresses its letters once more after they have come; that many levels of them are not seen.
for (const [format, type, most] of [
	["webp", "image/webp", 6],
	["gif", "image/gif", 2],
] as const) {
	test(`a ${format} of two scenes has no seam between them, nor where its loop closes`, async ({
		page,
		harness,
	}) => {
		await openClip(page, harness);
		const frames = await drawnFrames(seamCode, true, false, 6);
		const bytes = await exported(page, format, true, false, 60_000, { frames, hasGround: true });
		const seams = await seamsIn(page, bytes, type);
		console.log(`${format}: ${bytes.length} bytes, ${JSON.stringify(seams)}`);
		expect(seams.still).toBeLessThanOrEqual(1);
		expect(seams.loop).toBeLessThanOrEqual(most);
	});
}

for (const [format, type] of [
	["webp", "image/webp"],
	["png", "image/png"],
] as const) {
	test(`without its background, a drawn ${format} is transparent around the window`, async ({
		page,
		harness,
	}) => {
		await openClip(page, harness);
		const frames = await drawnFrames(drawnCode, false, format === "png");
		const bytes = await exported(page, format, true, false, 30_000, { frames, hasGround: false });
		await writePicture(`transparent.${format}`, bytes);
		const [corner, window] = await colorsIn(page, bytes, type, [
			[2, 2],
			[240, 118],
		]);
		expect(corner?.[3]).toBe(0);
		expect(window?.[3]).toBe(255);
	});
}

test("a clip's first frame becomes a PNG", async ({ page, harness }) => {
	await openClip(page, harness);
	const bytes = await exported(page, "png");
	expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
	expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([480, 270]);
});

test("a recording that states no duration is exported, too", async ({ page, harness }) => {
	await open(page, harness, () => recordClip(page));
	const { count, durationMs } = await decode(page, await exported(page, "webp"), "image/webp");
	expect(count).toBeGreaterThan(5);
	expect(durationMs).toBeGreaterThan(500);
});

test("MP4 is H.264, or the page says that this browser cannot encode it", async ({
	page,
	harness,
}) => {
	await openClip(page, harness);
	const canEncode = await canEncodeMovies(page);
	if (canEncode) {
		const bytes = await exported(page, "mp4");
		expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
		expect(bytes.includes("avc1")).toBe(true);
		const { size, durationMs, differences } = await play(page, bytes);
		expect(size).toEqual([480, 270]);
		expect(Math.abs(durationMs - 2000)).toBeLessThanOrEqual(50);
		expect(Math.max(...differences)).toBeLessThan(6);
		return;
	}
	const request = { id: 7, format: "mp4", width: 480, isLooping: true, hasCaptions: false };
	await page.evaluate(next => window.harness.event("export", next), request);
	await expect
		.poll(() => requestsOf(page, "exportFailed"))
		.toEqual([{ id: 7, reason: "cannotEncode", detail: "avc" }]);
});

const hasFfprobe = spawnSync("ffprobe", ["-version"]).status === 0;

/** What ffprobe finds in a file; its own reader of WebP knows no animations. */
const probed = {
	gif: { codec_name: "gif" },
	png: { codec_name: "png" },
	mp4: { codec_name: "h264" },
} as const;

for (const [format, codec] of Object.entries(probed)) {
	test(`ffprobe reads an exported ${format} with its size, its length and its pictures`, async ({
		page,
		harness,
	}) => {
		test.skip(!hasFfprobe, "ffprobe is not on this machine");
		await openClip(page, harness);
		const canEncode = await canEncodeMovies(page);
		test.skip(format === "mp4" && !canEncode, "this browser cannot encode H.264");
		const bytes = await exported(page, format as keyof typeof probed);
		const folder = await mkdtemp(join(tmpdir(), "cutaway-probe-"));
		const file = join(folder, `clip.${format}`);
		await writeFile(file, bytes);
		const words = "-v error -count_frames -show_streams -show_format -of json";
		const told = JSON.parse(
			execFileSync("ffprobe", [...words.split(" "), file], { encoding: "utf8" }),
		) as { streams: { nb_read_frames: string }[]; format: { duration?: string } };
		await rm(folder, { recursive: true });
		expect(told.streams).toMatchObject([{ ...codec, width: 480, height: 270 }]);
		const count = Number(told.streams[0]?.nb_read_frames);
		if (format === "png") {
			expect(count).toBe(1);
			return;
		}
		expect(count).toBeGreaterThan(5);
		expect(count).toBeLessThanOrEqual(48);
		expect(Math.abs(Number(told.format.duration) - 2)).toBeLessThanOrEqual(0.06);
	});
}

/** Of each scene of a storyboard, whose export takes about as long as it plays: as long as one can be, where time is no matter. */
const sceneSeconds = process.env["CUTAWAY_FUZZ"] === undefined ? 1 : 4;

/** Opens the preview with twelve scenes, joined as those of a storyboard are. */
async function openStoryboard(page: Page, harness: Harness): Promise<void> {
	const renderer = await ClipRenderer.open(packageAssets);
	const prompt = "```ts\nexport const answer = 42;\n```";
	const scene = await renderClip(
		{ type: "text", prompt, duration: sceneSeconds, motionStrength: 3 },
		renderer,
	);
	const folder = await mkdtemp(join(tmpdir(), "cutaway-scenes-"));
	const [file, target] = [join(folder, "scene.webm"), join(folder, "joined")];
	await writeFile(file, scene);
	await joinClips({ files: Array.from({ length: 12 }, () => file), target });
	const bytes = await readFile(target);
	await rm(folder, { recursive: true });
	await openBytes(page, harness, bytes);
}

/** Progress of an export so far; one that was stopped may report once more. */
async function sharesOf(page: Page, of: number): Promise<number[]> {
	interface Progress {
		readonly id: number;
		readonly share: number;
	}
	const told = await requestsOf<Progress>(page, "exportProgress");
	return told.filter(({ id }) => id === of).map(({ share }) => share);
}

test(`twelve scenes of ${sceneSeconds} s are exported whole, with progress, and can be cancelled on the way`, async ({
	page,
	harness,
}) => {
	test.setTimeout(240_000);
	await openStoryboard(page, harness);
	const start = { id: 1, format: "webp", width: 480, isLooping: true, hasCaptions: false };
	await page.evaluate(next => window.harness.event("export", next), start);
	await expect
		.poll(async () => (await sharesOf(page, start.id)).length, { timeout: 60_000 })
		.toBeGreaterThan(1);
	await page.evaluate(() => window.harness.event("stopExport", { id: 1 }));
	const began = Date.now();
	const bytes = await exported(page, "webp", true, false, 180_000);
	console.log(`${12 * sceneSeconds} s: ${bytes.length} bytes in ${Date.now() - began} ms`);
	const shares = await sharesOf(page, exportedId);
	expect(shares.length).toBeGreaterThanOrEqual(19);
	expect(shares).toEqual(shares.toSorted((left, right) => left - right));
	expect(await requestsOf(page, "exportFailed")).toEqual([]);
	const seconds = await page.evaluate(async base64 => {
		const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
		const decoder = new ImageDecoder({ data, type: "image/webp" });
		await Promise.all([decoder.tracks.ready, decoder.completed]);
		let sum = 0;
		for (
			let frameIndex = 0;
			frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0);
			frameIndex++
		) {
			const { image } = await decoder.decode({ frameIndex });
			sum += (image.duration ?? 0) / 1_000_000;
			image.close();
		}
		return sum;
	}, bytes.toString("base64"));
	expect(Math.abs(seconds - 12 * sceneSeconds)).toBeLessThan(0.2);
});

for (const [format, type] of [
	["webp", "image/webp"],
	["gif", "image/gif"],
] as const) {
	test(`the longest storyboard, of 144 s, becomes an animated ${format} of its whole length`, async ({
		page,
		harness,
	}) => {
		await openClip(page, harness);
		const drawn = { frames: blinking(144), hasGround: true };
		const bytes = await exported(page, format, true, false, 30_000, drawn);
		const { durationMs, count } = await decode(page, bytes, type);
		expect(durationMs).toBe(144_000);
		expect(count).toBe(144);
	});
}

/** Frames of a small clip, black and white by turns each second, as the host sends them. */
function blinking(seconds: number): string {
	const [width, height] = [16, 8];
	const parts = Array.from({ length: seconds }, (_, index) =>
		deflateSync(
			Buffer.alloc(width * height * 4, index % 2 === 0 ? 0xff : "\0\0\0\u00ff", "latin1"),
		),
	);
	const frames = parts.map(({ length: size }, index) => ({
		atMs: index * 1e3,
		left: 0,
		top: 0,
		width,
		height,
		size,
	}));
	const head = Buffer.from(JSON.stringify({ width, height, durationMs: seconds * 1000, frames }));
	const length = Buffer.alloc(4);
	length.writeUInt32LE(head.length);
	return Buffer.concat([length, head, ...parts]).toString("base64");
}

test("an export that is stopped sends nothing, and the next one is made", async ({
	page,
	harness,
}) => {
	await openClip(page, harness);
	await page.evaluate(() => {
		window.harness.event("export", {
			id: 1,
			format: "gif",
			width: 1280,
			isLooping: true,
			hasCaptions: false,
		});
		window.harness.event("stopExport", { id: 1 });
	});
	await exported(page, "webp");
	const parts = await requestsOf<Part>(page, "exportPart");
	expect(parts.filter(({ id }) => id === 1)).toEqual([]);
	expect(await requestsOf(page, "exportFailed")).toEqual([]);
});

test("a clip that the browser cannot play is not exported, and the page says why", async ({
	page,
	harness,
}) => {
	await open(page, harness, () =>
		page.evaluate(() => URL.createObjectURL(new Blob(["no clip"], { type: "video/webm" }))),
	);
	await page.evaluate(() =>
		window.harness.event("export", {
			id: 3,
			format: "webp",
			width: 480,
			isLooping: true,
			hasCaptions: false,
		}),
	);
	await expect
		.poll(() => requestsOf<{ reason: string }>(page, "exportFailed"))
		.toEqual([expect.objectContaining({ id: 3, reason: "cannotPlay" })]);
});
