// @module-tag thorough
import { isDeepStrictEqual } from "node:util";
import { BufferSource, Input, WEBM } from "mediabunny";
import { leadSeconds, markLater, scenesOf } from "../../../../../src/clip/clipLength.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { ClipJob } from "../../../../../src/localService/video/assets.ts";
import {
	createScene,
	renderClip,
	RenderRefusal,
} from "../../../../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import type { Scene } from "../../../../../src/localService/video/render/scene.ts";
import { readWebm } from "../../../../helpers/webm.ts";
import { decodeKeyFrame, images, packageAssets } from "../videoFixtures.ts";

let studio: ClipRenderer;

beforeAll(async () => {
	studio = await ClipRenderer.open(packageAssets);
});

const textJob = (prompt: string, fields: Partial<ClipJob> = {}): ClipJob => ({
	type: "text",
	prompt,
	duration: 1,
	motionStrength: 3,
	...(fields as object),
});

const imageJob = (bytes: Uint8Array<ArrayBuffer>): ClipJob => ({
	type: "image",
	bytes,
	source: "https://pictures.example/bean.png",
	duration: 1,
	motionStrength: 5,
});

const moments = [0, 0.5, 0.95];

/** Frames of a clip at some moments, as VP8. */
function frames(job: ClipJob, at: readonly number[] = moments): readonly Uint8Array[] {
	const scene = createScene(job, studio);
	return at.map(seconds => studio.shoot(scene.frameAt(seconds), scene.ground()));
}

/** Whether two scenes show the same at two moments. An `expect` would take seconds for the bytes of their bitmaps. */
function isSame(
	[one, before]: readonly [Scene, number],
	[other, after]: readonly [Scene, number],
): boolean {
	return isDeepStrictEqual(one.frameAt(before), other.frameAt(after));
}

/** Mean difference of two frames, 0 to 255 for each byte. */
function difference(left: Uint8Array = none, right: Uint8Array = none): number {
	const [before, after] = [left, right].map(frame => decodeKeyFrame(frame, studio).pixels);
	let sum = 0;
	for (let index = 0; index < (before?.length ?? 0); index += 1) {
		sum += Math.abs((before?.[index] ?? 0) - (after?.[index] ?? 0));
	}
	return sum / (before?.length ?? 1);
}
const none = new Uint8Array();

const code = "export function greet(name: string): string {\n\treturn `Hello, ${name}`;\n}\n";

describe("a clip is a WebM", () => {
	test("VP8, 1920 × 1080, of the duration asked for, of one key frame and at most 24 frames a second", async () => {
		const clip = readWebm(await renderClip(textJob("A lighthouse", { duration: 2 }), studio));
		expect(clip).toMatchObject({ docType: "webm", codec: "V_VP8", width: 1920, height: 1080 });
		expect(clip.frames.length).toBeLessThanOrEqual(48);
		expect(Math.abs(clip.duration - 2)).toBeLessThanOrEqual(1 / 24);
		expect(clip.frames.map(({ isKey }) => isKey)).toEqual(
			clip.frames.map((_, index) => index === 0),
		);
		expect(clip.frames[0]).toMatchObject({ at: 0, width: 1920, height: 1080 });
		for (const { at } of clip.frames) {
			const frame = (at * 24) / 1000;
			expect(Math.abs(frame - Math.round(frame))).toBeLessThan(0.03);
		}
	});

	test.each([
		["a sentence", "A lighthouse at dusk, waves breaking slowly against the rocks"],
		["code", code.repeat(4)],
	])("of at most 400 KB for four seconds: %s", async (_name, prompt) => {
		const clip = await renderClip(textJob(prompt, { duration: 4 }), studio);
		expect(clip.length).toBeLessThan(400 * 1024);
	});

	test("whose pictures are the same for the same request", () => {
		const first = frames(textJob("Twice"));
		expect(frames(textJob("Twice"))).toEqual(first);
		expect(frames(textJob("Thrice"))).not.toEqual(first);
	});

	test("that says in its metadata, and not in the picture, what made it and what it could not draw", async () => {
		const tagsOf = async (prompt: string) => {
			const source = new BufferSource(await renderClip(textJob(prompt), studio));
			return new Input({ source, formats: [WEBM] }).getMetadataTags();
		};
		const { comment, raw } = await tagsOf("A boat named 漢字");
		expect(comment).toBe("Drawn by Cutaway on this machine, no model");
		expect(raw?.["UNDRAWN"]).toBe("2");
		expect((await tagsOf("A boat")).raw?.["UNDRAWN"]).toBeUndefined();
	});

	test("whose scenes, one after another, are the longer clip", async () => {
		const prompt = "A lighthouse at dusk, waves breaking slowly against the rocks, all night long";
		const [first, second] = scenesOf(prompt, 6);
		const longer = createScene(
			textJob(`${second?.prompt}`, { duration: second?.duration ?? 0 }),
			studio,
		);
		const whole = createScene(textJob(`${first?.prompt}`, { duration: 4 }), studio);
		expect([first?.duration, second?.duration]).toEqual([4, 2]);
		expect(isSame([longer, 2.5], [whole, 2.5])).toBe(true);
		const clip = readWebm(await renderClip(textJob(`${second?.prompt}`, { duration: 2 }), studio));
		expect(clip.frames[0]).toMatchObject({ at: 0, isKey: true });
	});
});

test.each([
	["code", code],
	["a terminal", "```console\n$ ls\na.txt\n```"],
	["a change", "```diff\n-let a;\n+let b;\n```"],
])(
	"a later scene of a storyboard, %s, begins at once: its end comes only at its end",
	(_name, prompt) => {
		const sceneFor = (text: string) => createScene(textJob(text, { duration: 3 }), studio);
		const [alone, later] = [sceneFor(prompt), sceneFor(markLater(prompt))];
		for (const seconds of [0, 0.2, 0.5, 1]) {
			expect(isSame([later, seconds], [alone, seconds + leadSeconds])).toBe(true);
		}
		expect(isSame([later, 0], [later, 2.9])).toBe(false);
		expect(isSame([later, 2.9], [alone, 2.9])).toBe(true);
	},
);

test.each([
	["the heading", "# A boat\n\nOn a quiet river\n\nAt dawn", 2],
	["the heading, where words are typed", "# A small boat\n\nOn a quiet river", 5],
	["the first line", "A boat on a quiet river at dawn, which carries a lantern", 2],
	["a single line", "A boat", 2],
])(
	"a later scene of prose begins with %s, not with an empty card",
	(_name, prompt, motionStrength) => {
		const later = createScene(textJob(markLater(prompt), { duration: 4, motionStrength }), studio);
		const rowAt = (seconds: number) => later.frameAt(seconds).sprites[0];
		expect(rowAt(0)).toBeDefined();
		expect(rowAt(0)).toEqual(rowAt(3.9));
	},
);

test.each([
	["nothing but blanks", " \n\t "],
	["4000 characters without a space", "x".repeat(4000)],
	["4000 emoji", "🦊".repeat(4000)],
	["a lone surrogate and control characters", "\uD800 a\u0000b\u001b[31m"],
	["what XML would trip over", `</text><script>&amp;"']]>`],
	["a script the font lacks", "夕暮れの灯台"],
	["letters from right to left", "שלום עולם"],
	["code", code],
])("%s is drawn: its end first, then how it comes there, and its end again", (_name, prompt) => {
	const drawn = frames(textJob(prompt), [0, 0.3, 0.95]).map(frame =>
		Buffer.from(frame).toString("base64"),
	);
	expect(drawn[0]).toBe(drawn.at(-1));
	expect(new Set(drawn).size).toBeGreaterThan(1);
});

test("4000 characters of code begin with all of it in one frame, then scroll", () => {
	const long = textJob(code.repeat(60).slice(0, 4000));
	const drawn = frames(long, [0, 0.5, 0.95]).map(frame => Buffer.from(frame).toString("base64"));
	expect(new Set(drawn).size).toBe(3);
});

test.each([
	["prose", "A boat on a quiet river at dawn"],
	["code", code],
	["a terminal", "```console\n$ ls\na.txt\n```"],
	["a change", "```diff\n-let a;\n+let b;\n```"],
	["lit lines", `\`\`\`ts {2}\n${code}\`\`\``],
])("the end of %s rests for 1.5 s of 4, and 2 s of 12", (_name, prompt) => {
	for (const motionStrength of [1, 3, 5]) {
		for (const [duration, rest] of [
			[4, 1.5],
			[12, 2],
		] as const) {
			const scene = createScene(textJob(prompt, { duration, motionStrength }), studio);
			for (const seconds of [duration - rest + 0.001, 0]) {
				expect(isSame([scene, seconds], [scene, duration - 0.01])).toBe(true);
			}
		}
	}
});

describe("an image", () => {
	test.each(Object.entries(images))("of format %s is drawn and moves", (_format, bytes) => {
		const [first, middle, last] = frames(imageJob(bytes), [0, 0.55, 0.99]);
		expect(difference(first, middle)).toBeGreaterThan(0);
		expect(difference(first, last)).toBe(0);
	});

	test.each(Object.entries(images))("of format %s keeps its color", (format, bytes) => {
		const { pixels } = studio.decodeImage({
			format: format as keyof typeof images,
			bytes,
			width: 8,
			height: 6,
		});
		const [red = 0, green = 0, blue = 255, alpha = 0] = pixels.subarray(0, 4);
		expect(alpha).toBe(255);
		expect(red).toBeGreaterThan(240);
		expect(Math.abs(green - 128)).toBeLessThan(12);
		expect(blue).toBeLessThan(20);
	});

	test("that is none is refused in a sentence", async () => {
		const page = Uint8Array.from(Buffer.from("<!doctype html><title>Sign in</title>"));
		const rendering = renderClip(imageJob(page), studio);
		await expect(rendering).rejects.toThrow(RenderRefusal);
		await expect(rendering).rejects.toThrow(/no PNG, JPEG, GIF or WebP image/);
	});

	test.each(Object.entries(images))("of format %s cut short is refused", async (_, bytes) => {
		await expect(renderClip(imageJob(bytes.slice(0, 31)), studio)).rejects.toThrow(RenderRefusal);
	});

	test("of more pixels than memory is good for is refused before it is decoded", async () => {
		const huge = images.png.slice();
		new DataView(huge.buffer).setUint32(16, 60_000);
		new DataView(huge.buffer).setUint32(20, 60_000);
		await expect(renderClip(imageJob(huge), studio)).rejects.toThrow(/60000 × 60000 pixels/);
	});
});
