/** Pixels in rows from the top; four bytes each: red, green, blue and alpha, the colours multiplied by alpha. */
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

/** Fills `target` with `source`, stretched with bilinear filtering; both are opaque. */
export function stretch(source: Bitmap, target: Bitmap): void {
	const columns = samplePositions(target.width, source.width);
	const rows = samplePositions(target.height, source.height);
	const from = source.pixels;
	const to = target.pixels;
	let out = 0;
	for (const row of rows) {
		const top = row.first * source.width * 4;
		const bottom = row.second * source.width * 4;
		for (const column of columns) {
			const left = column.first * 4;
			const right = column.second * 4;
			for (let channel = 0; channel < 3; channel += 1) {
				const upper = mix(from, top + left + channel, top + right + channel, column.weight);
				const lower = mix(from, bottom + left + channel, bottom + right + channel, column.weight);
				to[out + channel] = upper + (lower - upper) * row.weight + 0.5;
			}
			to[out + 3] = 255;
			out += 4;
		}
	}
}

/** Draws a sprite over an opaque frame with bilinear filtering; what is outside the frame is left out. */
export function drawSprite(frame: Bitmap, sprite: Sprite): void {
	const { bitmap, scale } = sprite;
	const region = sprite.region ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
	if (sprite.opacity <= 0 || region.width <= 0 || region.height <= 0) {
		return;
	}
	const columns = spriteSamples(sprite.x, region.x, region.width, scale, frame.width);
	const rows = spriteSamples(sprite.y, region.y, region.height, scale, frame.height);
	for (const row of rows) {
		drawRow(frame, sprite, row, columns);
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

interface Sample {
	readonly position: number;
	readonly first: number;
	readonly second: number;
	readonly weight: number;
}

function samplePositions(targetSize: number, sourceSize: number): readonly Sample[] {
	return spriteSamples(0, 0, sourceSize, targetSize / sourceSize, targetSize);
}

/** For every frame pixel a sprite covers along one axis: the two bitmap pixels it is between. */
function spriteSamples(
	start: number,
	regionStart: number,
	regionSize: number,
	scale: number,
	frameSize: number,
): readonly Sample[] {
	const first = Math.max(0, Math.round(start));
	const last = Math.min(frameSize, Math.round(start + regionSize * scale));
	const samples: Sample[] = [];
	for (let position = first; position < last; position += 1) {
		const inside = (position + 0.5 - start) / scale - 0.5;
		const clamped = Math.min(Math.max(inside, 0), regionSize - 1);
		const whole = Math.floor(clamped);
		samples.push({
			position,
			first: regionStart + whole,
			second: regionStart + Math.min(whole + 1, regionSize - 1),
			weight: clamped - whole,
		});
	}
	return samples;
}

function drawRow(
	frame: Bitmap,
	{ bitmap, opacity }: Sprite,
	row: Sample,
	columns: readonly Sample[],
): void {
	const from = bitmap.pixels;
	const to = frame.pixels;
	const top = row.first * bitmap.width * 4;
	const bottom = row.second * bitmap.width * 4;
	const rowStart = row.position * frame.width * 4;
	for (const { position, first, second, weight } of columns) {
		const left = first * 4;
		const right = second * 4;
		const upperAlpha = mix(from, top + left + 3, top + right + 3, weight);
		const lowerAlpha = mix(from, bottom + left + 3, bottom + right + 3, weight);
		const alpha = (upperAlpha + (lowerAlpha - upperAlpha) * row.weight) * opacity;
		if (alpha < 0.5) {
			continue;
		}
		const out = rowStart + position * 4;
		const rest = 1 - alpha / 255;
		for (let channel = 0; channel < 3; channel += 1) {
			const upper = mix(from, top + left + channel, top + right + channel, weight);
			const lower = mix(from, bottom + left + channel, bottom + right + channel, weight);
			const colour = (upper + (lower - upper) * row.weight) * opacity;
			to[out + channel] = Math.min(255, colour + (to[out + channel] ?? 0) * rest + 0.5);
		}
	}
}

function mix(pixels: Uint8Array, first: number, second: number, weight: number): number {
	const value = pixels[first] ?? 0;
	return value + ((pixels[second] ?? 0) - value) * weight;
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
