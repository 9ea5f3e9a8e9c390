import { expect, test } from "vitest";
import { partOf, picturePoints, withPart } from "../../../src/clip/picturePoints.ts";

test("each part of a picture is one that the address names, once", () => {
	for (const address of [
		"https://a.b/c.png",
		"https://a.b/c.png#top",
		"data:image/png;base64,aa",
	]) {
		for (const part of picturePoints) {
			const named = withPart(withPart(address, "left"), part);
			expect(partOf(named)).toBe(part);
			expect(withPart(named, "whole")).toBe(address);
			expect(named.split("xywh=").length).toBeLessThanOrEqual(2);
		}
	}
});

test("a part that an address names otherwise is its own and stays", () => {
	const address = "https://a.b/c.png#xywh=percent:10,20,5,5";
	expect(partOf(address)).toBe("own");
	expect(withPart(address, "own")).toBe(address);
	expect(withPart(address, "topLeft")).toBe("https://a.b/c.png#xywh=percent:0,0,40,40");
});
