// @module-tag thorough
import { describe, expect, test } from "vitest";
import { type FrameShape, clipShapes } from "../../../../../src/common/clipLooks.ts";
import { overviewSizes } from "../../../../../src/localService/video/layout/codeLayout.ts";
import { stageOf } from "../../../../../src/localService/video/layout/stage.ts";
import { renderClip } from "../../../../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { readWebm } from "../../../../helpers/webm.ts";
import { packageAssets } from "../videoFixtures.ts";
import { clipPrompts } from "../../../../pictures/clipPrompts.ts";
import { drawnTexts } from "./drawnTexts.ts";

const sizes: Readonly<Record<FrameShape, readonly [number, number]>> = {
	"16:9": [1920, 1080],
	"1:1": [1440, 1440],
	"9:16": [1080, 1920],
};

/** The least size of letters that can be read on a phone, and that of a frame that shows all of a long text. */
const readable = 13;
const smallestOverview = Math.min(...overviewSizes);

describe.each(clipShapes)("a clip of the shape %s", shape => {
	const looks = { shape, tabSize: 4 };

	test("is a WebM of that shape", async () => {
		const studio = await ClipRenderer.open(packageAssets);
		const job = {
			type: "text",
			prompt: "Ship it.",
			duration: 1,
			motionStrength: 1,
			looks,
		} as const;
		const [width, height] = sizes[shape];
		expect(readWebm(await renderClip(job, studio))).toMatchObject({ width, height });
	});

	test.each(clipPrompts)("has all of its text inside the margins: $name", clip => {
		const { width, height, pane, text: card } = stageOf({ shape });
		const texts = drawnTexts(clip.prompt, looks, clip.motionStrength).filter(
			({ text }) => text.trim() !== "",
		);
		expect(texts.length).toBeGreaterThan(0);
		// The first frame of code that scrolls shows all of it, small; the frames after it can be read.
		expect(texts.filter(({ size }) => size >= readable).length).toBeGreaterThan(0);
		for (const { text, left, right, baseline, size, font } of texts) {
			const inside = { text, isInside: true };
			const room = font === "mono" ? pane : { x: 20, width: width - 40 };
			const isInside = left >= room.x - 0.5 && right <= room.x + room.width + 0.5;
			expect({ text, isInside }).toEqual(inside);
			expect({ text, isInside: baseline > 0 && baseline + size * 0.25 < height }).toEqual(inside);
			// Smaller is what cannot be read on a phone, larger what fills a frame with a word.
			expect(size).toBeGreaterThanOrEqual(font === "mono" ? smallestOverview : readable);
			expect(size).toBeLessThanOrEqual(Math.max(44, card.width / 8));
		}
	});
});

test("long lines of code wrap in a narrow window, and no letter of them is lost", () => {
	const line = `const message = ${Array.from({ length: 30 }, (_, index) => `word${index}`).join(" + ")};`;
	for (const shape of clipShapes) {
		const texts = drawnTexts(`\`\`\`js\n${line}\n\`\`\``, { shape, tabSize: 4 });
		const drawn = texts.filter(({ font, text }) => font === "mono" && !/^\d*$/.test(text.trim()));
		const all = drawn.map(({ text }) => text).join("");
		for (let index = 0; index < 30; index += 1) {
			expect(all.replaceAll(/\s/g, "")).toContain(`word${index}`);
		}
		expect(new Set(drawn.map(({ baseline }) => baseline)).size).toBeGreaterThan(3);
	}
});

test("a title that is longer than the window ends with «…»", () => {
	const prompt = `${"How does this work? ".repeat(9)}\n\`\`\`js\n${"let answer = 42;\n".repeat(20)}\`\`\``;
	for (const shape of clipShapes) {
		const titles = drawnTexts(prompt, { shape, tabSize: 4 }).filter(
			({ size, font }) => size === 18 && font === "sans",
		);
		expect(titles.map(({ text }) => text.endsWith("…"))).toEqual([true]);
	}
});

test("a title has no marks of Markdown", () => {
	const titles = drawnTexts("## How *it* works\n```js\nlet answer = [1, 2, 3, 4];\n```");
	expect(
		titles.filter(({ size, font }) => size === 18 && font === "sans").map(({ text }) => text),
	).toEqual(["How it works"]);
});

test("tabs are as wide as in the editor", () => {
	const leftOf = (tabSize: number): number => {
		const texts = drawnTexts("```go\nfunc main() {\n\tgo()\n}\n```", { shape: "16:9", tabSize });
		const [code, call] = ["func", "go"].map(word => texts.find(({ text }) => text === word));
		return Math.round(((call?.left ?? 0) - (code?.left ?? 0)) / (0.6 * (code?.size ?? 1)));
	};
	expect([1, 2, 4, 8].map(leftOf)).toEqual([1, 2, 4, 8]);
});
