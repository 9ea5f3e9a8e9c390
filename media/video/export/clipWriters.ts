import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { animatedWebp, type WebpFrame } from "./animatedWebp.ts";
import type { ClipFrame, OpenClip } from "./clipFrames.ts";

/** Writes a clip's frames to a file. */
export interface ClipWriter {
	/** Approximate size of the file so far, in bytes. */
	readonly size: number;
	add(frame: ClipFrame): Promise<void>;
	/** Returns the file. Nothing can be added afterwards. */
	finish(): Promise<Uint8Array>;
}

/** Compression quality, 0 to 1: keeps letters sharp, at two thirds of the size of 0.85. */
const quality = 0.75;

/** Properties needed before the first frame. */
export type ClipShape = Pick<OpenClip, "width" | "height" | "durationMs"> & {
	readonly isLooping: boolean;
};

/** Writes an animated WebP whose frames contain only changes. */
export class WebpWriter implements ClipWriter {
	private readonly shape: ClipShape;
	private readonly stills: (Omit<WebpFrame, "durationMs"> & { readonly atMs: number })[] = [];
	size = 0;

	constructor(shape: ClipShape) {
		this.shape = shape;
	}

	async add({ box, pixels, atMs }: ClipFrame): Promise<void> {
		const image = await encoded(pixels);
		this.size += image.length;
		this.stills.push({ ...box, image, atMs });
	}

	finish(): Promise<Uint8Array> {
		const { width, height, durationMs, isLooping } = this.shape;
		const frames = this.stills.map((still, index) => ({
			...still,
			durationMs: (this.stills[index + 1]?.atMs ?? durationMs) - still.atMs,
		}));
		return Promise.resolve(animatedWebp({ width, height, isLooping, frames }));
	}
}

async function encoded(pixels: ImageData): Promise<Uint8Array> {
	const canvas = new OffscreenCanvas(pixels.width, pixels.height);
	canvas.getContext("2d", { alpha: false })?.putImageData(pixels, 0, 0);
	const blob = await canvas.convertToBlob({ type: "image/webp", quality });
	return new Uint8Array(await blob.arrayBuffer());
}

/** The most colors of a GIF frame. One more represents unchanged pixels. */
const maxColors = 255;

/** Writes an animated GIF whose frames omit unchanged pixels. */
export class GifWriter implements ClipWriter {
	private readonly shape: ClipShape;
	private readonly encoder = GIFEncoder();
	private last: ClipFrame | undefined;

	constructor(shape: ClipShape) {
		this.shape = shape;
	}

	get size(): number {
		return this.encoder.bytesView().length;
	}

	add(frame: ClipFrame): Promise<void> {
		this.writeUntil(frame.atMs);
		this.last = frame;
		return Promise.resolve();
	}

	finish(): Promise<Uint8Array> {
		this.writeUntil(this.shape.durationMs);
		this.encoder.finish();
		return Promise.resolve(this.encoder.bytes());
	}

	/** Writes the last frame now that its duration is known. */
	private writeUntil(endMs: number): void {
		if (!this.last) {
			return;
		}
		const { width, height, isLooping } = this.shape;
		const { box, pixels, atMs } = this.last;
		const palette = quantize(pixels.data, maxColors);
		const unchanged = palette.length;
		const index = new Uint8Array(width * height).fill(unchanged);
		const colors = applyPalette(pixels.data, palette);
		for (let y = 0; y < box.height; y++) {
			const row = colors.subarray(y * box.width, (y + 1) * box.width);
			index.set(row, (box.top + y) * width + box.left);
		}
		this.encoder.writeFrame(index, width, height, {
			palette: [...palette, [0, 0, 0]],
			delay: endMs - atMs,
			transparent: true,
			transparentIndex: unchanged,
			repeat: isLooping ? 0 : -1,
			dispose: 1,
		});
	}
}
