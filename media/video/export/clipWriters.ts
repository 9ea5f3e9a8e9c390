import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { animatedWebp, type WebpFrame } from "./animatedWebp.ts";
import type { ClipFrame, OpenClip } from "./clipFrames.ts";

/** Makes a file of the pictures of a clip. */
export interface ClipWriter {
	add(frame: ClipFrame): Promise<void>;
	/** The file. Nothing is added after it. */
	finish(): Promise<Uint8Array>;
}

/** Quality of a picture's compression, 0 to 1: letters keep their edges, at two thirds of the size that 0.85 takes. */
const quality = 0.75;

/** Facts a file needs before its first picture. */
export type ClipShape = Pick<OpenClip, "width" | "height" | "durationMs"> & {
	readonly isLooping: boolean;
};

/** Writes an animated WebP whose pictures hold only what changed. */
export function createWebpWriter({ width, height, durationMs, isLooping }: ClipShape): ClipWriter {
	const stills: (Omit<WebpFrame, "durationMs"> & { readonly atMs: number })[] = [];
	return {
		add: async ({ box, pixels, atMs }) => {
			const image = await encoded(pixels);
			stills.push({ ...box, image, atMs });
		},
		finish: () => {
			const frames = stills.map((still, index) => ({
				...still,
				durationMs: (stills[index + 1]?.atMs ?? durationMs) - still.atMs,
			}));
			return Promise.resolve(animatedWebp({ width, height, isLooping, frames }));
		},
	};
}

async function encoded(pixels: ImageData): Promise<Uint8Array> {
	const canvas = new OffscreenCanvas(pixels.width, pixels.height);
	canvas.getContext("2d", { alpha: false })?.putImageData(pixels, 0, 0);
	const blob = await canvas.convertToBlob({ type: "image/webp", quality });
	return new Uint8Array(await blob.arrayBuffer());
}

/** The most colors of a picture of a GIF; one more stands for what did not change. */
const maxColors = 255;

/** Writes an animated GIF whose pictures leave out what did not change. */
export function createGifWriter({ width, height, durationMs, isLooping }: ClipShape): ClipWriter {
	const encoder = GIFEncoder();
	let last: ClipFrame | undefined;
	const writeUntil = (endMs: number): void => {
		if (last) {
			const { box, pixels, atMs } = last;
			const palette = quantize(pixels.data, maxColors);
			const unchanged = palette.length;
			const index = new Uint8Array(width * height).fill(unchanged);
			const colors = applyPalette(pixels.data, palette);
			for (let y = 0; y < box.height; y++) {
				const row = colors.subarray(y * box.width, (y + 1) * box.width);
				index.set(row, (box.top + y) * width + box.left);
			}
			encoder.writeFrame(index, width, height, {
				palette: [...palette, [0, 0, 0]],
				delay: endMs - atMs,
				transparent: true,
				transparentIndex: unchanged,
				repeat: isLooping ? 0 : -1,
				dispose: 1,
			});
		}
	};
	return {
		add: frame => {
			writeUntil(frame.atMs);
			last = frame;
			return Promise.resolve();
		},
		finish: () => {
			writeUntil(durationMs);
			encoder.finish();
			return Promise.resolve(encoder.bytes());
		},
	};
}
