/** Pixel rows from the top, four bytes per pixel: red, green, blue and alpha, premultiplied. */
export interface Bitmap {
	readonly width: number;
	readonly height: number;
	readonly pixels: Uint8Array;
	/** Pixels per unit of a stage; 1 by default. */
	readonly density?: number;
}

export interface PixelRegion {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A part of a bitmap and its place in a frame. */
export interface Sprite {
	readonly bitmap: Bitmap;
	/** Part of the bitmap to draw, in units on whole pixels; all of it by default. */
	readonly region?: PixelRegion;
	/** Top left corner of the part in the frame. May be fractional. */
	readonly x: number;
	readonly y: number;
	/** Scale relative to the bitmap; above 0. */
	readonly scale: number;
	/** 0 is invisible; 1 is the bitmap's own opacity. */
	readonly opacity: number;
}

/** Returns a bitmap's pixels as 32-bit numbers with red in the lowest byte and alpha in the highest. */
export function pixelWords({ pixels }: Bitmap): Uint32Array {
	return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

const opaqueBitmaps = new WeakMap<Bitmap, boolean>();

/** Whether a bitmap has no transparency. The result is cached, so the pixels must not change later. */
export function isOpaque(bitmap: Bitmap): boolean {
	const known = opaqueBitmaps.get(bitmap);
	if (known !== undefined) {
		return known;
	}
	const hasNoHoles = pixelWords(bitmap).every(pixel => pixel >>> 24 === 255);
	opaqueBitmaps.set(bitmap, hasNoHoles);
	return hasNoHoles;
}

export function createBitmap(width: number, height: number): Bitmap {
	return { width, height, pixels: new Uint8Array(width * height * 4) };
}

/** Draws a sprite onto a frame with bilinear filtering, without what is outside the frame or `clip`. */
export function drawSprite(frame: Bitmap, sprite: Sprite, clip?: PixelRegion): void {
	const { bitmap, scale } = sprite;
	const region = sprite.region ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
	if (sprite.opacity <= 0 || region.width <= 0 || region.height <= 0) {
		return;
	}
	const right = Math.min(frame.width, clip ? clip.x + clip.width : frame.width);
	const bottom = Math.min(frame.height, clip ? clip.y + clip.height : frame.height);
	const across = { start: sprite.x, region: region.x, size: region.width, scale };
	const down = { start: sprite.y, region: region.y, size: region.height, scale };
	const columns = samplesOf(across, Math.max(0, clip?.x ?? 0), right);
	const rows = samplesOf(down, Math.max(0, clip?.y ?? 0), bottom);
	const opacity = Math.round(Math.min(1, sprite.opacity) * 256);
	const to = pixelWords(frame);
	const from = pixelWords(bitmap);
	const between = new MixedRows(from, columns);
	for (let index = 0; index < rows.count; index += 1) {
		const row = {
			out: (rows.from + index) * frame.width + columns.from,
			top: (rows.first[index] ?? 0) * bitmap.width,
			bottom: (rows.second[index] ?? 0) * bitmap.width,
			weight: rows.weight[index] ?? 0,
			opacity,
		};
		if (columns.isWhole && row.weight === 0) {
			drawWholeRow(to, from, row, columns);
		} else {
			drawMixedRow(to, between, row, columns);
		}
	}
}

/** Averages blocks of pixels until the bitmap is less than twice as wide as `width`, to avoid flicker of skipped pixels. */
export function downscaleTowards(bitmap: Bitmap, width: number): Bitmap {
	let current = bitmap;
	while (current.width >= width * 2 && current.height >= 2) {
		current = halve(current);
	}
	return current;
}

/** The bitmap pixels between which a frame's pixels lie, along one axis. */
interface Samples {
	/** The first frame pixel, and the number of consecutive ones. */
	readonly from: number;
	readonly count: number;
	readonly first: Int32Array;
	readonly second: Int32Array;
	/** Weight of the second pixel, 0 to 256. */
	readonly weight: Int32Array;
	/** Whether every frame pixel matches a bitmap pixel exactly. */
	readonly isWhole: boolean;
}

function samplesOf(
	axis: {
		readonly start: number;
		readonly region: number;
		readonly size: number;
		readonly scale: number;
	},
	least: number,
	end: number,
): Samples {
	const from = Math.max(least, Math.round(axis.start));
	const last = Math.min(end, Math.round(axis.start + axis.size * axis.scale));
	const count = Math.max(0, last - from);
	const first = new Int32Array(count);
	const second = new Int32Array(count);
	const weight = new Int32Array(count);
	// At another scale the pixels don't match one to one.
	let isWhole = axis.scale === 1;
	for (let index = 0; index < count; index += 1) {
		const inside = (from + index + 0.5 - axis.start) / axis.scale - 0.5;
		const clamped = Math.min(Math.max(inside, 0), axis.size - 1);
		const whole = Math.floor(clamped);
		const share = Math.round((clamped - whole) * 256);
		first[index] = axis.region + whole;
		second[index] = axis.region + Math.min(whole + 1, axis.size - 1);
		weight[index] = share;
		isWhole &&= share === 0;
	}
	return { from, count, first, second, weight, isWhole };
}

/** A row of the frame: its offset, and the bitmap rows around it. */
interface SampledRow {
	readonly out: number;
	readonly top: number;
	readonly bottom: number;
	readonly weight: number;
	/** 0 to 256. */
	readonly opacity: number;
}

function drawWholeRow(
	to: Uint32Array,
	from: Uint32Array,
	{ out, top, opacity }: SampledRow,
	{ first, count }: Samples,
): void {
	const start = top + (first[0] ?? 0);
	for (let index = 0; index < count; index += 1) {
		const pixel = from[start + index] ?? 0;
		if (pixel !== 0) {
			to[out + index] = blended(to[out + index] ?? 0, pixel, opacity);
		}
	}
}

function drawMixedRow(
	to: Uint32Array,
	between: MixedRows,
	{ out, top, bottom, weight, opacity }: SampledRow,
	{ count }: Samples,
): void {
	const upper = between.at(top, bottom);
	const lower = between.at(bottom, top);
	for (let index = 0; index < count; index += 1) {
		const evens = mixed(upper.evens[index] ?? 0, lower.evens[index] ?? 0, weight);
		const odds = mixed(upper.odds[index] ?? 0, lower.odds[index] ?? 0, weight);
		const pixel = (odds << 8) | evens;
		if (opacity === 256 && pixel >>> 24 === 255) {
			to[out + index] = pixel;
		} else if (pixel !== 0) {
			to[out + index] = blended(to[out + index] ?? 0, pixel, opacity);
		}
	}
}

/** A bitmap row resampled to the columns of a frame, in pairs of bytes. */
interface MixedRow {
	/** Index of its first pixel in the bitmap. */
	start: number;
	readonly evens: Int32Array;
	readonly odds: Int32Array;
}

/** Caches resampled bitmap rows, because consecutive frame rows often share one. */
class MixedRows {
	private readonly from: Uint32Array;
	private readonly columns: Samples;
	private readonly kept: MixedRow[] = [];

	constructor(from: Uint32Array, columns: Samples) {
		this.from = from;
		this.columns = columns;
	}

	/** Returns the row that starts at `start`. Keeps the one at `other` in the cache. */
	at(start: number, other: number): MixedRow {
		const known = this.kept.find(row => row.start === start);
		if (known) {
			return known;
		}
		const { count } = this.columns;
		const free = this.kept.length < 2 ? undefined : this.kept.find(row => row.start !== other);
		const row = free ?? { start, evens: new Int32Array(count), odds: new Int32Array(count) };
		if (!free) {
			this.kept.push(row);
		}
		row.start = start;
		this.mix(row);
		return row;
	}

	private mix({ start, evens, odds }: MixedRow): void {
		const { from } = this;
		const { first, weight, count } = this.columns;
		for (let index = 0; index < count; index += 1) {
			const at = start + (first[index] ?? 0);
			const left = from[at] ?? 0;
			// After the last pixel, the weight is 0.
			const right = from[at + 1] ?? 0;
			const share = weight[index] ?? 0;
			evens[index] = mixed(left & evenBytes, right & evenBytes, share);
			odds[index] = mixed((left >>> 8) & evenBytes, (right >>> 8) & evenBytes, share);
		}
	}
}

/** Masks for processing two of a pixel's four bytes at once. Products of a byte and up to 256 fit between them. */
const evenBytes = 0xff_00_ff;
const halves = 0x80_00_80;

/** Interpolates between two pairs of bytes; `share` is the weight of the second, 0 to 256. */
function mixed(first: number, second: number, share: number): number {
	const sum = Math.imul(first, 256 - share) + Math.imul(second, share) + halves;
	return (sum >>> 8) & evenBytes;
}

/** Blends a pixel over another. No sum exceeds 255, because colors are at most their alpha. */
function blended(under: number, over: number, opacity: number): number {
	const odds = (Math.imul((over >>> 8) & evenBytes, opacity) + halves) & ~evenBytes;
	const evens = ((Math.imul(over & evenBytes, opacity) + halves) >>> 8) & evenBytes;
	const rest = 255 - (odds >>> 24);
	if (rest === 0) {
		return odds | evens;
	}
	return (
		(odds | evens) +
		(byShare(under & evenBytes, rest) | (byShare((under >>> 8) & evenBytes, rest) << 8))
	);
}

/** Multiplies a pair of bytes by a share of 255, rounded. */
function byShare(pair: number, share: number): number {
	const product = Math.imul(pair, share) + halves;
	return ((product + ((product >>> 8) & evenBytes)) >>> 8) & evenBytes;
}

function halve({ width, height, pixels }: Bitmap): Bitmap {
	const half = createBitmap(width >> 1, height >> 1);
	let out = 0;
	for (let y = 0; y < half.height; y += 1) {
		for (let x = 0; x < half.width; x += 1) {
			const at = (y * 2 * width + x * 2) * 4;
			for (let channel = at; channel < at + 4; channel += 1) {
				const below = channel + width * 4;
				const sum =
					(pixels[channel] ?? 0) +
					(pixels[channel + 4] ?? 0) +
					(pixels[below] ?? 0) +
					(pixels[below + 4] ?? 0);
				half.pixels[out] = (sum + 2) >> 2;
				out += 1;
			}
		}
	}
	return half;
}
