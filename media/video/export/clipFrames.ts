import type { CaptionPart } from "../../../src/shared/video.ts";
import { CaptionPainter } from "./captionPainter.ts";
import { type Box, changedBox, copyBox } from "./changedBox.ts";
import { ExportFailure } from "./exportFailure.ts";

/** Pictures a second of an animation: GIF counts in hundredths of a second, so 20 is exact in every format. */
const rate = 20;

/** The longest clip that is exported, in seconds. */
const maxSeconds = 60;

/** A picture of a clip at which something changed. */
export interface ClipFrame {
	/** The whole picture; it is drawn over by the next one. */
	readonly canvas: OffscreenCanvas;
	/** Part that differs from the picture before. */
	readonly box: Box;
	/** The pixels of the box. */
	readonly pixels: ImageData;
	/** When it appears, in milliseconds. */
	readonly atMs: number;
}

/** A clip that is loaded for export. */
export interface OpenClip {
	readonly width: number;
	readonly height: number;
	readonly durationMs: number;
	/**
	 * The pictures at which something changed, the first one whole, or the last one alone. `onProgress` is called with the share
	 * that is read, 0 to 1.
	 */
	frames(
		signal: AbortSignal,
		onProgress: (share: number) => void,
		isLastAlone?: boolean,
	): AsyncGenerator<ClipFrame>;
	close(): void;
}

/**
 * Loads a clip to be drawn `asked` pixels wide, or as wide as it is, with these captions. Throws `ExportFailure` for one that does not play or is too
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
			// A recording that states no duration tells it at its end.
			const sought = heard(video, "seeked", signal);
			video.currentTime = Number.MAX_SAFE_INTEGER;
			await sought;
		}
		const { duration: seconds, videoWidth } = video;
		const width = Math.min(asked, 2 * Math.floor(videoWidth / 2));
		if (!Number.isFinite(seconds) || seconds > maxSeconds) {
			throw new ExportFailure("tooLong", String(seconds));
		}
		// Encoders of MP4 take even numbers alone.
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
		// The middle of a picture's time, so that rounding never shows its neighbor.
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

/** The longest that a picture is waited for after its seek, in milliseconds: a page that is hidden is told of none. */
const paintMs = 100;

/** Goes to a time of a clip. On a busy machine its picture can come after the event that says so. */
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

/** Waits for an event of a clip. Throws `ExportFailure` when the clip fails instead, and the signal's reason when it aborts. */
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
