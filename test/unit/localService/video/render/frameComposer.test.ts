// @module-tag thorough
import { beforeAll, expect, test } from "vitest";
import { createBitmap, type Sprite } from "../../../../../src/localService/video/render/bitmap.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { FrameComposer } from "../../../../../src/localService/video/render/frameComposer.ts";
import { createScene, filmScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { packageAssets } from "../videoFixtures.ts";

let renderer: ClipRenderer;

beforeAll(async () => {
	renderer = await ClipRenderer.open(packageAssets);
});

const prompts: Readonly<Record<string, string>> = {
	prose: "A lighthouse at dusk, waves breaking slowly",
	code: "const a = 1;\nconst b = 2;\n",
	focus: `\`\`\`js {30}\n${"total.add(value);\n".repeat(40)}\`\`\``,
	change: "```diff\n-keep = gone\n+keep = here\n```",
	terminal: "```console\n$ git status\n M a.txt\n$ git add .\n```",
};

test.each(Object.entries(prompts))(
	"drawing only what changed gives the same pictures as drawing all: %s",
	(_name, prompt) => {
		const scene = createScene({ type: "text", prompt, duration: 1, motionStrength: 5 }, renderer);
		const composer = new FrameComposer(scene.ground());
		for (let index = 0; index < 24; index += 1) {
			composer.compose(scene.frameAt(index / 24));
			if (index % 5 === 3) {
				const fresh = new FrameComposer(scene.ground());
				fresh.compose(scene.frameAt(index / 24));
				expect(Buffer.compare(composer.frame.pixels, fresh.frame.pixels)).toBe(0);
			}
		}
	},
);

test("a frame that looks like the one before is not encoded, unless it is the last", () => {
	const scene = createScene(
		{ type: "text", prompt: "Still", duration: 1, motionStrength: 1 },
		renderer,
	);
	const plan = scene.frameAt(0.9);
	const frames = filmScene(
		{
			...scene,
			frameAt: seconds => (seconds < 0.5 ? plan : { ...plan, sprites: [] }),
		},
		1,
	);
	expect(frames.map(({ at, isKey }) => [at, isKey])).toEqual([
		[0, true],
		[0.5, false],
		[23 / 24, false],
	]);
});

test("what is behind an opaque sprite is not seen, and what is beside it is", () => {
	const scene = createScene(
		{ type: "text", prompt: "Behind", duration: 1, motionStrength: 1 },
		renderer,
	);
	const { sprites } = scene.frameAt(0.9);
	const { width } = scene.ground();
	const bitmap = createBitmap(400, 300);
	bitmap.pixels.fill(255);
	const cover = { bitmap, x: 50.2, y: 60, scale: 0.55, opacity: 1 };
	const pixelsOf = (drawn: readonly Sprite[]): Uint8Array => {
		const composer = new FrameComposer(scene.ground());
		composer.compose({ sprites: [] });
		composer.compose({ sprites: drawn });
		return composer.frame.pixels;
	};
	const expected = pixelsOf(sprites);
	const shown = pixelsOf([...sprites, cover]);
	for (let index = 0; index < shown.length; index += 4) {
		const [x, y] = [(index / 4) % width, Math.floor(index / 4 / width)];
		const isInside = x >= 100 && x < 540 && y >= 120 && y < 450;
		if (shown[index] !== (isInside ? 255 : expected[index])) {
			expect({ x, y, shown: shown[index] }).toEqual({ x, y, shown: expected[index] });
		}
	}
});
