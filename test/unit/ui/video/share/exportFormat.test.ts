import { expect, test } from "vitest";
import { fileNameOf, lastChoice } from "../../../../../src/ui/video/share/exportFormat.ts";

const memoryOf = (value: unknown) => ({ get: () => value, set: () => undefined });

test("the first export fits a README, and a later one is like the last", () => {
	expect(lastChoice(memoryOf(undefined))).toEqual({
		format: "webp",
		width: 720,
		isLooping: true,
		hasCaptions: false,
	});
	const kept = { format: "gif", width: 480, isLooping: false, hasCaptions: true };
	expect(lastChoice(memoryOf(kept))).toEqual(kept);
});

test("a choice from before there were captions is kept, without them", () => {
	const kept = { format: "gif", width: 480, isLooping: false };
	expect(lastChoice(memoryOf(kept))).toEqual({ ...kept, hasCaptions: false });
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
