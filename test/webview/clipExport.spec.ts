import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { ExportFormat } from "../../src/shared/clipExport.ts";
import { renderClip } from "../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { joinClips } from "../../src/video/join/joinClips.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { expect, test } from "./fixtures.ts";
import type { Harness } from "./harness.ts";
import { previewScenes, recordClip } from "./scenes.ts";

/** Opens the preview with a clip of two seconds that the local service renders. */
async function openClip(page: Page, harness: Harness): Promise<void> {
	const renderer = await ClipRenderer.open(packageAssets);
	const prompt = "```ts\nexport const answer = 42;\n```";
	const bytes = await renderClip(
		{ type: "text", prompt, duration: 2, motionStrength: 3 },
		renderer,
	);
	await open(
		page,
		harness,
		base64 =>
			page.evaluate(text => {
				const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0));
				return URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
			}, base64),
		Buffer.from(bytes).toString("base64"),
	);
}

async function open(
	page: Page,
	harness: Harness,
	urlOf: (base64: string) => Promise<string>,
	base64 = "",
): Promise<void> {
	await page.goto(harness.urlOf("dark", "video"));
	const state = previewScenes.ready;
	await page.evaluate(next => {
		(window.harness as unknown as { state: unknown }).state = next;
	}, state);
	await page.getByRole("region", { name: "Details" }).waitFor();
	const clip = {
		url: await urlOf(base64),
		fileName: "answer.webm",
		size: "40 KB",
		hasAacSound: false,
	};
	await page.evaluate(next => window.harness.event("state", next), { ...state, clip });
}

interface Part {
	readonly id: number;
	readonly base64: string;
	readonly isLast: boolean;
}

const requestsOf = <Params>(page: Page, method: string): Promise<Params[]> =>
	page.evaluate(
		name =>
			window.harness.requests
				.filter(request => request.method === name)
				.map(request => request.params as Params),
		method,
	);

/** Asks the page for a file and returns it. */
async function exported(
	page: Page,
	format: ExportFormat,
	isLooping = true,
	hasCaptions = false,
	timeout = 30_000,
): Promise<Buffer> {
	const request = { id: 7, format, width: 480, isLooping, hasCaptions };
	await page.evaluate(next => window.harness.event("export", next), request);
	const last = async (): Promise<boolean> =>
		(await requestsOf<Part>(page, "exportPart")).some(({ isLast }) => isLast);
	await expect.poll(last, { timeout }).toBe(true);
	const parts = await requestsOf<Part>(page, "exportPart");
	expect(parts.every(({ id }) => id === 7)).toBe(true);
	return Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, "base64")));
}

interface Decoded {
	readonly size: readonly number[];
	readonly count: number;
	readonly repeats: number | null;
	/** Of all pictures together, in milliseconds. */
	readonly durationMs: number;
	/** Mean difference of the first and the last picture to those of the clip, 0 to 255. */
	readonly differences: readonly number[];
}

/** What the browser's own decoder makes of an animation, compared with the clip that the preview plays. */
async function decode(page: Page, bytes: Buffer, type: string): Promise<Decoded> {
	return await page.evaluate(
		async ([base64, type]) => {
			const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			const decoder = new ImageDecoder({ data, type });
			await Promise.all([decoder.tracks.ready, decoder.completed]);
			const track = decoder.tracks.selectedTrack;
			const count = track?.frameCount ?? 0;
			const pixelsOf = (source: CanvasImageSource): Uint8ClampedArray => {
				const canvas = new OffscreenCanvas(96, 54);
				const context = canvas.getContext("2d");
				context?.drawImage(source, 0, 0, 96, 54);
				return context?.getImageData(0, 0, 96, 54).data ?? new Uint8ClampedArray();
			};
			let durationMs = 0;
			let size: number[] = [];
			const ends: Uint8ClampedArray[] = [];
			for (let frameIndex = 0; frameIndex < count; frameIndex++) {
				const { image } = await decoder.decode({ frameIndex });
				durationMs += (image.duration ?? 0) / 1000;
				size = [image.displayWidth, image.displayHeight];
				if (frameIndex === 0 || frameIndex === count - 1) {
					ends.push(pixelsOf(image));
				}
				image.close();
			}
			const video = document.querySelector("video") as HTMLVideoElement;
			video.pause();
			const differences: number[] = [];
			for (const [index, at] of [0.025, video.duration - 0.03].entries()) {
				const isSought = new Promise(resolve =>
					video.addEventListener("seeked", resolve, { once: true }),
				);
				const isPainted = new Promise<void>(resolve =>
					video.requestVideoFrameCallback(() => resolve()),
				);
				video.currentTime = at;
				await Promise.all([isSought, isPainted]);
				const clip = pixelsOf(video);
				const end = ends[index] ?? clip;
				differences.push(
					clip.reduce((sum, value, place) => sum + Math.abs(value - (end[place] ?? 0)), 0) /
						clip.length,
				);
			}
			return { size, count, repeats: track?.repetitionCount ?? null, durationMs, differences };
		},
		[bytes.toString("base64"), type] as const,
	);
}

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

/** A picture of one color for a second, and the words over it. */
async function openPlain(
	page: Page,
	harness: Harness,
	color: string,
	words: readonly string[],
): Promise<void> {
	await open(page, harness, () => recordClip(page, color));
	const captions = words.map(text => ({ words: text, seconds: 1 }));
	await page.evaluate(next => window.harness.event("state", next), {
		...previewScenes.ready,
		clip: {
			url: await page.locator("video").evaluate(video => (video as HTMLVideoElement).src),
			fileName: "plain.webm",
			size: "4 KB",
			hasAacSound: false,
		},
		captions,
	});
}

/** Keeps a picture to be looked at. */
async function writePicture(name: string, bytes: Buffer): Promise<void> {
	const folder = join("test-results", "screenshots");
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, name), bytes);
}

interface Caption {
	/** Rows and columns of the picture with bright letters: the first and the last of each. */
	readonly rows: readonly number[];
	readonly columns: readonly number[];
	/** Contrast of the brightest to the middle of the pixels around it. */
	readonly contrast: number;
	readonly size: readonly number[];
}

/** Where the letters of a caption are in the first frame of a file, and how well they can be told from their ground. */
async function captionIn(page: Page, png: Buffer): Promise<Caption> {
	return await page.evaluate(async base64 => {
		const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
		const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const { width, height } = image;
		const context = new OffscreenCanvas(width, height).getContext("2d");
		context?.drawImage(image, 0, 0);
		const data = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
		const channel = (value: number): number =>
			value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4;
		const lightness = (at: number): number =>
			0.2126 * channel(data[at] ?? 0) +
			0.7152 * channel(data[at + 1] ?? 0) +
			0.0722 * channel(data[at + 2] ?? 0);
		const isLetter = (x: number, y: number): boolean => lightness((y * width + x) * 4) > 0.9;
		const isGround = (x: number, y: number): boolean => lightness((y * width + x) * 4) < 0.1;
		const rows: number[] = [];
		const columns: number[] = [];
		let darkest = 0;
		for (let y = 0; y < height; y++) {
			for (let x = 2; x < width - 2; x++) {
				// A letter's stroke has its dark ground within two pixels.
				if (isLetter(x, y) && (isGround(x - 2, y) || isGround(x + 2, y))) {
					rows.push(y);
					columns.push(x);
					const ground = isGround(x - 2, y) ? x - 2 : x + 2;
					darkest = Math.max(darkest, lightness((y * width + ground) * 4));
				}
			}
		}
		const ends = (values: number[]): number[] => [
			values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
			values.reduce((most, value) => Math.max(most, value), -1),
		];
		return {
			rows: ends(rows),
			columns: ends(columns),
			contrast: 1.05 / (darkest + 0.05),
			size: [width, height],
		};
	}, png.toString("base64"));
}

const longWords = {
	Latin: "Every window of the editor saves its chats and videos to the disk before it says so.",
	Russian: "Каждое окно редактора сначала сохраняет беседы и видео на диск и лишь потом говорит.",
	Arabic: "تحفظ كل نافذة من نوافذ المحرر محادثاتها ومقاطع الفيديو على القرص قبل أن تقول ذلك.",
	"one word": "a".repeat(84),
};

for (const [name, words] of Object.entries(longWords)) {
	for (const color of ["#ffffff", "#000000", "#d0d0d0"]) {
		test(`words are drawn within the margins and stand out from ${color}: ${name}`, async ({
			page,
			harness,
		}) => {
			await openPlain(page, harness, color, [words]);
			const png = await exported(page, "png", true, true);
			await writePicture(`caption-${name.replace(" ", "-")}-${color.slice(1)}.png`, png);
			const { rows, columns, contrast, size } = await captionIn(page, png);
			const [width = 0, height = 0] = size;
			// On a white picture the two pixels beside the dark ground look like those of a letter.
			expect(Math.min(...columns)).toBeGreaterThanOrEqual(Math.round(width * 0.04) - 2);
			expect(Math.max(...columns)).toBeLessThanOrEqual(Math.round(width * 0.96) + 2);
			expect(Math.min(...rows)).toBeGreaterThan(height * 0.5);
			expect(Math.max(...rows)).toBeLessThan(height - width * 0.04);
			expect(contrast).toBeGreaterThanOrEqual(4.5);
		});
	}
}

test("words are in no file unless they were chosen", async ({ page, harness }) => {
	await openPlain(page, harness, "#ffffff", [longWords.Latin]);
	const { rows } = await captionIn(page, await exported(page, "png"));
	expect(rows).toEqual([Number.POSITIVE_INFINITY, -1]);
});

for (const [format, type] of [
	["webp", "image/webp"],
	["gif", "image/gif"],
] as const) {
	test(`the words of each scene are over its stretch of an animated ${format}`, async ({
		page,
		harness,
	}) => {
		await openPlain(page, harness, "#ffffff", ["First scene", "Second scene"]);
		const bytes = await exported(page, format, true, true);
		const changes = await page.evaluate(
			async ([base64, mime]) => {
				const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
				const decoder = new ImageDecoder({ data, type: mime });
				await Promise.all([decoder.tracks.ready, decoder.completed]);
				const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
				const found: { at: number; dark: number }[] = [];
				let at = 0;
				for (let frameIndex = 0; frameIndex < count; frameIndex++) {
					const { image } = await decoder.decode({ frameIndex });
					const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
					const context = canvas.getContext("2d");
					context?.drawImage(image, 0, 0);
					const { data: pixels } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? {
						data: new Uint8ClampedArray(),
					};
					const dark = pixels.filter((value, place) => place % 4 === 0 && value < 90).length;
					found.push({ at, dark });
					at += (image.duration ?? 0) / 1_000_000;
					image.close();
				}
				return { found, seconds: at };
			},
			[bytes.toString("base64"), type] as const,
		);
		// The clip is plain: only the words change, once, in the middle, and the second ones are wider.
		const [first, second] = changes.found;
		expect(changes.found).toHaveLength(2);
		expect(first?.dark).toBeGreaterThan(500);
		expect(second?.dark).toBeGreaterThan((first?.dark ?? 0) * 1.05);
		expect(Math.abs((second?.at ?? 0) - changes.seconds / 2)).toBeLessThan(0.06);
	});
}

test("an animation that plays once says so", async ({ page, harness }) => {
	await openClip(page, harness);
	const { repeats } = await decode(page, await exported(page, "webp", false), "image/webp");
	expect(repeats).toBe(0);
});

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
	const canEncode = await page.evaluate(async () => {
		const request = { codec: "avc1.640028", width: 480, height: 270 };
		return (await VideoEncoder.isConfigSupported(request)).supported === true;
	});
	if (canEncode) {
		const bytes = await exported(page, "mp4");
		expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
		expect(bytes.includes("avc1")).toBe(true);
		return;
	}
	const request = { id: 7, format: "mp4", width: 480, isLooping: true, hasCaptions: false };
	await page.evaluate(next => window.harness.event("export", next), request);
	await expect
		.poll(() => requestsOf(page, "exportFailed"))
		.toEqual([{ id: 7, reason: "cannotEncode", detail: "avc" }]);
});

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
	await open(
		page,
		harness,
		base64 =>
			page.evaluate(text => {
				const data = Uint8Array.from(atob(text), character => character.charCodeAt(0));
				return URL.createObjectURL(new Blob([data], { type: "video/webm" }));
			}, base64),
		bytes.toString("base64"),
	);
}

const sharesOf = async (page: Page): Promise<number[]> =>
	(await requestsOf<{ readonly share: number }>(page, "exportProgress")).map(({ share }) => share);

test(`twelve scenes of ${sceneSeconds} s are exported whole, with progress, and can be cancelled on the way`, async ({
	page,
	harness,
}) => {
	test.setTimeout(240_000);
	await openStoryboard(page, harness);
	const start = { id: 1, format: "webp", width: 480, isLooping: true, hasCaptions: false };
	await page.evaluate(next => window.harness.event("export", next), start);
	await expect
		.poll(async () => (await sharesOf(page)).length, { timeout: 60_000 })
		.toBeGreaterThan(1);
	await page.evaluate(() => window.harness.event("stopExport", { id: 1 }));
	const told = (await sharesOf(page)).length;
	const began = Date.now();
	const bytes = await exported(page, "webp", true, false, 180_000);
	console.log(`${12 * sceneSeconds} s: ${bytes.length} bytes in ${Date.now() - began} ms`);
	const shares = (await sharesOf(page)).slice(told);
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

test("a clip of more than a minute is not exported, and the page says why", async ({
	page,
	harness,
}) => {
	await open(page, harness, () => recordClip(page));
	await page.evaluate(() => {
		Object.defineProperty(HTMLMediaElement.prototype, "duration", { get: () => 60.5 });
		const request = { format: "webp", width: 480, isLooping: true, hasCaptions: false };
		window.harness.event("export", { id: 4, ...request });
	});
	await expect
		.poll(() => requestsOf(page, "exportFailed"))
		.toEqual([{ id: 4, reason: "tooLong", detail: "60.5" }]);
});

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
