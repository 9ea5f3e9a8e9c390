import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBitmap, type Bitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import { muxWebm } from "../../../../../src/localService/video/render/renderClip.ts";
import { Vp8Encoder } from "../../../../../src/localService/video/vp8/vp8Encoder.ts";
import { vectorOf } from "../../../../../src/localService/video/vp8/motion.ts";
import { createRandom } from "../../../../helpers/random.ts";

const size = { width: 150, height: 90 };

/** Noise, soft enough that half a pixel between two of it says something about both. */
function createWorld(random: () => number): (x: number, y: number) => number {
	const side = 512;
	const raw = Float32Array.from({ length: side * side }, () => random() * 255);
	const at = (x: number, y: number): number => raw[(y % side) * side + (x % side)] ?? 0;
	return (x, y) => (at(x, y) * 2 + at(x + 1, y) + at(x, y + 1)) / 4;
}

/** A view of the world from a place; below a line, one that never moves. */
function view(
	world: (x: number, y: number) => number,
	left: number,
	top: number,
	line: number,
): Bitmap {
	const picture = createBitmap(size.width, size.height);
	for (let y = 0; y < size.height; y += 1) {
		for (let x = 0; x < size.width; x += 1) {
			const value = y < line ? world(left + x, top + y) : world(x, y);
			const color = [value, 255 - value, 40 + value / 2, 255];
			picture.pixels.set(color, (y * size.width + x) * 4);
		}
	}
	return picture;
}

/** What a decoder has, as ffmpeg writes it: three planes, without what is beyond the picture. */
function planesOf({ decoded, columns }: Vp8Encoder): Buffer {
	const crop = (plane: Uint8Array, stride: number, width: number, height: number): Buffer =>
		Buffer.concat(
			Array.from({ length: height }, (_, y) => plane.subarray(y * stride, y * stride + width)),
		);
	return Buffer.concat([
		crop(decoded.luma, columns * 16, 150, 90),
		crop(decoded.blue, columns * 8, 75, 45),
		crop(decoded.red, columns * 8, 75, 45),
	]);
}

describe("a picture that has moved", () => {
	const world = createWorld(createRandom(1).next);
	const movedBy = (vector: number): number => {
		const encoder = new Vp8Encoder(size, 26);
		const vectors = new Int32Array(encoder.count * 16).fill(vector);
		encoder.encodeKeyFrame(view(world, 100, 100, 90));
		const changed = new Uint8Array(encoder.count).fill(1);
		return encoder.encodeChange(view(world, 104, 98, 90), { changed, vectors })?.length ?? 0;
	};

	test("is small where it is told from where its pixels come", () => {
		expect(movedBy(vectorOf(16, -8))).toBeLessThan(movedBy(0) / 1.5);
	});

	test("is as large as without where what it is told is wrong", () => {
		expect(movedBy(vectorOf(-40, 60))).toBeLessThan(movedBy(0) * 1.05);
	});
});

/** The greatest difference of brightness within a macroblock that is of one color in the picture. */
function mostRange({ decoded, columns }: Vp8Encoder, { width, height, pixels }: Bitmap): number {
	let most = 0;
	for (let top = 0; top + 16 <= height; top += 16) {
		for (let left = 0; left + 16 <= width; left += 16) {
			const places = Array.from(
				{ length: 256 },
				(_, at) => [left + (at & 15), top + (at >> 4)] as const,
			);
			const colors = new Set(places.map(([x, y]) => pixels[(y * width + x) * 4]));
			const levels = places.map(([x, y]) => decoded.luma[y * columns * 16 + x] ?? 0);
			most = colors.size > 1 ? most : Math.max(most, Math.max(...levels) - Math.min(...levels));
		}
	}
	return most;
}

test("the ground that moving letters leave behind has one color", () => {
	const { next: random } = createRandom(3);
	const ink = Uint8Array.from({ length: 150 * 400 }, () => (random() < 0.4 ? 220 : 30));
	const letters = (scrolled: number): Bitmap => {
		const picture = createBitmap(size.width, size.height);
		for (let at = 0; at < size.width * size.height; at += 1) {
			const [x, y] = [at % size.width, Math.floor(at / size.width) + scrolled];
			const isLetter = y % 46 < 12 && x > 20 && x < 120;
			const level = isLetter ? (ink[y * 150 + x] ?? 30) : 30;
			picture.pixels.set([level, level, level, 255], at * 4);
		}
		return picture;
	};
	const encoder = new Vp8Encoder(size, 20);
	const changed = new Uint8Array(encoder.count).fill(1);
	const vectors = new Int32Array(encoder.count * 16).fill(vectorOf(0, 8));
	let worst = 0;
	for (let step = 0; step < 60; step += 1) {
		const picture = letters(step * 2);
		if (step === 0) {
			encoder.encodeKeyFrame(picture);
		} else {
			encoder.encodeChange(picture, { changed, vectors });
		}
		worst = Math.max(worst, mostRange(encoder, picture));
	}
	expect(worst).toBeLessThanOrEqual(8);
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

describe.skipIf(!hasFfmpeg)(
	"ffmpeg, where it is installed, decodes to the bit what the encoder has",
	() => {
		let folder: string;

		beforeAll(async () => {
			folder = await mkdtemp(join(tmpdir(), "cutaway-vp8-"));
		});
		afterAll(() => rm(folder, { recursive: true }));

		/** Vectors of which most are right, some are none, and some are anything. */
		function hints(
			count: number,
			right: number,
			random: () => number,
			isWhole: boolean,
		): Int32Array {
			const vectors = new Int32Array(count * 16);
			const any = (): number => Math.floor(random() * 80) - 40;
			for (let index = 0; index < vectors.length; index += 1) {
				const chance = random();
				const own = chance < 0.6 ? right : chance < 0.8 ? 0 : vectorOf(any(), any());
				vectors[index] = isWhole && index % 16 > 0 ? (vectors[index - 1] ?? 0) : own;
			}
			return vectors;
		}

		test.each(
			[0, 8, 26, 60, 127].flatMap(quantizer => [
				{ quantizer, isWhole: false },
				{ quantizer, isWhole: true },
			]),
		)("whatever moved where: %j", async ({ quantizer, isWhole }) => {
			const random = createRandom(quantizer + 2).next;
			const world = createWorld(random);
			const encoder = new Vp8Encoder(size, quantizer);
			const changed = new Uint8Array(encoder.count).fill(1);
			let [left, top] = [100, 100];
			const expected: Buffer[] = [];
			const frames = Array.from({ length: 14 }, (_, step) => {
				const [across, down] = [Math.floor(random() * 25) - 12, Math.floor(random() * 25) - 12];
				[left, top] = [left + across, top + down];
				const picture = view(world, left, top, 50 + step * 3);
				const right = vectorOf(across * 4, down * 4);
				const vectors = hints(encoder.count, right, random, isWhole);
				const bytes =
					step === 0
						? encoder.encodeKeyFrame(picture)
						: (encoder.encodeChange(picture, { changed, vectors, isRequired: true }) ??
							new Uint8Array());
				expected.push(planesOf(encoder));
				return { bytes, at: step / 24, isKey: step === 0 };
			});
			const [clip, raw] = [join(folder, "clip.webm"), join(folder, "clip.yuv")];
			await writeFile(
				clip,
				await muxWebm(frames, 14 / 24, {
					size: { width: size.width / 2, height: size.height / 2 },
					undrawn: 0,
				}),
			);
			const output = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-fps_mode", "passthrough", raw];
			execFileSync("ffmpeg", ["-y", "-v", "error", "-i", clip, ...output]);
			expect(Buffer.compare(await readFile(raw), Buffer.concat(expected))).toBe(0);
		});
	},
);
