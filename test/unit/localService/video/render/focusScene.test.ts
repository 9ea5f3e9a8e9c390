// @module-tag thorough
import { layOutCode } from "../layout/plainTokens.ts";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { scrollStops } from "../../../../../src/localService/video/layout/codeLayout.ts";
import { readFontMetrics } from "../../../../../src/localService/video/layout/fontMetrics.ts";
import { paletteOf } from "../../../../../src/localService/video/layout/palette.ts";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { blended, contrastOf, rgbOf } from "../colors.ts";
import { decodeKeyFrame, packageAssets } from "../videoFixtures.ts";
import { spyRenderer } from "./drawnTexts.ts";

const litOf = (info: string, code: string): unknown => {
	const content = readPrompt(`\`\`\`${info}\n${code}\n\`\`\``);
	return content.type === "code" ? content.lit : content;
};

describe("a fence names the lines that matter", () => {
	const lines = "a();\nb();\nc();\nd();\ne();";

	test.each([
		["ts {2-3,5}", [2, 3, 5]],
		["ts{1}", [1]],
		["ts { 4 , 2 } title=x", [2, 4]],
		["ts {4-99}", [4, 5]],
		["ts {3-3,3}", [3]],
	])("%s", (info, expected) => {
		expect(litOf(info, lines)).toEqual(expected);
	});

	test.each(["ts", "ts {}", "ts {9}", "ts {,-}", "ts {a: 1}", "{r}"])("%s names none", info => {
		expect(litOf(info, lines)).toBeUndefined();
	});

	test("counted as the fence counts them, empty lines at its beginning included", () => {
		expect(litOf("ts {3}", `\n\n${lines}`)).toEqual([1]);
	});
});

test("every marked row is in the window at one of the stops, whatever is marked", () => {
	const random = createRandom(19).next;
	for (let round = 0; round < 300; round += 1) {
		const rows = 1 + Math.floor(random() * 80);
		const perWindow = 5 + Math.floor(random() * 12);
		const marked = Array.from({ length: rows }, (_, row) => row).filter(() => random() < 0.15);
		const stops = scrollStops(marked, rows, perWindow);
		expect(stops.length).toBeLessThanOrEqual(marked.length);
		for (const stop of stops) {
			expect(stop).toBeGreaterThanOrEqual(0);
			expect(Number.isInteger(stop)).toBe(true);
			expect(stop).toBeLessThanOrEqual(Math.max(0, rows - perWindow));
		}
		for (const row of marked) {
			expect(stops.some(stop => row >= stop && row + 1 <= stop + perWindow)).toBe(true);
		}
	}
});

test("code that scrolls leaves out no line and stays within the width", () => {
	const mono = readFontMetrics(readFileSync(packageAssets.mono[0] ?? ""));
	const room = { width: 748, height: 364 };
	const code = Array.from({ length: 90 }, (_, index) => `line${index}(${"x".repeat(index)});`);
	const { size, rows } = layOutCode(code.join("\n"), "js", { room, mono });
	expect(rows.flatMap(({ number }) => number ?? [])).toEqual(code.map((_, index) => index + 1));
	expect(rows.every(row => row.columns * mono.widthOf("0") * size <= room.width)).toBe(true);
});

test("lit code keeps a contrast of 4.5 on its band, and so does dimmed code off it, for any text", () => {
	for (let index = 0; index < 200; index += 1) {
		const palette = paletteOf(`code ${index}`);
		const ground = rgbOf(palette.pane.fill);
		const band = blended(rgbOf(palette.accent), ground, 0.1);
		for (const color of Object.values(palette.code)) {
			expect(contrastOf(rgbOf(color), band)).toBeGreaterThanOrEqual(4.5);
		}
		expect(contrastOf(rgbOf(palette.dim), ground)).toBeGreaterThanOrEqual(4.5);
	}
});

describe.each(["16:9", "1:1", "9:16"] as const)("a window of %s at rest", shape => {
	const scenes = [
		`\`\`\`js {20-26}\n${"total.add(value);\n".repeat(60)}\`\`\``,
		`\`\`\`diff\n${"+total.add(value);\n".repeat(9)}\`\`\``,
	].map(prompt => {
		const looks = { shape, tabSize: 4 };
		const job = { type: "text", prompt, duration: 3, motionStrength: 3, looks } as const;
		return createScene(job, spyRenderer([])).frameAt(3).sprites;
	});

	test("shows no row in part", () => {
		const seen = scenes.flat().filter(({ opacity }) => opacity > 0);
		expect(seen.every(({ opacity }) => opacity === 1)).toBe(true);
	});

	test("has no seam between the grounds of adjacent rows", () => {
		for (const sprites of scenes) {
			const first = sprites.find(({ x, region }) => x > 0 && (region?.width ?? 0) > 300);
			const bands = sprites.filter(({ bitmap }) => bitmap === first?.bitmap);
			expect(bands.length).toBeGreaterThan(6);
			const edges = bands.slice(1).map(({ y }, index) => {
				const { y: top = 0, region } = bands[index] ?? {};
				return y - top - (region?.height ?? 0);
			});
			expect(edges).toEqual(edges.map(() => 0));
		}
	});
});

describe("in the picture", () => {
	let studio: ClipRenderer;

	beforeAll(async () => {
		studio = await ClipRenderer.open(packageAssets);
	});

	/** The brightest green of each row of pixels where code is. */
	const brightness = (prompt: string, seconds: number): readonly number[] => {
		const job = { type: "text", prompt, duration: 2, motionStrength: 3 } as const;
		const scene = createScene(job, studio);
		const frame = studio.shoot(scene.frameAt(seconds), scene.ground());
		const { pixels, width } = decodeKeyFrame(frame, studio);
		return Array.from({ length: 350 }, (_, row) => {
			const columns = Array.from({ length: 800 }, (_, column) => 300 + column);
			return Math.max(...columns.map(x => pixels[((row + 100) * 2 * width + x) * 4 + 1] ?? 0));
		});
	};

	test("lit lines far down come into the middle and stay bright while the others dim", () => {
		const code = Array.from({ length: 60 }, (_, index) => `total.add(value${index + 10});`);
		const prompt = `\`\`\`js {41-44}\n${code.join("\n")}\n\`\`\``;
		const before = brightness(prompt, 0.45);
		const after = brightness(prompt, 1.9);
		const count = (rows: readonly number[], from: number, to: number): number =>
			rows.slice(from, to).filter(value => value > 180).length;
		expect(count(before, 0, 90)).toBeGreaterThan(20);
		expect(count(after, 0, 90)).toBe(0);
		expect(count(after, 110, 240)).toBeGreaterThan(40);
		expect(count(after, 270, 350)).toBe(0);
	});
});
