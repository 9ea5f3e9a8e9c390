import { deflateSync } from "node:zlib";
import type { DrawnFrame, FramesHeader } from "../../../common/clipLooks.ts";
import type { FramesJob } from "../assets.ts";
import { type Bitmap, createBitmap, type PixelRegion } from "./bitmap.ts";
import { FrameComposer, squareSize } from "./frameComposer.ts";
import { createScene, RenderRefusal, type SceneRenderer, startOf } from "./renderClip.ts";
import { density } from "./scene.ts";

/** The most bytes of compressed frames, since they are copied between processes. */
const maxFramesBytes = 64 * 1024 * 1024;

/** Draws the frames of a clip's scenes, each frame as the part that changed. See `FramesHeader`. Throws `RenderRefusal` above `maxBytes`. */
export function drawFrames(
	{ scenes, rate, isWhole, hasGround }: FramesJob,
	renderer: SceneRenderer,
	maxBytes = maxFramesBytes,
): Uint8Array<ArrayBuffer> {
	const frames: DrawnFrame[] = [];
	const parts: Uint8Array[] = [];
	const durationMs = scenes.reduce((sum, { duration }) => sum + duration * 1000, 0);
	let [width, height, startMs, bytes] = [0, 0, 0, 0];
	for (const job of rate === undefined ? scenes.slice(-1) : scenes) {
		const scene = createScene(job, renderer, rate === undefined && isWhole === true);
		const { size } = scene;
		[width, height] = [size.width * density, size.height * density];
		const composer = new FrameComposer(hasGround ? scene.ground() : createBitmap(width, height));
		const count = rate === undefined ? 1 : Math.round(job.duration * rate);
		for (let index = 0; index < count; index += 1) {
			const at = rate === undefined ? job.duration : index / rate;
			const { changed } = composer.compose(scene.frameAt(startOf(job) + at));
			const box = changedBox(changed, composer.frame);
			if (box) {
				const part = deflateSync(pixelsOf(composer.frame, box), { level: 1 });
				const { x: left, y: top, ...rest } = box;
				const atMs = startMs + (rate === undefined ? 0 : at * 1000);
				frames.push({ atMs, left, top, ...rest, size: part.length });
				parts.push(part);
				bytes += part.length;
			}
			if (bytes > maxBytes) {
				throw new RenderRefusal(`The frames have more than ${maxBytes} bytes.`);
			}
		}
		startMs += job.duration * 1000;
	}
	return fileOf({ width, height, durationMs, frames }, parts);
}

function fileOf(header: FramesHeader, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const head = Buffer.from(JSON.stringify(header));
	const length = Buffer.alloc(4);
	length.writeUInt32LE(head.length);
	return new Uint8Array(Buffer.concat([length, head, ...parts]));
}

/** Returns the smallest region with all changed squares. */
function changedBox(changed: Uint8Array, { width, height }: Bitmap): PixelRegion | undefined {
	const columns = Math.ceil(width / squareSize);
	let [left, top, right, bottom] = [columns, -1, -1, -1];
	for (const [square, isChanged] of changed.entries()) {
		if (isChanged === 1) {
			const column = square % columns;
			bottom = Math.floor(square / columns);
			top = top === -1 ? bottom : top;
			left = Math.min(left, column);
			right = Math.max(right, column);
		}
	}
	const [x, y] = [left * squareSize, top * squareSize];
	return bottom === -1
		? undefined
		: {
				x,
				y,
				width: Math.min((right + 1) * squareSize, width) - x,
				height: Math.min((bottom + 1) * squareSize, height) - y,
			};
}

/** Copies a region's pixels with their colors as they are, not multiplied by alpha. */
function pixelsOf({ pixels, width }: Bitmap, box: PixelRegion): Uint8Array {
	const copy = new Uint8Array(box.width * box.height * 4);
	for (let row = 0; row < box.height; row += 1) {
		const from = ((box.y + row) * width + box.x) * 4;
		copy.set(pixels.subarray(from, from + box.width * 4), row * box.width * 4);
	}
	for (let at = 0; at < copy.length; at += 4) {
		const alpha = copy[at + 3] ?? 0;
		if (alpha !== 0 && alpha !== 255) {
			for (let channel = at; channel < at + 3; channel += 1) {
				copy[channel] = Math.round(((copy[channel] ?? 0) * 255) / alpha);
			}
		}
	}
	return copy;
}
