import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Bitmap, createBitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { muxWebm } from "../../../../../src/localService/video/render/renderClip.ts";
import { Vp8Encoder } from "../../../../../src/localService/video/vp8/vp8Encoder.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { webpOf } from "../videoFixtures.ts";

const size = { width: 150, height: 90 };

/** A gradient with a box of noise that goes to the right with every picture. */
function pictureAt(step: number): Bitmap {
	const random = createRandom(step + 1).next;
	const picture = createBitmap(size.width, size.height);
	for (let y = 0; y < size.height; y += 1) {
		for (let x = 0; x < size.width; x += 1) {
			const isBox = x >= 10 + step * 9 && x < 50 + step * 9 && y >= 20 && y < 60;
			const shade = isBox ? Math.floor(random() * 256) : 60 + Math.floor((x + y) / 2);
			picture.pixels.set([shade, isBox ? 255 - shade : shade, 90, 255], (y * size.width + x) * 4);
		}
	}
	return picture;
}

const everything = ({ count }: Vp8Encoder): { readonly changed: Uint8Array } => ({
	changed: new Uint8Array(count).fill(1),
});

function meanDifference(left: Uint8Array, right: Uint8Array): number {
	return (
		left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length
	);
}

describe("a key frame", () => {
	let renderer: ClipRenderer;

	beforeAll(async () => {
		renderer = await ClipRenderer.open((await import("../videoFixtures.ts")).packageAssets);
	});

	test.each([0, 26, 60, 127])(
		"is read by libwebp as the picture it was made of, with rounding step %d",
		quantizer => {
			const smooth = pictureAt(100);
			const bytes = webpOf(new Vp8Encoder(size, quantizer).encodeKeyFrame(smooth));
			const decoded = renderer.decodeImage({ format: "webp", bytes, ...size });
			expect(decoded).toMatchObject(size);
			expect(meanDifference(decoded.pixels, smooth.pixels)).toBeLessThan(2 + quantizer / 8);
		},
	);

	test("is smaller the larger the rounding step", () => {
		const sizes = [0, 26, 60, 127].map(
			quantizer => new Vp8Encoder(size, quantizer).encodeKeyFrame(pictureAt(0)).length,
		);
		expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
		expect(new Set(sizes).size).toBe(4);
	});
});

test("a key frame has a rounding step of its own, which what is still keeps", () => {
	const encoder = new Vp8Encoder(size, 60, 8);
	const key = encoder.encodeKeyFrame(pictureAt(100));
	expect(key).toEqual(new Vp8Encoder(size, 8).encodeKeyFrame(pictureAt(100)));
	const kept = encoder.decoded.luma.slice();
	expect(encoder.encodeChange(pictureAt(100), everything(encoder))).toBeUndefined();
	expect(encoder.decoded.luma).toEqual(kept);
});

describe("a picture that follows another", () => {
	test("is nothing where nothing changed, or where nothing may have", () => {
		const encoder = new Vp8Encoder(size, 0);
		encoder.encodeKeyFrame(pictureAt(100));
		expect(
			encoder.encodeChange(pictureAt(0), { changed: new Uint8Array(encoder.count) }),
		).toBeUndefined();
		expect(encoder.encodeChange(pictureAt(0), everything(encoder))).toBeDefined();
	});

	test("is small where little changed", () => {
		const encoder = new Vp8Encoder(size, 26);
		const whole = encoder.encodeKeyFrame(pictureAt(0));
		const changed = pictureAt(0);
		changed.pixels.fill(255, 0, 40);
		const change = encoder.encodeChange(changed, everything(encoder));
		expect(change?.length).toBeLessThan(whole.length / 5);
	});
});

test("a pixel that remains of a letter on a gradient is removed, though the mean difference is small", () => {
	/** A dithered gradient, with a bright pixel in a macroblock. */
	const drawn = (hasSpeck: boolean): Bitmap => {
		const picture = createBitmap(size.width, size.height);
		for (let at = 0; at < size.width * size.height; at += 1) {
			const [x, y] = [at % size.width, Math.floor(at / size.width)];
			const isSpeck = hasSpeck && x === 40 && y === 40;
			const shade = 40 + Math.floor(x / 40 + ((x ^ y) & 1) / 2) + (isSpeck ? 30 : 0);
			picture.pixels.set([shade, shade, shade, 255], at * 4);
		}
		return picture;
	};
	const [encoder, clean] = [new Vp8Encoder(size, 8), new Vp8Encoder(size, 8)];
	encoder.encodeKeyFrame(drawn(true));
	encoder.encodeChange(drawn(false), everything(encoder));
	clean.encodeKeyFrame(drawn(false));
	const remains = encoder.decoded.luma.map((level, at) =>
		Math.abs(level - (clean.decoded.luma[at] ?? 0)),
	);
	expect(Math.max(...remains)).toBeLessThanOrEqual(3);
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

test.skipIf(!hasFfmpeg)(
	"ffmpeg, where it is installed, decodes every picture as what went in, and none drifts away",
	async () => {
		const folder = await mkdtemp(join(tmpdir(), "cutaway-vp8-"));
		const encoder = new Vp8Encoder(size, 8);
		const pictures = Array.from({ length: 11 }, (_, step) => pictureAt(step));
		const frames = pictures.map((picture, step) => ({
			bytes:
				step === 0
					? encoder.encodeKeyFrame(picture)
					: (encoder.encodeChange(picture, everything(encoder)) ?? new Uint8Array()),
			at: step / 24,
			isKey: step === 0,
		}));
		const [clip, raw] = [join(folder, "clip.webm"), join(folder, "clip.rgba")];
		await writeFile(
			clip,
			await muxWebm(frames, 11 / 24, {
				size: { width: size.width / 2, height: size.height / 2 },
				undrawn: 0,
			}),
		);
		const output = ["-f", "rawvideo", "-pix_fmt", "rgba", "-fps_mode", "passthrough", raw];
		execFileSync("ffmpeg", ["-v", "error", "-i", clip, ...output]);
		const decoded = await readFile(raw);
		await rm(folder, { recursive: true });
		const length = size.width * size.height * 4;
		expect(decoded).toHaveLength(length * 11);
		for (const [step, picture] of pictures.entries()) {
			const shown = decoded.subarray(step * length, (step + 1) * length);
			// Colors have half the size, so that noise loses half of them.
			expect(meanDifference(shown, picture.pixels)).toBeLessThan(14);
			const [x, y] = [140, 80];
			const corner = (y * size.width + x) * 4;
			expect(Math.abs((shown[corner] ?? 0) - (picture.pixels[corner] ?? 0))).toBeLessThan(5);
		}
	},
);
