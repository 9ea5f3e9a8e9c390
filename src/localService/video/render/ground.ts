import type { ClipGround } from "../../../common/clipLooks.ts";
import { channelsOf } from "../../../common/color.ts";
import { type Bitmap, createBitmap, pixelWords } from "./bitmap.ts";
import { density, type FrameSize } from "./scene.ts";

/** Distance of the points at which colors are computed, in pixels. Colors between them are interpolated linearly. */
const coarse = 16;
const opaque = 0xff << 24;

/** Returns a function that draws the background on first use. */
export function groundOf(...how: Parameters<typeof drawGround>): () => Bitmap {
	let ground: Bitmap | undefined;
	return () => (ground ??= drawGround(...how));
}

/** Draws the background: a dithered gradient between two colors, or a single color. Dithering hides the steps between levels. */
function drawGround(
	size: FrameSize,
	colors: { readonly ground: string; readonly ends: readonly [string, string] },
	kind: ClipGround,
): Bitmap {
	const bitmap = createBitmap(size.width * density, size.height * density);
	const words = pixelWords(bitmap);
	if (kind === "solid" || kind === "none") {
		const [red, green, blue] = channelsOf(colors.ground);
		return words.fill(opaque | (blue << 16) | (green << 8) | red) && bitmap;
	}
	const { width, height } = bitmap;
	const columns = Math.ceil(width / coarse) + 1;
	const points = pointsOf(colors.ends, columns, Math.ceil(height / coarse) + 1);
	for (let y = 0; y < height; y += 1) {
		const down = (y % coarse) / coarse;
		const row = Math.floor(y / coarse) * columns * 3;
		for (let column = 0; column < columns - 1; column += 1) {
			const at = row + column * 3;
			const left = [0, 1, 2].map(channel => between(points, at + channel, columns * 3, down));
			const right = [3, 4, 5].map(channel => between(points, at + channel, columns * 3, down));
			paintRun(words, y * width, column * coarse, Math.min((column + 1) * coarse, width), {
				left,
				right,
				line: y,
			});
		}
	}
	return bitmap;
}

function between(points: Float32Array, at: number, stride: number, down: number): number {
	const upper = points[at] ?? 0;
	return upper + ((points[at + stride] ?? 0) - upper) * down;
}

interface ColorRun {
	readonly left: readonly number[];
	readonly right: readonly number[];
	readonly line: number;
}

function paintRun(
	words: Uint32Array,
	start: number,
	from: number,
	to: number,
	{ left, right, line }: ColorRun,
): void {
	let [red = 0, green = 0, blue = 0] = left;
	const [redStep = 0, greenStep = 0, blueStep = 0] = right.map(
		(level, channel) => (level - (left[channel] ?? 0)) / coarse,
	);
	for (let x = from; x < to; x += 1) {
		const noise = dither[(line & 7) * 8 + (x & 7)] ?? 0;
		words[start + x] = opaque | ((blue + noise) << 16) | ((green + noise) << 8) | (red + noise);
		red += redStep;
		green += greenStep;
		blue += blueStep;
	}
}

/** Thresholds of an ordered dither, 0 to 1. */
const dither = Float32Array.from({ length: 64 }, (_, index) => {
	let value = 0;
	for (let bit = 0; bit < 3; bit += 1) {
		const [x, y] = [(index >> bit) & 1, (index >> (bit + 3)) & 1];
		value |= ((x ^ y) << (5 - bit * 2)) | (y << (4 - bit * 2));
	}
	return (value + 0.5) / 64;
});

function pointsOf(ends: readonly [string, string], columns: number, rows: number): Float32Array {
	const points = new Float32Array(columns * rows * 3);
	const [from, to] = ends.map(channelsOf);
	for (let row = 0; row < rows; row += 1) {
		for (let column = 0; column < columns; column += 1) {
			const share = (column / (columns - 1) + row / (rows - 1)) / 2;
			for (let channel = 0; channel < 3; channel += 1) {
				const start = from?.[channel] ?? 0;
				const level = start + ((to?.[channel] ?? start) - start) * share;
				points[(row * columns + column) * 3 + channel] = Math.min(254, level);
			}
		}
	}
	return points;
}
