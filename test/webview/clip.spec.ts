import { expect, type Page, test } from "@playwright/test";
import type { ClipJob } from "../../src/localService/video/assets.ts";
import { renderClip } from "../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { images, packageAssets } from "../unit/localService/video/videoFixtures.ts";

/** What the browser's decoder makes of a clip. */
interface Playback {
	readonly size: readonly number[];
	readonly duration: number;
	/** Its position after playing for a while. */
	readonly playedTo: number;
	/** Mean difference of each picture looked at to the one before, 0 to 255. */
	readonly changes: readonly number[];
}

async function play(page: Page, clip: Uint8Array): Promise<Playback> {
	const source = `data:video/webm;base64,${Buffer.from(clip).toString("base64")}`;
	await page.setContent(`<video muted src="${source}"></video>`);
	return await page.evaluate(async () => {
		const video = document.querySelector("video") as HTMLVideoElement;
		if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
			await new Promise((resolve, reject) => {
				video.addEventListener("loadeddata", resolve);
				video.addEventListener("error", () => reject(new Error(video.error?.message)));
			});
		}
		const canvas = Object.assign(document.createElement("canvas"), { width: 96, height: 54 });
		const context = canvas.getContext("2d") as CanvasRenderingContext2D;
		const pictures: Uint8ClampedArray[] = [];
		for (const share of [0.35, 0.55, 0.75, 0.95]) {
			const shown = new Promise(resolve => video.requestVideoFrameCallback(resolve));
			video.currentTime = share * video.duration;
			await shown;
			context.drawImage(video, 0, 0, 96, 54);
			pictures.push(context.getImageData(0, 0, 96, 54).data);
		}
		const changes = pictures.slice(1).map((picture, index) => {
			const before = pictures[index] as Uint8ClampedArray;
			const sum = picture.reduce(
				(total, value, at) => total + Math.abs(value - (before[at] ?? 0)),
				0,
			);
			return sum / picture.length;
		});
		video.currentTime = 0;
		await video.play();
		await new Promise(resolve => setTimeout(resolve, 400));
		const size = [video.videoWidth, video.videoHeight];
		return { size, duration: video.duration, playedTo: video.currentTime, changes };
	});
}

test("Chromium plays the local service's clips, and they move", async ({ page }) => {
	const studio = await ClipRenderer.open(packageAssets);
	const text = { type: "text", prompt: "A lighthouse at dusk", duration: 2 } as const;
	const image = {
		type: "image",
		bytes: images.jpeg,
		source: "https://a.example/b",
		duration: 1,
	} as const;
	const jobs: readonly ClipJob[] = [
		{ ...text, motionStrength: 1 },
		{ ...text, motionStrength: 5 },
		{ ...image, motionStrength: 5 },
	];
	for (const job of jobs) {
		const playback = await play(page, await renderClip(job, studio));
		expect(playback.size).toEqual([1920, 1080]);
		expect(Math.abs(playback.duration - job.duration)).toBeLessThanOrEqual(1 / 24);
		expect(playback.playedTo).toBeGreaterThan(0.1);
		expect(Math.max(...playback.changes)).toBeGreaterThan(0.02);
	}
});
