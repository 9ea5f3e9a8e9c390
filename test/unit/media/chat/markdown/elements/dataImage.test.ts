import { describe, expect, test } from "vitest";
import { isDataImage } from "../../../../../../media/chat/markdown/elements/elements.ts";

function dataOf(type: string, bytes: string): string {
	return `data:image/${type};base64,${Buffer.from(bytes, "latin1").toString("base64")}`;
}

const images = {
	png: "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
	jpeg: "\xff\xd8\xff\xe0\0\x10JFIF",
	gif: "GIF89a\x01\0\x01\0",
	webp: "RIFF\x24\x01\0\xfeWEBPVP8 ",
	"svg+xml": "<svg xmlns=",
};

describe("T16: an image that holds itself", () => {
	test.each(Object.entries(images))("is shown when it is a %s", (type, bytes) => {
		expect(isDataImage(dataOf(type, bytes))).toBe(true);
	});

	test("is shown when its RIFF header holds any size", () => {
		for (let size = 0; size < 256; size++) {
			const bytes = `RIFF${String.fromCharCode(size, 255 - size, size, size)}WEBPVP8L`;
			expect(isDataImage(dataOf("webp", bytes)), String(size)).toBe(true);
		}
	});

	test("is not shown when its bytes are of another kind than it says", () => {
		for (const type of Object.keys(images)) {
			for (const [kind, bytes] of Object.entries(images)) {
				expect(isDataImage(dataOf(type, bytes)), `${kind} as ${type}`).toBe(kind === type);
			}
		}
	});

	test.each([
		"https://example.com/a.png",
		"data:image/svg+xml,<svg/>",
		"data:text/html;base64,iVBORw0KGgo=",
		"data:image/png,iVBORw0KGgo",
		"data:image/png;charset=x;base64,iVBORw0KGgo=",
		"DATA:image/png;base64,iVBORw0KGgo=",
		"data:image/png;base64,iVBORw0KGgo=#https://example.com",
		"data:image/png;base64,iVBORw0KGgo= onerror=x",
		" data:image/png;base64,iVBORw0KGgo=",
	])("is not shown: %s", address => {
		expect(isDataImage(address)).toBe(false);
	});

	test("is not shown when it is larger than 1 MB or so", () => {
		expect(isDataImage(dataOf("png", images.png + "x".repeat(1_000_000)))).toBe(true);
		expect(isDataImage(dataOf("png", images.png + "x".repeat(1_200_000)))).toBe(false);
	});
});
