import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { scenesOf } from "../../src/clip/clipLength.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { drawFrames } from "../../src/localService/video/render/drawFrames.ts";
import { renderClip } from "../../src/localService/video/render/renderClip.ts";
import type { ExportFormat } from "../../src/shared/video.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { expect } from "./fixtures.ts";
import type { Harness } from "./harness.ts";
import { previewScenes, recordClip } from "./scenes.ts";

/** Opens the preview with a clip of two seconds that the local service renders. */
export async function openClip(page: Page, harness: Harness): Promise<void> {
	const renderer = await ClipRenderer.open(packageAssets);
	const prompt = "```ts\nexport const answer = 42;\n```";
	const bytes = await renderClip(
		{ type: "text", prompt, duration: 2, motionStrength: 5 },
		renderer,
	);
	await openBytes(page, harness, bytes);
}

/** Opens the preview with a clip in WebM. */
export async function openBytes(page: Page, harness: Harness, bytes: Uint8Array): Promise<void> {
	const base64 = Buffer.from(bytes).toString("base64");
	await open(page, harness, () =>
		page.evaluate(text => {
			const data = Uint8Array.from(atob(text), character => character.charCodeAt(0));
			return URL.createObjectURL(new Blob([data], { type: "video/webm" }));
		}, base64),
	);
}

/** Opens the preview with the clip at an address that the page gives. */
export async function open(
	page: Page,
	harness: Harness,
	urlOf: () => Promise<string>,
): Promise<void> {
	await page.goto(harness.urlOf("dark", "video"));
	const state = previewScenes.ready;
	await page.evaluate(next => {
		(window.harness as unknown as { state: unknown }).state = next;
	}, state);
	await page.getByRole("region", { name: "Details" }).waitFor();
	const clip = {
		url: await urlOf(),
		fileName: "answer.webm",
		size: "40 KB",
		hasAacSound: false,
	};
	await page.evaluate(next => window.harness.event("state", next), { ...state, clip });
}

/** Frames that the local service draws of a clip, as the host sends them. */
export async function drawnFrames(
	prompt: string,
	hasGround: boolean,
	isStill = false,
	seconds = 2,
): Promise<string> {
	const renderer = await ClipRenderer.open(packageAssets);
	const scenes = scenesOf(prompt, seconds).map(scene => ({
		...scene,
		type: "text" as const,
		motionStrength: 5,
	}));
	const rate = isStill ? undefined : 20;
	return Buffer.from(drawFrames({ type: "frames", scenes, rate, hasGround }, renderer)).toString(
		"base64",
	);
}

/** A part of a file that the page sends to the host. */
export interface Part {
	readonly id: number;
	readonly base64: string;
	readonly isLast: boolean;
}

/** What the page asked of the host, by its method. */
export const requestsOf = <Params>(page: Page, method: string): Promise<Params[]> =>
	page.evaluate(
		name =>
			window.harness.requests
				.filter(request => request.method === name)
				.map(request => request.params as Params),
		method,
	);

/** The id that `exported` gives its export. */
export const exportedId = 7;

/** Asks the page for a file and returns it. */
export async function exported(
	page: Page,
	format: ExportFormat,
	isLooping = true,
	hasCaptions = false,
	timeout = 30_000,
	drawn?: { readonly frames: string; readonly hasGround: boolean },
): Promise<Buffer> {
	const request = { id: exportedId, format, width: 480, isLooping, hasCaptions };
	await page.evaluate(
		([next, { frames, hasGround } = { frames: "", hasGround: true }]) => {
			const file = Uint8Array.from(atob(frames), character => character.charCodeAt(0));
			const sent = file.length > 0 ? { drawn: { file, hasGround } } : {};
			window.harness.event("export", { ...next, ...sent });
		},
		[request, drawn] as const,
	);
	const last = async (): Promise<boolean> =>
		(await requestsOf<Part>(page, "exportPart")).some(({ isLast }) => isLast);
	await expect.poll(last, { timeout }).toBe(true);
	const parts = await requestsOf<Part>(page, "exportPart");
	expect(parts.every(({ id }) => id === exportedId)).toBe(true);
	return Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, "base64")));
}

/** What a decoder finds in an exported file. */
export interface Decoded {
	readonly size: readonly number[];
	readonly count: number;
	readonly repeats: number | null;
	/** Of all pictures together, in milliseconds. */
	readonly durationMs: number;
	/** Mean difference of the first and the last picture to those of the clip, 0 to 255. */
	readonly differences: readonly number[];
}

/** What the browser's own decoder makes of an animation, compared with the clip that the preview plays. */
export async function decode(page: Page, bytes: Buffer, type: string): Promise<Decoded> {
	const { ends, ...decoded } = await page.evaluate(
		async ([base64, type]) => {
			const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			const decoder = new ImageDecoder({ data, type });
			await Promise.all([decoder.tracks.ready, decoder.completed]);
			const track = decoder.tracks.selectedTrack;
			const count = track?.frameCount ?? 0;
			let durationMs = 0;
			let size: number[] = [];
			const ends: number[][] = [];
			for (let frameIndex = 0; frameIndex < count; frameIndex++) {
				const { image } = await decoder.decode({ frameIndex });
				durationMs += (image.duration ?? 0) / 1000;
				size = [image.displayWidth, image.displayHeight];
				if (frameIndex === 0 || frameIndex === count - 1) {
					const context = new OffscreenCanvas(96, 54).getContext("2d");
					context?.drawImage(image, 0, 0, 96, 54);
					ends.push([...(context?.getImageData(0, 0, 96, 54).data ?? [])]);
				}
				image.close();
			}
			return { size, count, repeats: track?.repetitionCount ?? null, durationMs, ends };
		},
		[bytes.toString("base64"), type] as const,
	);
	return { ...decoded, differences: await differencesTo(page, ends) };
}

/** Whether the page's browser encodes H.264. */
export function canEncodeMovies(page: Page): Promise<boolean> {
	return page.evaluate(async () => {
		const request = { codec: "avc1.640028", width: 480, height: 270 };
		return (await VideoEncoder.isConfigSupported(request)).supported === true;
	});
}

/** Adds a movie to the page, which has read its first picture, and resolves with its element. */
export async function addMovie(page: Page, bytes: Buffer): Promise<Locator> {
	await page.evaluate(async base64 => {
		const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
		const movie = document.createElement("video");
		movie.id = "movie";
		movie.muted = true;
		movie.src = URL.createObjectURL(new Blob([data], { type: "video/mp4" }));
		document.body.append(movie);
		await new Promise((resolve, reject) => {
			movie.addEventListener("loadeddata", resolve, { once: true });
			movie.addEventListener("error", () => reject(new Error(movie.error?.message)), {
				once: true,
			});
		});
	}, bytes.toString("base64"));
	return page.locator("#movie");
}

/** What the browser plays of a movie: its size, its length and its ends beside those of the clip. */
export async function play(page: Page, bytes: Buffer): Promise<Omit<Decoded, "count" | "repeats">> {
	const movie = await addMovie(page, bytes);
	const { size, durationMs } = await movie.evaluate(element => {
		const { videoWidth, videoHeight, duration } = element as HTMLVideoElement;
		return { size: [videoWidth, videoHeight], durationMs: duration * 1000 };
	});
	const differences = await differencesTo(page, await endsOf(movie));
	return { size, durationMs, differences };
}

async function differencesTo(page: Page, ends: readonly number[][]): Promise<number[]> {
	const clip = await endsOf(page.locator("video.clip"));
	return clip.map(
		(picture, index) =>
			picture.reduce(
				(sum, value, place) => sum + Math.abs(value - (ends[index]?.[place] ?? 0)),
				0,
			) / picture.length,
	);
}

/** The first and the last picture of a video on the page, made small. */
function endsOf(movie: Locator): Promise<number[][]> {
	return movie.evaluate(async element => {
		const video = element as HTMLVideoElement;
		video.pause();
		const ends: number[][] = [];
		for (const at of [0.025, video.duration - 0.03]) {
			const isSought = new Promise(resolve =>
				video.addEventListener("seeked", resolve, { once: true }),
			);
			const isPainted = new Promise<void>(resolve =>
				video.requestVideoFrameCallback(() => resolve()),
			);
			video.currentTime = at;
			await Promise.all([isSought, isPainted]);
			const context = new OffscreenCanvas(96, 54).getContext("2d");
			context?.drawImage(video, 0, 0, 96, 54);
			ends.push([...(context?.getImageData(0, 0, 96, 54).data ?? [])]);
		}
		return ends;
	});
}

/** A picture of one color for a second, and the words over it. */
export async function openPlain(
	page: Page,
	harness: Harness,
	color: string,
	words: readonly string[],
): Promise<void> {
	await open(page, harness, () => recordClip(page, color, { width: 480, height: 270 }));
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
export async function writePicture(name: string, bytes: Buffer): Promise<void> {
	const folder = join("test-results", "screenshots");
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, name), bytes);
}

/** How much an animation jumps where there should be no jump: mean difference of the worst block of 16 × 16 pixels, 0 to 255. */
export interface Seams {
	/** From the last picture to the first, as when it is played in a loop. */
	readonly loop: number;
	/** From any picture to the next, in the uppermost rows, where nothing moves. */
	readonly still: number;
}

/** Looks for seams in an animation. */
export function seamsIn(page: Page, bytes: Buffer, type: string): Promise<Seams> {
	return page.evaluate(
		async ([base64, kind]) => {
			const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			const decoder = new ImageDecoder({ data, type: kind });
			await Promise.all([decoder.tracks.ready, decoder.completed]);
			const worstBlock = (left: ImageData, right: ImageData, height: number): number => {
				let worst = 0;
				for (let top = 0; top + 16 <= height; top += 16) {
					for (let start = 0; start + 16 <= left.width; start += 16) {
						let sum = 0;
						for (let at = 0; at < 1024; at++) {
							const place = ((top + (at >> 6)) * left.width + start) * 4 + (at & 63);
							sum += Math.abs((left.data[place] ?? 0) - (right.data[place] ?? 0));
						}
						worst = Math.max(worst, sum / 1024);
					}
				}
				return worst;
			};
			const canvas = new OffscreenCanvas(1, 1);
			const pictures: ImageData[] = [];
			let still = 0;
			for (let index = 0; index < (decoder.tracks.selectedTrack?.frameCount ?? 0); index++) {
				const { image } = await decoder.decode({ frameIndex: index });
				[canvas.width, canvas.height] = [image.displayWidth, image.displayHeight];
				const context = canvas.getContext("2d");
				context?.drawImage(image, 0, 0);
				image.close();
				const picture = context?.getImageData(0, 0, canvas.width, canvas.height);
				const last = pictures.at(-1);
				still = picture && last ? Math.max(still, worstBlock(last, picture, 32)) : still;
				pictures.splice(pictures.length > 1 ? -1 : pictures.length, 1);
				pictures.push(...(picture ? [picture] : []));
			}
			const [first, last] = [pictures[0], pictures.at(-1)];
			return { loop: first && last ? worstBlock(first, last, first.height) : 255, still };
		},
		[bytes.toString("base64"), type] as const,
	);
}
