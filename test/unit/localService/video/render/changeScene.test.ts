import { beforeAll, describe, expect, test } from "vitest";
import { bandOpacity, paletteOf } from "../../../../../src/localService/video/layout/palette.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { blended, contrastOf, rgbOf } from "../colors.ts";
import { decodeKeyFrame, packageAssets } from "../videoFixtures.ts";

test("changed code keeps a contrast of 4.5 on its band, and so do the signs beside it", () => {
	for (let index = 0; index < 200; index += 1) {
		const palette = paletteOf(`change ${index}`);
		for (const light of [palette.deep, palette.deeper, ...palette.lights]) {
			const ground = blended(rgbOf("#0c0e13"), rgbOf(light), 0.88);
			for (const color of [palette.removed, palette.added]) {
				const band = blended(rgbOf(color), ground, bandOpacity.change);
				const contrasts = [...Object.values(palette.code), color].map(text =>
					contrastOf(rgbOf(text), band),
				);
				expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
			}
		}
	}
});

describe("in the picture", () => {
	let studio: ClipRenderer;

	beforeAll(async () => {
		studio = await ClipRenderer.open(packageAssets);
	});

	/** Whether something bright is between two columns of pixels, in the middle of the window. */
	const isBright = (prompt: string, seconds: number, from: number, to: number): boolean => {
		const job = { type: "text", prompt, duration: 2, motionStrength: 1 } as const;
		const frame = studio.shoot(createScene(job, studio).frameAt(seconds));
		const { pixels, width } = decodeKeyFrame(frame, studio);
		const rows = Array.from({ length: 120 }, (_, row) => row + 220);
		return rows.some(y =>
			pixels
				.subarray((y * width + from) * 4, (y * width + to) * 4)
				.some(value => value < 255 && value > 150),
		);
	};

	test("what stays is there all the time, what goes before, what comes after", () => {
		const prompt = "```diff\n-keep = gone\n+keep =      here\n```";
		// At 34 pixels a column is 20.5 wide, the first at 130.
		const places = { stays: [130, 200], goes: [270, 350], comes: [372, 460] } as const;
		const seen = (seconds: number) =>
			Object.values(places).map(([from, to]) => isBright(prompt, seconds, from, to));
		expect(seen(0.3)).toEqual([true, true, false]);
		expect(seen(1)).toEqual([true, false, false]);
		expect(seen(1.9)).toEqual([true, false, true]);
	});
});
