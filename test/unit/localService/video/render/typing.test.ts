// @module-tag thorough
import { beforeAll, expect, test } from "vitest";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { packageAssets } from "../videoFixtures.ts";

let studio: ClipRenderer;

beforeAll(async () => {
	studio = await ClipRenderer.open(packageAssets);
});

/** Pixels of rows that are to be seen, side by side: how much is there. */
const shown = (prompt: string, motionStrength: number, seconds: number): number =>
	createScene({ type: "text", prompt, duration: 4, motionStrength }, studio)
		.frameAt(seconds)
		.sprites.filter(({ region, opacity }) => region?.x === 0 && opacity > 0)
		.reduce((sum, { region }) => sum + (region?.width ?? 0), 0);

const code = `\`\`\`js\n${"const total = items.length;\n".repeat(6)}\`\`\``;
const session = `\`\`\`console\n$ git status --short\n M a.txt\n$ git commit --all\n\`\`\``;

test("with the last motion code is typed letter by letter until its rest, with others it comes by rows", () => {
	expect(shown(code, 5, 3.9)).toBe(shown(code, 4, 3.9));
	expect(shown(code, 5, 1.5)).toBeLessThan(shown(code, 5, 1.6));
	expect(shown(code, 5, 2)).toBeLessThan(shown(code, 1, 2));
	expect(shown(code, 1, 2)).toBe(shown(code, 1, 3.9));
});

test("rows fade in where there is time to see it, and come at once where they have two frames", () => {
	const fades = (prompt: string, duration: number): boolean => {
		const job = { type: "text", prompt, duration, motionStrength: 1 } as const;
		const scene = createScene(job, studio);
		const opacities = Array.from({ length: 40 }, (_, frame) =>
			scene.frameAt(0.4 + frame / 24).sprites.map(({ opacity }) => opacity),
		);
		return opacities.flat().some(opacity => Math.abs(opacity - 2 / 3) < 0.01);
	};
	const [line, sentence] = ["const total = items.length;\n", "The keeper lights the lamp. "];
	const codeOf = (rows: number): string => `\`\`\`js\n${line.repeat(rows)}\`\`\``;
	expect([codeOf(3), sentence].map(prompt => fades(prompt, 4))).toEqual([true, true]);
	expect([codeOf(60), sentence.repeat(60)].map(prompt => fades(prompt, 1))).toEqual([false, false]);
});

test("a session is typed and printed until its rest", () => {
	const amounts = [0.5, 1, 1.4, 2, 2.4].map(seconds => shown(session, 3, seconds));
	expect(amounts).toEqual(amounts.toSorted((left, right) => left - right));
	expect(new Set(amounts).size).toBe(5);
});

test.each([
	["a known prompt", "➜  shop git:(main) ls\na.txt\nb.txt"],
	["no prompt", "Compiling\nwarning: unused\nDone"],
])("the cursor is never outside the text: %s", (_, code) => {
	const prompt = `\`\`\`console\n${code}\n\`\`\``;
	const scene = createScene({ type: "text", prompt, duration: 3, motionStrength: 3 }, studio);
	for (let frame = 0; frame < 72; frame += 1) {
		const { sprites } = scene.frameAt(frame / 24);
		const cursor = sprites.at(-1);
		const rows = sprites.filter(({ region }) => region?.x === 0).map(({ y }) => y);
		if (cursor && cursor.region === undefined && cursor.opacity > 0) {
			expect(rows.length).toBeGreaterThan(0);
			expect(cursor.y).toBeGreaterThanOrEqual(Math.min(...rows));
			expect(code).toContain("➜");
		}
	}
});

test("while output that is longer than the window scrolls, the window is never empty", () => {
	const output = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
	const printing = `\`\`\`py\nprint(lines)\n\`\`\`\n\`\`\`output\n${output}\n\`\`\``;
	const amounts = Array.from({ length: 10 }, (_, index) => shown(printing, 1, 1 + index * 0.3));
	expect(Math.min(...amounts)).toBeGreaterThan(0);
});

test.each([
	["a bracket", "}"],
	["a line", "return total + shipping;"],
])("typed code that is longer than the window ends with its last row in sight: %s", (_, last) => {
	const code = `${"const total = items.length;\n".repeat(40)}${last}`;
	const prompt = `\`\`\`js\n${code}\n\`\`\``;
	const job = { type: "text", prompt, duration: 4, motionStrength: 5 } as const;
	const rows = createScene(job, studio)
		.frameAt(3.9)
		.sprites.filter(({ region, opacity }) => region?.x === 0 && opacity > 0);
	const calm = createScene({ ...job, motionStrength: 1 }, studio)
		.frameAt(3.9)
		.sprites.filter(({ region, opacity }) => region?.x === 0 && opacity > 0);
	expect(rows.map(({ y }) => y)).toEqual(calm.map(({ y }) => y));
});

test("typing begins a row at its first letter, and never in its indentation", () => {
	const code = "```js\n{\n            deep();\n}\n```";
	const scene = createScene({ type: "text", prompt: code, duration: 4, motionStrength: 5 }, studio);
	const cursors = Array.from({ length: 60 }, (_, frame) => {
		const { x = 0, y = 0 } = scene.frameAt(0.5 + frame / 24).sprites.at(-1) ?? {};
		return { x, y };
	});
	const [first] = cursors;
	const second = cursors.find(({ y }) => y > (first?.y ?? 0));
	const inSecond = cursors.filter(({ y }) => y === second?.y).map(({ x }) => x);
	const leftmost = Math.min(...inSecond);
	expect(inSecond.length).toBeGreaterThan(5);
	expect(leftmost - (first?.x ?? 0)).toBeGreaterThan(100);
});

test("code that is longer than the window scrolls, and leaves out no row", () => {
	const lines = Array.from({ length: 40 }, (_, index) => `step${index}();`);
	const scene = createScene(
		{
			type: "text",
			duration: 4,
			motionStrength: 1,
			prompt: `\`\`\`js\n${lines.join("\n")}\n\`\`\`\n<!-- clip: from 0 of 12 s -->`,
		},
		studio,
	);
	const sheets: unknown[] = [];
	const tops = new Set<string>();
	let scrolling = 0;
	const scrolls: number[] = [];
	let before: readonly number[] = [];
	for (let frame = 24; frame < 12 * 24; frame += 1) {
		const rows = scene.frameAt(frame / 24).sprites.filter(({ region }) => region?.x === 0);
		for (const { bitmap, region } of rows) {
			sheets.push(...(sheets.includes(bitmap) ? [] : [bitmap]));
			tops.add(`${sheets.indexOf(bitmap)} ${region?.y}`);
		}
		const ys = rows.map(({ y }) => y);
		const isMoving = before.some((y, index) => Math.abs(y - (ys[index] ?? y)) > 1);
		scrolls.push(...(!isMoving && scrolling > 2 ? [scrolling] : []));
		scrolling = isMoving ? scrolling + 1 : 0;
		before = ys;
	}
	expect(tops.size).toBeGreaterThanOrEqual(40);
	// Each scroll lasts 0.6 seconds, and the window rests between two.
	expect(scrolls.length).toBeGreaterThanOrEqual(2);
	expect(Math.max(...scrolls)).toBeLessThanOrEqual(15);
	expect(scene.frameAt(11.9).sprites.length).toBeGreaterThan(10);
});
