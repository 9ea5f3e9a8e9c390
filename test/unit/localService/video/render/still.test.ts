import { expect, test } from "vitest";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import type { Scene } from "../../../../../src/localService/video/render/scene.ts";
import { spyRenderer } from "./drawnTexts.ts";

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;
const numbered = (count: number, line: (index: number) => string): string =>
	Array.from({ length: count }, (_, index) => line(index + 1)).join("\n");
const code = (count: number): string =>
	fence(
		"js",
		numbered(count, index => `step(${index});`),
	);
const session = `$ ls\n${numbered(40, index => `file-${index}`)}`;
const hunks = numbered(9, index =>
	[
		`@@ -${index * 30},3 +${index * 30},3 @@`,
		` const a${index} = 1;`,
		`-old(${index});`,
		`+fresh(${index});`,
		` end(${index});`,
	].join("\n"),
);

function sceneOf(prompt: string, isStill: boolean): { scene: Scene; svgs: string[] } {
	const svgs: string[] = [];
	const job = { type: "text", prompt, duration: 6, motionStrength: 4 } as const;
	return { scene: createScene(job, spyRenderer(svgs), isStill), svgs };
}

/** Returns how many rows are wholly inside the frame at a time. Each row is a strip of a sheet, from the left edge on. */
function rowsInside({ size, frameAt }: Scene, seconds: number): number {
	const tops = frameAt(seconds)
		.sprites.filter(
			({ region, y, opacity }) =>
				region?.x === 0 && opacity === 1 && y > 0 && y + region.height < size.height,
		)
		.map(({ y }) => y);
	return new Set(tops).size;
}

test.each([
	["code", code(45), 45],
	["code of exactly as many rows as are shown", code(60), 60],
	["code of more rows than are shown, with a note in place of the last", code(90), 60],
	["a session", fence("console", session), 41],
	["a session of more rows than are shown", fence("console", `${session}\n${session}`), 60],
])("a still picture is as high as its rows, and shows them: %s", (_, prompt, rows) => {
	const { scene } = sceneOf(prompt, true);
	expect(rowsInside(scene, 6)).toBe(rows);
	expect(scene.size.width).toBe(960);
	expect(scene.size.height).toBeGreaterThan(rows * 20);
});

test("the still picture of a long change shows every hunk", () => {
	const { scene, svgs } = sceneOf(fence("diff", hunks), true);
	scene.frameAt(6);
	expect(scene.size.height).toBeGreaterThan(540);
	const words = svgs.join("").replaceAll(/<[^>]*>/g, "");
	const shown = Array.from({ length: 9 }, (_, index) => `fresh(${index + 1})`);
	expect(shown.filter(call => words.includes(call))).toEqual(shown);
});

test("the still picture of code that fits is the clip's end", () => {
	const [still, clip] = [true, false].map(isStill => sceneOf(code(20), isStill).scene);
	expect(still?.size).toEqual(clip?.size);
	const placesOf = (scene: Scene | undefined) =>
		scene?.frameAt(6).sprites.map(({ x, y, region, opacity }) => ({ x, y, region, opacity }));
	expect(placesOf(still)).toEqual(placesOf(clip));
});

test.each([
	["code", code(45), 45],
	["code of more rows than are shown", code(90), 60],
	["a session", fence("console", session), 41],
])(
	"the first frame of a clip that scrolls shows the whole in the clip's shape: %s",
	(_, prompt, rows) => {
		const { scene } = sceneOf(prompt, false);
		expect(scene.size.height).toBe(540);
		expect(rowsInside(scene, 0)).toBe(rows);
		expect(rowsInside(scene, 5.9)).toBeLessThan(25);
	},
);

test("the note of a still picture counts the lines that it leaves out", () => {
	const { scene, svgs } = sceneOf(code(90), true);
	scene.frameAt(6);
	expect(svgs.join("")).toContain("⋯ 31 more lines");
});
