/** A region of an image, in pixels. */
export interface Box {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/** The greatest difference of a channel that counts as equal, 0 to 255. Decoding the same frame twice differs by less. */
export const decodedTolerance = 10;

/**
 * Returns the smallest box outside which two images are equal, or undefined if they are equal. Its left and top are even. Both are RGBA with `width`
 * pixels per row. A pixel counts as equal if no channel differs by more than `tolerance`.
 */
export function changedBox(
	shown: Uint8ClampedArray,
	next: Uint8ClampedArray,
	width: number,
	tolerance = decodedTolerance,
): Box | undefined {
	let [left, top, right, bottom] = [width, -1, -1, -1];
	for (let at = 0; at < next.length; at += 4) {
		if (isChanged(shown, next, at, tolerance)) {
			const pixel = at / 4;
			const x = pixel % width;
			const y = (pixel - x) / width;
			top = top === -1 ? y : top;
			bottom = y;
			left = Math.min(left, x);
			right = Math.max(right, x);
		}
	}
	if (top === -1) {
		return undefined;
	}
	left -= left % 2;
	top -= top % 2;
	return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function isChanged(
	shown: Uint8ClampedArray,
	next: Uint8ClampedArray,
	at: number,
	tolerance: number,
): boolean {
	for (let channel = at; channel < at + 4; channel++) {
		if (Math.abs((shown[channel] ?? 0) - (next[channel] ?? 0)) > tolerance) {
			return true;
		}
	}
	return false;
}

/** Copies a box of `next` to `shown`. */
export function copyBox(
	shown: Uint8ClampedArray,
	next: Uint8ClampedArray,
	width: number,
	box: Box,
): void {
	for (let y = box.top; y < box.top + box.height; y++) {
		const from = (y * width + box.left) * 4;
		shown.set(next.subarray(from, from + box.width * 4), from);
	}
}
