// @module-tag thorough
import { tokensOfChange } from "../layout/plainTokens.ts";
import { columnsOf } from "../../../../../src/clip/columns.ts";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import { layOutChange } from "../../../../../src/localService/video/layout/changeLayout.ts";
import { type TokenMove, wayAt } from "../../../../../src/localService/video/layout/tokenMoves.ts";
import { clipPrompts } from "../../../../pictures/clipPrompts.ts";
import { drawnTexts, mono, spyRenderer } from "./drawnTexts.ts";
import { plainLooks } from "../../../../../src/common/clipLooks.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { bandOpacity, paletteOf } from "../../../../../src/localService/video/layout/palette.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { blended, contrastOf, rgbOf } from "../colors.ts";
import { decodeKeyFrame, packageAssets } from "../videoFixtures.ts";

test("changed code keeps a contrast of 4.5 on its band, and so do the signs beside it", () => {
	for (let index = 0; index < 200; index += 1) {
		const palette = paletteOf(`change ${index}`);
		const ground = rgbOf(palette.pane.fill);
		for (const color of [palette.removed, palette.added]) {
			const band = blended(rgbOf(color), ground, bandOpacity.change);
			const contrasts = [...Object.values(palette.code), color].map(text =>
				contrastOf(rgbOf(text), band),
			);
			expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
		}
	}
});

describe("line numbers", () => {
	const head = "@@ -41,3 +1041,3 @@";
	const diff = (head: string): string =>
		`\`\`\`diff\n${head}\n start();\n-const total = 1;\n+const total = 2;\n end(total);\n\`\`\``;
	const numbersOf = (texts: ReturnType<typeof drawnTexts>) =>
		texts.filter(({ text }) => /^\d{2,}$/.test(text));

	test("are those of the file before and after, as the head of a hunk tells them", () => {
		const numbers = [...new Set(numbersOf(drawnTexts(diff(head))).map(({ text }) => Number(text)))];
		expect(numbers.toSorted((left, right) => left - right)).toEqual([41, 42, 43, 1041, 1042, 1043]);
	});

	test("touch neither their sign nor the window's edge", () => {
		for (const shape of ["16:9", "1:1", "9:16"] as const) {
			const texts = drawnTexts(diff("@@ -99998,3 +99998,3 @@"), { ...plainLooks, shape });
			const signs = texts.filter(({ text }) => text === "−" || text === "+");
			const code = texts.filter(({ text }) => text.startsWith("start")).map(({ left }) => left);
			const start = Math.min(...code);
			for (const number of numbersOf(texts)) {
				expect(number.right).toBeLessThan(Math.min(...signs.map(({ left }) => left)));
				expect(number.left).toBeGreaterThan(start - 64);
			}
			expect(Math.max(...signs.map(({ right }) => right))).toBeLessThan(start);
		}
	});

	test("of rows that will be removed are there before they are marked", () => {
		const svgs: string[] = [];
		const job = { type: "text", prompt: diff(head), duration: 4, motionStrength: 4 } as const;
		const scene = createScene(job, spyRenderer(svgs));
		const marks = scene
			.frameAt(0.42)
			.sprites.filter(
				({ region, opacity }) => region?.x === 0 && region.width < 900 && opacity === 1,
			)
			.map(({ y }) => y);
		// Two unchanged rows, and the number of the removed one between them.
		expect(new Set(marks).size).toBe(3);
	});

	test("are left out without such a head, and where the look has none", () => {
		expect(numbersOf(drawnTexts(diff("@@ total @@")))).toEqual([]);
		expect(numbersOf(drawnTexts(diff(head), { ...plainLooks, numbers: false }))).toEqual([]);
	});
});

describe("on their way", () => {
	const boxesAt = (move: TokenMove, { down, across }: ReturnType<typeof wayAt>) => {
		const at = (from: number, to: number, share: number): number => from + (to - from) * share;
		const left = at(move.from.column, move.to.column, across);
		return {
			row: at(move.from.row, move.to.row, down),
			left,
			right: left + columnsOf(move.to.text),
		};
	};

	test.each(clipPrompts.filter(({ prompt }) => readPrompt(prompt).type === "change"))(
		"no sign comes over another: $name",
		({ prompt }) => {
			const content = readPrompt(prompt);
			const steps = content.type === "change" ? content.steps : [];
			const room = { width: 780, height: 392 };
			const { pages } = layOutChange(
				steps.map(step => tokensOfChange(step, "ts")),
				{ room, mono, most: 6 },
			);
			for (const { moves, path } of pages) {
				for (let share = 0.02; share < 1; share += 0.02) {
					const boxes = moves
						.filter(({ isLifted, to }) => !isLifted && !/[\p{L}\p{N}]/u.test(to.text))
						.map(move => boxesAt(move, wayAt(path, share)));
					const touching = boxes.flatMap((box, index) =>
						boxes
							.slice(index + 1)
							.filter(
								other =>
									Math.abs(box.row - other.row) < 0.75 &&
									box.left < other.right - 0.5 &&
									other.left < box.right - 0.5,
							),
					);
					expect(touching).toEqual([]);
				}
			}
		},
	);
});

describe("in the picture", () => {
	let studio: ClipRenderer;

	beforeAll(async () => {
		studio = await ClipRenderer.open(packageAssets);
	});

	/** Whether something bright is between two columns of pixels, in the middle of the window. */
	const isBright = (prompt: string, seconds: number, from: number, to: number): boolean => {
		const job = { type: "text", prompt, duration: 2, motionStrength: 4 } as const;
		const scene = createScene(job, studio);
		const frame = studio.shoot(scene.frameAt(seconds), scene.ground());
		const { pixels, width } = decodeKeyFrame(frame, studio);
		const rows = Array.from({ length: 240 }, (_, row) => row + 420);
		return rows.some(y =>
			pixels
				.subarray((y * width + from) * 4, (y * width + to) * 4)
				.some(value => value < 255 && value > 150),
		);
	};

	test("what stays is there all the time, what goes before, what comes after", () => {
		const prompt = "```diff\n-keep = gone\n+keep =      here\n```";
		// A column is 53 pixels wide, the first at 488.
		const places = { stays: [488, 690], goes: [862, 1056], comes: [1126, 1330] } as const;
		const seen = (seconds: number) =>
			Object.values(places).map(([from, to]) => isBright(prompt, seconds, from, to));
		expect(seen(0.3)).toEqual([true, true, false]);
		expect(seen(0.65)).toEqual([true, true, false]);
		expect(seen(1.9)).toEqual([true, false, true]);
	});

	test("the first row of a new file appears at once, without an empty window to look at", () => {
		const prompt =
			'```diff\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+const first = "added";\n```';
		const seen = (seconds: number): boolean => isBright(prompt, seconds, 900, 1300);
		expect([0.42, 0.65, 1.9].map(seen)).toEqual([false, true, true]);
	});
});
