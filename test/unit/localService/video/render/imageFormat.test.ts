import { beforeAll, describe, expect, test } from "vitest";
import type { Bitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import { readImageHeader } from "../../../../../src/localService/video/render/imageFormat.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { fourColors, images, packageAssets } from "../videoFixtures.ts";

test.each([
	["png", 8, 6],
	["jpeg", 8, 6],
	["webp", 8, 6],
	["gif", 1, 1],
] as const)("%s and its size are read from its bytes", (format, width, height) => {
	expect(readImageHeader(images[format])).toMatchObject({ format, width, height });
});

test.each(Object.entries(images))(
	"%s cut anywhere is read or refused, never a crash",
	(_, bytes) => {
		for (let length = 0; length < bytes.length; length += 1) {
			expect(() => readImageHeader(bytes.subarray(0, length))).not.toThrow();
		}
	},
);

test.each(["", "GIF", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF....WAVEfmt "])(
	"%j is no image",
	text => {
		expect(readImageHeader(Buffer.from(text))).toBeUndefined();
	},
);

/** The JPEG with an Exif block that says how it is turned. */
function turned(orientation: number, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
	const exif = new DataView(new ArrayBuffer(36));
	exif.setUint16(0, 0xffe1);
	exif.setUint16(2, 34);
	exif.setUint32(4, 0x45786966);
	exif.setUint16(10, isLittleEndian ? 0x4949 : 0x4d4d);
	exif.setUint16(12, 42, isLittleEndian);
	exif.setUint32(14, 8, isLittleEndian);
	exif.setUint16(18, 1, isLittleEndian);
	exif.setUint16(20, 0x0112, isLittleEndian);
	exif.setUint16(22, 3, isLittleEndian);
	exif.setUint32(24, 1, isLittleEndian);
	exif.setUint16(28, orientation, isLittleEndian);
	const start = fourColors.subarray(0, 2);
	const parts = [start, new Uint8Array(exif.buffer), fourColors.subarray(2)];
	return Uint8Array.from(Buffer.concat(parts));
}

describe("a photo is shown as its camera was held", () => {
	let studio: ClipRenderer;
	beforeAll(async () => {
		studio = await ClipRenderer.open(packageAssets);
	});

	/** Colors of the four corners' quarters, row by row. */
	function quarters({ width, height, pixels }: Bitmap): string {
		const at = (x: number, y: number): string => {
			const start = (Math.floor(height * y) * width + Math.floor(width * x)) * 4;
			const [red = 0, green = 0, blue = 0] = pixels.subarray(start, start + 3);
			const isOn = [red > 128, green > 128, blue > 128];
			return isOn.every(Boolean) ? "w" : ["r", "g", "b"].filter((_, index) => isOn[index]).join("");
		};
		return at(0.25, 0.25) + at(0.75, 0.25) + at(0.25, 0.75) + at(0.75, 0.75);
	}

	// Stored: red and green above, blue and white below.
	test.each([
		[1, "rgbw"],
		[2, "grwb"],
		[3, "wbgr"],
		[4, "bwrg"],
		[5, "rbgw"],
		[6, "brwg"],
		[7, "wgbr"],
		[8, "gwrb"],
		[9, "rgbw"],
	])("orientation %i", (orientation, expected) => {
		for (const isLittleEndian of [true, false]) {
			const bytes = turned(orientation, isLittleEndian);
			const header = readImageHeader(bytes);
			const isOnItsSide = orientation >= 5 && orientation <= 8;
			expect([header?.width, header?.height]).toEqual(isOnItsSide ? [16, 32] : [32, 16]);
			const bitmap = studio.decodeImage({ format: "jpeg", width: 0, height: 0, ...header, bytes });
			expect(quarters(bitmap)).toBe(expected);
		}
	});
});
