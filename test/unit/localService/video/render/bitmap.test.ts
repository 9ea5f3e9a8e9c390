import { expect, test } from "vitest";
import {
	type Bitmap,
	createBitmap,
	drawSprite,
	downscaleTowards,
} from "../../../../../src/localService/video/render/bitmap.ts";

function filled(width: number, height: number, color: readonly number[]): Bitmap {
	const bitmap = createBitmap(width, height);
	bitmap.pixels.forEach((_, index) => {
		bitmap.pixels[index] = color[index % 4] ?? 0;
	});
	return bitmap;
}

const black = [0, 0, 0, 255];
const white = [255, 255, 255, 255];
const reds = (bitmap: Bitmap): number[] => [...bitmap.pixels].filter((_, index) => index % 4 === 0);

test("a sprite covers its place and nothing else", () => {
	const frame = filled(4, 1, black);
	const sprite = { bitmap: filled(2, 1, white), x: 1, y: 0, scale: 1, opacity: 1 };
	drawSprite(frame, sprite);
	expect(reds(frame)).toEqual([0, 255, 255, 0]);
});

test("opacity mixes a sprite with what is behind it", () => {
	const frame = filled(1, 1, black);
	drawSprite(frame, { bitmap: filled(1, 1, white), x: 0, y: 0, scale: 1, opacity: 0.5 });
	expect(frame.pixels[0]).toBe(128);
	expect(frame.pixels[3]).toBe(255);
});

test("transparent pixels leave the frame as it is", () => {
	const frame = filled(2, 2, [10, 20, 30, 255]);
	drawSprite(frame, { bitmap: createBitmap(2, 2), x: 0, y: 0, scale: 1, opacity: 1 });
	expect([...frame.pixels.subarray(0, 4)]).toEqual([10, 20, 30, 255]);
});

test("a sprite beyond the frame's edges draws only what is inside, and memory stays whole", () => {
	for (const [x, y] of [
		[-3, -3],
		[3, 3],
		[-100, 0],
		[0, 100],
	] as const) {
		const frame = filled(4, 4, black);
		drawSprite(frame, { bitmap: filled(4, 4, white), x, y, scale: 1, opacity: 1 });
		const drawn = reds(frame).filter(value => value === 255).length;
		expect(drawn).toBe(Math.abs(x) === 3 ? 1 : 0);
	}
});

test("a region draws that part of the bitmap alone, its neighbors do not bleed in", () => {
	const bitmap = filled(3, 1, white);
	bitmap.pixels.set(black, 4);
	const frame = filled(4, 1, [9, 9, 9, 255]);
	const region = { x: 1, y: 0, width: 1, height: 1 };
	drawSprite(frame, { bitmap, region, x: 0, y: 0, scale: 4, opacity: 1 });
	expect(reds(frame)).toEqual([0, 0, 0, 0]);
});

test("a transparent frame takes over a sprite with its transparency", () => {
	const frame = createBitmap(2, 1);
	const glass = filled(2, 1, [64, 0, 0, 128]);
	drawSprite(frame, { bitmap: glass, x: 0, y: 0, scale: 1, opacity: 1 });
	expect([...frame.pixels.subarray(0, 4)]).toEqual([64, 0, 0, 128]);
});

test("what is outside the clip is left as it is, whether whole pixels or parts of them are drawn", () => {
	for (const x of [0, 0.4]) {
		const frame = filled(8, 1, black);
		const clip = { x: 2, y: 0, width: 3, height: 1 };
		drawSprite(frame, { bitmap: filled(8, 1, white), x, y: 0, scale: 1, opacity: 1 }, clip);
		expect(reds(frame)).toEqual([0, 0, 255, 255, 255, 0, 0, 0]);
	}
});

test("halving averages four pixels into one, and stops before the width asked for is undercut", () => {
	const checks = createBitmap(4, 4);
	for (let index = 0; index < 16; index += 1) {
		checks.pixels.set((index + (index >> 2)) % 2 === 0 ? black : white, index * 4);
	}
	const half = downscaleTowards(checks, 2);
	expect(half.width).toBe(2);
	expect(reds(half)).toEqual([128, 128, 128, 128]);
	expect(downscaleTowards(checks, 3)).toBe(checks);
});
