/** Pixels in rows from the top; four bytes each: red, green, blue and alpha, the colors multiplied by alpha. */
export interface Bitmap {
	readonly width: number;
	readonly height: number;
	readonly pixels: Uint8Array;
}

/** A rectangle in pixels. */
export interface PixelRegion {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A part of a bitmap and where it goes on a frame. */
export interface Sprite {
	readonly bitmap: Bitmap;
	/** Part of the bitmap that is drawn, in whole pixels; absent: all of it. */
	readonly region?: PixelRegion;
	/** Where the part's top left corner is on the frame; fractions move it by less than a pixel. */
	readonly x: number;
	readonly y: number;
	/** Size on the frame relative to the bitmap; above 0. */
	readonly scale: number;
	/** 0 is invisible, 1 as the bitmap is. */
	readonly opacity: number;
}

/** An empty, transparent bitmap. */
export function createBitmap(width: number, height: number): Bitmap {
	return { width, height, pixels: new Uint8Array(width * height * 4) };
}

/**
 * Draws a sprite over a frame, which may be transparent, with bilinear filtering; what is outside the frame, or
 * outside `clip` where one is given, is left out.
 */
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
	for (let index = 0; index < rows.count; index += 1) {
		const row = {
			out: ((rows.from + index) * frame.width + columns.from) * 4,
			top: (rows.first[index] ?? 0) * bitmap.width,
			bottom: (rows.second[index] ?? 0) * bitmap.width,
			weight: rows.weight[index] ?? 0,
			opacity,
		};
		if (columns.isWhole && row.weight === 0) {
			drawWholeRow(frame.pixels, bitmap.pixels, row, columns);
		} else {
			drawMixedRow(frame.pixels, bitmap.pixels, row, columns);
		}
	}
}

/** Averages blocks of pixels until the bitmap is less than twice as wide as `width`; avoids the flicker of skipped pixels. */
export function downscaleTowards(bitmap: Bitmap, width: number): Bitmap {
	let current = bitmap;
	while (current.width >= width * 2 && current.height >= 2) {
		current = halve(current);
	}
	return current;
}

/** The pixels of a bitmap that the pixels of a frame are between, along one axis. */
interface Samples {
	/** The first pixel of the frame, and how many follow each other from there. */
	readonly from: number;
	readonly count: number;
	readonly first: Int32Array;
	readonly second: Int32Array;
	/** Share of the second, 0 to 256. */
	readonly weight: Int32Array;
	/** Whether every pixel of the frame is one of the bitmap. */
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
	// Only then do the bitmap's pixels follow each other as the frame's do.
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

/** A row of the frame: where it begins, and the bitmap's rows that it is between. */
interface SampledRow {
	readonly out: number;
	readonly top: number;
	readonly bottom: number;
	readonly weight: number;
	/** 0 to 256. */
	readonly opacity: number;
}

function drawWholeRow(
	to: Uint8Array,
	from: Uint8Array,
	{ out: start, top, opacity }: SampledRow,
	{ first, count }: Samples,
): void {
	let out = start;
	let at = (top + (first[0] ?? 0)) * 4;
	for (let index = 0; index < count; index += 1) {
		const alpha = ((from[at + 3] ?? 0) * opacity + 128) >> 8;
		if (alpha !== 0) {
			const rest = 255 - alpha;
			for (let channel = 0; channel < 4; channel += 1) {
				const over = ((from[at + channel] ?? 0) * opacity + 128) >> 8;
				const under = ((to[out + channel] ?? 0) * rest * 257 + 32_768) >> 16;
				to[out + channel] = over + under > 255 ? 255 : over + under;
			}
		}
		at += 4;
		out += 4;
	}
}

function drawMixedRow(
	to: Uint8Array,
	from: Uint8Array,
	row: SampledRow,
	{ first, second, weight, count }: Samples,
): void {
	let { out } = row;
	for (let index = 0; index < count; index += 1) {
		const left = first[index] ?? 0;
		const right = second[index] ?? 0;
		const share = weight[index] ?? 0;
		const upperLeft = (row.top + left) * 4;
		const upperRight = (row.top + right) * 4;
		const lowerLeft = (row.bottom + left) * 4;
		const lowerRight = (row.bottom + right) * 4;
		const alphas =
			(from[upperLeft + 3] ?? 0) |
			(from[upperRight + 3] ?? 0) |
			(from[lowerLeft + 3] ?? 0) |
			(from[lowerRight + 3] ?? 0);
		if (alphas !== 0) {
			let rest = 255;
			for (let channel = 3; channel >= 0; channel -= 1) {
				const upper =
					(from[upperLeft + channel] ?? 0) * (256 - share) +
					(from[upperRight + channel] ?? 0) * share;
				const lower =
					(from[lowerLeft + channel] ?? 0) * (256 - share) +
					(from[lowerRight + channel] ?? 0) * share;
				const mixed = (upper * (256 - row.weight) + lower * row.weight) >> 8;
				const over = (mixed * row.opacity + 32_768) >> 16;
				// Alpha is the first to be mixed, and says how much of the frame is left.
				rest = channel === 3 ? 255 - over : rest;
				const under = ((to[out + channel] ?? 0) * rest * 257 + 32_768) >> 16;
				to[out + channel] = over + under > 255 ? 255 : over + under;
			}
		}
		out += 4;
	}
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
