import { expect, test } from "vitest";
import { createBitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { images } from "../videoFixtures.ts";
import { spyRenderer } from "./drawnTexts.ts";

/** Returns where a picture of 1600 × 800 pixels is at a time of a clip of four seconds, in units. */
function placeAt(seconds: number, source = "https://a.example/shot.png") {
	const pixels = createBitmap(1600, 800);
	pixels.pixels.fill(255);
	const renderer = { ...spyRenderer([]), decodeImage: () => pixels };
	const job = { type: "image", bytes: images.png, source, duration: 4, motionStrength: 3 } as const;
	const scene = createScene(job, renderer);
	const picture = scene.frameAt(seconds).sprites.at(-1);
	if (!picture) {
		throw new Error("No picture is drawn");
	}
	const { x, y, scale, bitmap } = picture;
	return { bitmap, x, y, width: bitmap.width * scale, height: bitmap.height * scale };
}

test("a picture is seen whole at the start and at the end, with round corners and a margin", () => {
	for (const seconds of [0, 0.5, 3.9]) {
		const { x, y, width, height, bitmap } = placeAt(seconds);
		expect(Math.min(x, y)).toBeGreaterThan(20);
		expect(x + width).toBeLessThan(940);
		expect(y + height).toBeLessThan(520);
		expect(width / height).toBeCloseTo(2, 2);
		expect(bitmap.pixels[3]).toBe(0);
	}
});

test("between them the view comes nearer to the middle, or to the part that the address names", () => {
	const whole = placeAt(0);
	const near = placeAt(2.2);
	expect(near.width).toBeGreaterThan(whole.width * 1.2);
	expect(near.x + near.width / 2).toBeCloseTo(480, 0);
	const part = placeAt(2.2, "https://a.example/shot.png#xywh=percent:60,10,20,20");
	expect(part.x + part.width * 0.7).toBeCloseTo(480, 0);
	expect(part.y + part.height * 0.2).toBeCloseTo(270, 0);
});

test.each(["#xywh=percent:90,0,40,10", "#xywh=percent:0,0,0,0", "#xywh=1,2,3,4", "#other"])(
	"an address that names no part inside the picture has the view of the middle: %s",
	fragment => {
		expect(placeAt(2.2, `https://a.example/shot.png${fragment}`).width).toBe(placeAt(2.2).width);
	},
);
