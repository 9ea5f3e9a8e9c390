// @module-tag thorough
import { expect, test } from "vitest";
import { clipThemes } from "../../../../../src/clip/clipThemes.ts";
import {
	ClipRenderer,
	quantizers,
} from "../../../../../src/localService/video/render/clipRenderer.ts";
import { FrameComposer } from "../../../../../src/localService/video/render/frameComposer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import {
	convertMacroblock,
	createPlanes,
	isCalmSquare,
	squaresOf,
} from "../../../../../src/localService/video/vp8/planes.ts";
import { pixelWords } from "../../../../../src/localService/video/render/bitmap.ts";
import { Vp8Encoder } from "../../../../../src/localService/video/vp8/vp8Encoder.ts";
import { packageAssets } from "../videoFixtures.ts";

const studio = await ClipRenderer.open(packageAssets);
const code = Array.from(
	{ length: 34 },
	(_, index) => `const value${index} = await load("item ${index}", ${index}); // step ${index}`,
).join("\n");

test.each([
	["Dark Modern", 5],
	["Light Modern", 5],
] as const)(
	"after a scroll, no pixel of calm ground keeps colors of what went over it: %s at motion %i",
	(theme, motionStrength) => {
		const looks = { shape: "16:9", tabSize: 4, theme: clipThemes[theme] } as const;
		const prompt = `\`\`\`ts line=1\n${code}\n\`\`\``;
		const scene = createScene({ type: "text", prompt, duration: 2, motionStrength, looks }, studio);
		const composer = new FrameComposer(scene.ground());
		const encoder = new Vp8Encoder(scene.ground(), ...quantizers);
		encoder.encodeKeyFrame(composer.compose(scene.frameAt(0)) && composer.frame);
		for (let frame = 1; frame < 48; frame += 1) {
			encoder.encodeChange(composer.frame, composer.compose(scene.frameAt(frame / 24)));
		}
		const { width, height } = composer.frame;
		const source = createPlanes(width, height);
		const shown = squaresOf(encoder.decoded);
		const words = pixelWords(composer.frame);
		const worst = squaresOf(source).map((squares, index) => {
			const [column, row] = [index % encoder.columns, Math.floor(index / encoder.columns)];
			convertMacroblock(composer.frame, words, source, column, row);
			return squares.every(isCalmSquare)
				? squares.map((square, plane) => differenceAt(square, shown[index]?.[plane] ?? square))
				: [0, 0, 0];
		});
		expect(Math.max(...worst.map(([luma = 0]) => luma))).toBeLessThanOrEqual(6);
		const colors = worst.flatMap(([, blue = 0, red = 0]) => [blue, red]);
		expect(Math.max(...colors)).toBeLessThanOrEqual(3);
	},
);

type Square = ReturnType<typeof squaresOf>[number][0];

/** Returns the greatest difference of a pixel. */
function differenceAt({ plane, stride, at, size }: Square, other: Square): number {
	let most = 0;
	for (let y = 0; y < size; y += 1) {
		for (let x = 0; x < size; x += 1) {
			const [left, right] = [plane[at + y * stride + x], other.plane[other.at + y * stride + x]];
			most = Math.max(most, Math.abs((left ?? 0) - (right ?? 0)));
		}
	}
	return most;
}
