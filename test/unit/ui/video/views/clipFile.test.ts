import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { muxWebm } from "../../../../../src/localService/video/render/renderClip.ts";
import { Vp8Encoder } from "../../../../../src/localService/video/vp8/vp8Encoder.ts";
import { makeTempFolder } from "../../../../helpers/tempFolder.ts";

vi.mock("vscode", () => ({}));
const { hasAacSound, undrawnIn } =
	await import("../../../../../src/ui/video/views/clipDrawings.ts");

/** A box of an MP4 file. ISO/IEC 14496-12 §4.2. */
function box(type: string, ...content: (Buffer | string)[]): Buffer {
	const body = Buffer.concat(content.map(part => Buffer.from(part)));
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.length + 8, 0);
	head.write(type, 4, "latin1");
	return Buffer.concat([head, body]);
}

async function check(...boxes: Buffer[]): Promise<boolean> {
	const file = join(await makeTempFolder(), "clip.mp4");
	await writeFile(file, Buffer.concat(boxes));
	return hasAacSound(file);
}

const type = box("ftyp", "isom0000isomavc1");
const sound = box("moov", box("trak", box("mdia", box("stsd", box("mp4a", "…")))));
const silent = box("moov", box("trak", box("mdia", box("stsd", box("avc1", "…")))));

describe("J18: AAC sound in a clip", () => {
	test("is found whether the description comes before or after the pictures", async () => {
		expect(await check(type, sound, box("mdat", "x".repeat(1000)))).toBe(true);
		expect(await check(type, box("mdat", "x".repeat(1000)), sound)).toBe(true);
	});

	test("is found behind a box with a 64-bit size", async () => {
		const large = Buffer.alloc(16 + 100);
		large.writeUInt32BE(1, 0);
		large.write("mdat", 4, "latin1");
		large.writeBigUInt64BE(116n, 8);
		expect(await check(type, large, sound)).toBe(true);
	});

	test("is not found in a clip without it, even when its letters stand among the pictures", async () => {
		expect(await check(type, box("mdat", "mp4a"), silent)).toBe(false);
	});

	test("a WebM, an empty file, a cut one and a missing one have none", async () => {
		expect(await check(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3, 4, 5, 6, 7, 8]))).toBe(false);
		expect(await check(Buffer.alloc(0))).toBe(false);
		expect(await check(sound.subarray(0, 6))).toBe(false);
		expect(await hasAacSound("/nowhere/clip.mp4")).toBe(false);
	});
});

test("the characters that could not be drawn are read from the clip's own file, and there are none in any other", async () => {
	const file = join(await makeTempFolder(), "clip.webm");
	const pixels = { width: 16, height: 16, pixels: new Uint8Array(16 * 16 * 4) };
	const bytes = new Vp8Encoder(pixels, 20).encodeKeyFrame(pixels);
	const size = { width: 8, height: 8 };
	for (const undrawn of [0, 7, 123]) {
		await writeFile(file, await muxWebm([{ bytes, at: 0, isKey: true }], 1, { size, undrawn }));
		expect(await undrawnIn(file)).toBe(undrawn);
	}
	expect(await undrawnIn("/nowhere/clip.webm")).toBe(0);
	await writeFile(file, "UNDRAWND\u0087\u0083123", "latin1");
	expect(await undrawnIn(file)).toBe(123);
	for (const broken of ["\u0083abc", "\u0020\u0003123", "\u0084123"]) {
		await writeFile(file, `UNDRAWND\u0087${broken}`, "latin1");
		expect(await undrawnIn(file)).toBe(0);
	}
});
