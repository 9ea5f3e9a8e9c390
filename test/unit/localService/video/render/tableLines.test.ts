// @module-tag thorough
import { expect, test } from "vitest";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { FrameComposer } from "../../../../../src/localService/video/render/frameComposer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { clipThemes } from "../../../../pictures/clipThemes.ts";
import { packageAssets } from "../videoFixtures.ts";

test.each([3, 9, 13])("the line along %i rows of a tree has no gap", async rows => {
	const renderer = await ClipRenderer.open(packageAssets, []);
	const prompt = `\`\`\`console\n${"│   ├── file.ts\n".repeat(rows)}└──\n\`\`\``;
	const looks = {
		shape: "16:9",
		tabSize: 4,
		ground: "solid",
		bar: false,
		theme: clipThemes["Dark Modern"],
	} as const;
	const job = { type: "text", prompt, duration: 2, motionStrength: 3, looks } as const;
	const scene = createScene(job, renderer);
	const composer = new FrameComposer(scene.ground());
	composer.compose(scene.frameAt(2));
	const { pixels, width, height } = composer.frame;
	const inkAt = (x: number): readonly number[] =>
		Array.from({ length: height }, (_, y) => y).filter(
			y => (pixels[(y * width + x) * 4 + 1] ?? 0) > 150,
		);
	// The ground below the window is darker than 150. The column with the most ink is the tree's own line.
	const columns = Array.from({ length: width / 2 }, (_, x) => inkAt(x));
	const [line = []] = columns.toSorted((left, right) => right.length - left.length);
	expect(line.length).toBeGreaterThan(rows * 40);
	expect(line.filter((y, index) => index > 0 && y !== (line[index - 1] ?? 0) + 1)).toEqual([]);
});
