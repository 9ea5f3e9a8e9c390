import { expect, test } from "vitest";
import { changedBox, copyBox } from "../../../../../media/video/export/changedBox.ts";

const width = 8;

/** A gray picture of 8 × 4 pixels with some of them changed by a value. */
function picture(changed: readonly (readonly [number, number])[] = [], by = 100) {
	const pixels = new Uint8ClampedArray(width * 4 * 4).fill(100);
	for (const [x, y] of changed) {
		pixels[(y * width + x) * 4 + 1] = 100 + by;
	}
	return pixels;
}

test("an equal picture has no changed box, and noise of the decoder is no change", () => {
	expect(changedBox(picture(), picture(), width)).toBeUndefined();
	expect(changedBox(picture(), picture([[3, 2]], 10), width)).toBeUndefined();
});

test("the box holds every changed pixel and begins at even places, as WebP halves them", () => {
	const box = changedBox(
		picture(),
		picture([
			[3, 1],
			[6, 2],
		]),
		width,
	);
	expect(box).toEqual({ left: 2, top: 0, width: 5, height: 3 });
});

test("small changes add up until they count, as they are compared with what is shown", () => {
	const shown = picture();
	const second = picture([[1, 1]], 8);
	expect(changedBox(shown, second, width)).toBeUndefined();
	const third = picture([[1, 1]], 16);
	const box = changedBox(shown, third, width);
	expect(box).toBeDefined();
	if (box) {
		copyBox(shown, third, width, box);
	}
	expect(changedBox(shown, third, width)).toBeUndefined();
});
