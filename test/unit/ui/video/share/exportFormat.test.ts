import { expect, test } from "vitest";
import {
	estimatedBytes,
	fileNameOf,
	imageChoice,
	lastChoice,
	measuredWidth,
	widthsFor,
} from "../../../../../src/ui/video/share/exportFormat.ts";

const memoryOf = (value: unknown) => ({ get: () => value, set: () => undefined });

test("the first export fits a README, and a later one is like the last", () => {
	expect(lastChoice(memoryOf(undefined))).toEqual({
		format: "webp",
		width: 720,
		isLooping: true,
		hasCaptions: false,
		hasGround: true,
	});
	const kept = { format: "gif", width: 480, isLooping: false, hasCaptions: true, hasGround: false };
	expect(lastChoice(memoryOf(kept))).toEqual(kept);
});

test("a choice from before there were captions is kept, without them", () => {
	const kept = { format: "gif", width: 480, isLooping: false };
	expect(lastChoice(memoryOf(kept))).toEqual({ ...kept, hasCaptions: false, hasGround: true });
});

test("an image that is inserted or copied is like the last export, with its background", () => {
	const kept = { format: "png", width: 480, isLooping: true, hasCaptions: true, hasGround: false };
	expect(imageChoice(memoryOf(kept), "webp")).toEqual({ ...kept, format: "webp", hasGround: true });
});

test("a choice that no longer exists is not taken over", () => {
	const kept = { format: "avi", width: 481, isLooping: false };
	expect(lastChoice(memoryOf(kept)).format).toBe("webp");
});

test("the file is called like its clip, with the extension of its format", () => {
	expect(fileNameOf("a-red.fox-2026-01-31.webm", { format: "gif" })).toBe(
		"a-red.fox-2026-01-31.gif",
	);
});

test("no width enlarges a clip, and there is always one", () => {
	expect(widthsFor(960)).toEqual([480, 720, 960]);
	expect(widthsFor(undefined)).toEqual([480, 720, 960, 1280, 1920]);
	expect(widthsFor(320)).toEqual([480]);
});

test("a wider file is estimated to be larger, by less than its area", () => {
	expect(estimatedBytes(100_000, measuredWidth)).toBe(100_000);
	expect(estimatedBytes(100_000, 2 * measuredWidth)).toBeGreaterThan(250_000);
	expect(estimatedBytes(100_000, 2 * measuredWidth)).toBeLessThan(400_000);
});
