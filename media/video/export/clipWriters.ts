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
export type ClipShape = Pick<OpenClip, "width" | "height" | "durationMs" | "hasAlpha"> & {
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
		const image = await encoded(pixels, this.shape.hasAlpha);
		this.size += image.length;
		this.stills.push({ ...box, image, atMs });
	}

	finish(): Promise<Uint8Array> {
		const { durationMs, ...shape } = this.shape;
		const frames = this.stills.map((still, index) => ({
			...still,
			durationMs: (this.stills[index + 1]?.atMs ?? durationMs) - still.atMs,
		}));
		return Promise.resolve(animatedWebp({ ...shape, frames }));
	}
}

async function encoded(pixels: ImageData, alpha: boolean): Promise<Uint8Array> {
	const canvas = new OffscreenCanvas(pixels.width, pixels.height);
	canvas.getContext("2d", { alpha })?.putImageData(pixels, 0, 0);
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
	/** Colors of the pixels written so far. */
	private readonly written: Uint32Array;

	constructor(shape: ClipShape) {
		this.shape = shape;
		this.written = new Uint32Array(shape.width * shape.height);
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
		const { places, colors } = this.changesIn(this.last);
		const palette = quantize(colors, maxColors);
		const unchanged = palette.length;
		const index = new Uint8Array(width * height).fill(unchanged);
		applyPalette(colors, palette).forEach((color, at) => {
			index[places[at] ?? 0] = color;
		});
		this.encoder.writeFrame(index, width, height, {
			palette: [...palette, [0, 0, 0]],
			delay: endMs - this.last.atMs,
			transparent: true,
			transparentIndex: unchanged,
			repeat: isLooping ? 0 : -1,
			dispose: 1,
		});
	}

	/** Returns the changed pixels. The others keep their color of an earlier palette, so that a frame's box leaves no edges. */
	private changesIn({ box, pixels }: ClipFrame): {
		readonly places: readonly number[];
		readonly colors: Uint8ClampedArray;
	} {
		const words = new Uint32Array(pixels.data.buffer);
		const places: number[] = [];
		const colors: number[] = [];
		for (const [at, color] of words.entries()) {
			const x = at % box.width;
			const place = (box.top + (at - x) / box.width) * this.shape.width + box.left + x;
			if (this.written[place] !== color) {
				this.written[place] = color;
				places.push(place);
				colors.push(color);
			}
		}
		return { places, colors: new Uint8ClampedArray(Uint32Array.from(colors).buffer) };
	}
}
