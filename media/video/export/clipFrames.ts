import type { CaptionPart } from "../../../src/shared/video.ts";
import { CaptionPainter } from "./captionPainter.ts";
import { type Box, changedBox, copyBox } from "./changedBox.ts";
import { ExportFailure } from "./exportFailure.ts";

/** Frames per second of an animation. GIF durations are in hundredths of a second, so 20 is exact in every format. */
const rate = 20;

/** The longest clip to export, in seconds. */
const maxSeconds = 60;

/** A frame that differs from the previous one. */
export interface ClipFrame {
	/** The whole frame. Reused for the next one. */
	readonly canvas: OffscreenCanvas;
	/** The part that differs from the previous frame. */
	readonly box: Box;
	readonly pixels: ImageData;
	/** Start time in milliseconds. */
	readonly atMs: number;
}

export interface OpenClip {
	readonly width: number;
	readonly height: number;
	readonly durationMs: number;
	/**
	 * Yields the frames that differ from the previous one, the first as a whole, or only the last frame. `onProgress` receives the share read, 0 to 1.
	 */
	frames(
		signal: AbortSignal,
		onProgress: (share: number) => void,
		isLastAlone?: boolean,
	): AsyncGenerator<ClipFrame>;
	close(): void;
}

/**
 * Loads a clip for drawing it `asked` pixels wide, at most its own width, with these captions. Throws `ExportFailure` if it doesn't play or is too
 * long.
 */
export async function openClip(
	url: string,
	asked: number,
	captions: readonly CaptionPart[],
	signal: AbortSignal,
): Promise<OpenClip> {
	const video = document.createElement("video");
	video.muted = true;
	video.preload = "auto";
	video.src = url;
	const close = (): void => {
		video.removeAttribute("src");
		video.load();
	};
	try {
		await heard(video, "loadeddata", signal);
		if (!Number.isFinite(video.duration)) {
			// Seeking to the end determines the duration of a recording without one.
			const sought = heard(video, "seeked", signal);
			video.currentTime = Number.MAX_SAFE_INTEGER;
			await sought;
		}
		const { duration: seconds, videoWidth } = video;
		const width = Math.min(asked, 2 * Math.floor(videoWidth / 2));
		if (!Number.isFinite(seconds) || seconds > maxSeconds) {
			throw new ExportFailure("tooLong", String(seconds));
		}
		// MP4 encoders require even sizes.
		const height = Math.max(2, 2 * Math.round((width * video.videoHeight) / video.videoWidth / 2));
		const size = { width, height, durationMs: seconds * 1000 };
		const painter = new CaptionPainter(captions, seconds, width, height);
		return { ...size, close, frames: (...call) => readFrames(video, painter, size, ...call) };
	} catch (error) {
		close();
		throw error;
	}
}

async function* readFrames(
	video: HTMLVideoElement,
	captions: CaptionPainter,
	{ width, height, durationMs }: Pick<OpenClip, "width" | "height" | "durationMs">,
	signal: AbortSignal,
	onProgress: (share: number) => void,
	isLastAlone = false,
): AsyncGenerator<ClipFrame> {
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
	if (!context) {
		throw new ExportFailure("failed", "noCanvas");
	}
	context.imageSmoothingQuality = "high";
	const shown = new Uint8ClampedArray(width * height * 4);
	const count = Math.max(1, Math.round((durationMs / 1000) * rate));
	const start = isLastAlone ? count - 1 : 0;
	for (let index = start; index < count; index++) {
		// Seeks to the middle of the frame, so that rounding never shows the adjacent one.
		await seek(video, Math.min((index + 0.5) / rate, durationMs / 1000), signal);
		context.drawImage(video, 0, 0, width, height);
		captions.draw(context, (index + 0.5) / rate);
		const { data } = context.getImageData(0, 0, width, height);
		const whole = { left: 0, top: 0, width, height };
		const box = index === start ? whole : changedBox(shown, data, width);
		if (box) {
			copyBox(shown, data, width, box);
			const pixels = context.getImageData(box.left, box.top, box.width, box.height);
			yield { canvas, box, pixels, atMs: (index * 1000) / rate };
		}
		onProgress((index + 1) / count);
	}
}

/** How long to wait for a frame after seeking, in milliseconds. Hidden pages get no frame callbacks. */
const paintMs = 100;

/** Seeks a clip. On a busy machine the frame can appear after the `seeked` event. */
async function seek(video: HTMLVideoElement, seconds: number, signal: AbortSignal): Promise<void> {
	const painted = Promise.withResolvers<void>();
	const handle = video.requestVideoFrameCallback(() => painted.resolve());
	const sought = heard(video, "seeked", signal);
	video.currentTime = seconds;
	try {
		await sought;
		const timer = setTimeout(painted.resolve, paintMs);
		await painted.promise;
		clearTimeout(timer);
	} finally {
		video.cancelVideoFrameCallback(handle);
	}
}

/** Waits for an event of a video. Throws `ExportFailure` if the video fails, and the signal's reason if it aborts. */
function heard(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const listening = new AbortController();
	const once = { signal: listening.signal };
	video.addEventListener(event, () => resolve(), once);
	video.addEventListener(
		"error",
		() => reject(new ExportFailure("cannotPlay", video.error?.message ?? "")),
		once,
	);
	signal.addEventListener("abort", () => reject(signal.reason), once);
	return promise.finally(() => listening.abort());
}
