import { describe, expect, test } from "vitest";
import { captionCues } from "../../../../../media/video/captions/captionCues.ts";

const one = (words: string, seconds = 2) => captionCues([{ words, seconds: 1 }], seconds);
const textsOf = (words: string, seconds: number) => one(words, seconds).map(({ text }) => text);

describe("words become cues that can be read", () => {
	test("a short text is one cue over the whole clip", () => {
		expect(one("A lighthouse at dusk")).toEqual([
			{ start: 0, end: 2, text: "A lighthouse at dusk" },
		]);
	});

	test("a text without words has none", () => {
		expect(one(" \n ")).toEqual([]);
		expect(captionCues([], 2)).toEqual([]);
	});

	test("cues end where sentences do, and fill the clip without gaps", () => {
		const words =
			"The first sentence has about sixty characters, as many as that. And the second one is shorter.";
		const [first, second, more] = one(words, 3);
		expect([first?.text, second?.text, more]).toEqual([
			"The first sentence has about sixty characters, as many as that.",
			"And the second one is shorter.",
			undefined,
		]);
		expect(first?.end).toBe(second?.start);
		expect(second?.end).toBeCloseTo(3);
		expect(first?.end).toBeCloseTo((3 * 63) / (63 + 30));
	});

	test("a sentence that is too long is cut between words into parts of about one length", () => {
		const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
		const texts = textsOf(words, 4);
		expect(texts.join(" ")).toBe(words);
		expect(texts.length).toBe(2);
		expect(Math.abs((texts[0]?.length ?? 0) - (texts[1]?.length ?? 0))).toBeLessThan(16);
	});

	test("no cue is shorter than a second, and what does not fit ends with an ellipsis", () => {
		const words = "Ten words are in this sentence, and it is long enough to count. ".repeat(60);
		const cues = one(words, 4);
		expect(cues).toHaveLength(4);
		expect(Math.min(...cues.map(({ start, end }) => end - start))).toBeGreaterThan(0.9);
		expect(cues.at(-1)?.text).toMatch(/\w…$/);
		expect(textsOf(words, 1)).toHaveLength(1);
	});

	test("a wide letter counts twice, a text without spaces is cut, and a word is not broken in a character", () => {
		const chinese = textsOf("编辑器的每个窗口都会先把聊天记录和视频保存到磁盘上".repeat(4), 4);
		expect(chinese.length).toBe(3);
		expect(Math.max(...chinese.map(text => text.length))).toBeLessThanOrEqual(42);
		const family = "👩‍👩‍👧‍👦".repeat(60);
		const families = textsOf(family, 4);
		expect(families.join("")).toBe(family);
		expect(Math.max(...families.map(text => text.length))).toBeLessThanOrEqual(42 * 11);
	});

	test("the words of each scene are over its stretch, whatever the clip's real length", () => {
		const parts = [
			{ words: "First.", seconds: 1 },
			{ words: "", seconds: 2 },
			{ words: "Last.", seconds: 1 },
		];
		expect(captionCues(parts, 8)).toEqual([
			{ start: 0, end: 2, text: "First." },
			{ start: 6, end: 8, text: "Last." },
		]);
	});
});
