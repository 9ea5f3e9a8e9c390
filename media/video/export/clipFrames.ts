import { type CaptionPart, type DrawnFrames, framesPerSecond } from "../../../src/shared/video.ts";
import { CaptionPainter } from "./captionPainter.ts";
import { type Box, changedBox, copyBox, decodedTolerance } from "./changedBox.ts";
import { DrawnClip } from "./drawnClip.ts";
import { ExportFailure } from "./exportFailure.ts";

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

/** A clip whose frames are read in order: a video that the browser decodes, or frames as the local renderer drew them. */
interface FrameSource {
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	readonly seconds: number;
	/** See `changedBox`. */
	readonly tolerance: number;
	readonly hasAlpha: boolean;
	/** Returns the picture at a time in seconds. */
	pictureAt(seconds: number, signal: AbortSignal): Promise<CanvasImageSource>;
	close(): void;
}

export interface OpenClip {
	readonly width: number;
	readonly height: number;
	readonly durationMs: number;
	/** Whether frames may be transparent. */
	readonly hasAlpha: boolean;
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

/** A clip to read: its URL, or its frames from the host. */
export type ReadableClip = string | DrawnFrames;

/**
 * Loads a clip for drawing it `asked` pixels wide, at most its own width, with these captions. Throws `ExportFailure` if it doesn't play or has no
 * end.
 */
export async function openClip(
	clip: ReadableClip,
	asked: number,
	captions: readonly CaptionPart[],
	signal: AbortSignal,
): Promise<OpenClip> {
	const source = typeof clip === "string" ? await openVideo(clip, signal) : openDrawn(clip);
	const { seconds, hasAlpha } = source;
	if (!Number.isFinite(seconds)) {
		source.close();
		throw new ExportFailure("cannotPlay", String(seconds));
	}
	const width = Math.min(asked, 2 * Math.floor(source.width / 2));
	// MP4 encoders require even sizes.
	const height = Math.max(2, 2 * Math.round((width * source.height) / source.width / 2));
	const painter = new CaptionPainter(captions, seconds, width, height);
	return {
		width,
		height,
		hasAlpha,
		durationMs: seconds * 1e3,
		close: () => source.close(),
		frames: (...call) =>
			readFrames(
				source,
				painter,
				{
					width,
					height,
				},
				...call,
			),
	};
}

async function* readFrames(
	source: FrameSource,
	captions: CaptionPainter,
	{ width, height }: Pick<OpenClip, "width" | "height">,
	signal: AbortSignal,
	onProgress: (share: number) => void,
	isLastAlone = false,
): AsyncGenerator<ClipFrame> {
	const { seconds, tolerance, hasAlpha } = source;
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext("2d", { alpha: hasAlpha, willReadFrequently: true });
	if (!context) {
		throw new ExportFailure("failed", "noCanvas");
	}
	context.imageSmoothingQuality = "high";
	const shown = new Uint8ClampedArray(width * height * 4);
	const count = Math.max(1, Math.round(seconds * framesPerSecond));
	const start = isLastAlone ? count - 1 : 0;
	for (let index = start; index < count; index++) {
		signal.throwIfAborted();
		// The middle of the frame, so that rounding never shows the adjacent one.
		const at = Math.min((index + 0.5) / framesPerSecond, seconds);
		const picture = await source.pictureAt(at, signal);
		context.clearRect(0, 0, width, height);
		context.drawImage(picture, 0, 0, width, height);
		captions.draw(context, (index + 0.5) / framesPerSecond);
		const { data } = context.getImageData(0, 0, width, height);
		const whole = { left: 0, top: 0, width, height };
		const box = index === start ? whole : changedBox(shown, data, width, tolerance);
		if (box) {
			copyBox(shown, data, width, box);
			const pixels = context.getImageData(box.left, box.top, box.width, box.height);
			yield { canvas, box, pixels, atMs: (index * 1000) / framesPerSecond };
		}
		onProgress((index + 1) / count);
	}
}

function openDrawn({ file, hasGround }: DrawnFrames): FrameSource {
	const clip = new DrawnClip(file);
	const { canvas, seconds } = clip;
	return {
		width: canvas.width,
		height: canvas.height,
		seconds,
		tolerance: 0,
		hasAlpha: !hasGround,
		pictureAt: async at => {
			await clip.showUntil(at);
			return canvas;
		},
		close: () => undefined,
	};
}

async function openVideo(url: string, signal: AbortSignal): Promise<FrameSource> {
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
	} catch (error) {
		close();
		throw error;
	}
	const { duration: seconds, videoWidth: width, videoHeight: height } = video;
	return {
		width,
		height,
		seconds,
		tolerance: decodedTolerance,
		hasAlpha: false,
		close,
		pictureAt: async (at, stop) => {
			await seek(video, at, stop);
			return video;
		},
	};
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
