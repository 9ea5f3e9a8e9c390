import { scenesOf } from "../../../../../src/clip/clipLength.ts";
import { describe, expect, test } from "vitest";
import {
	captionsOf,
	filterMessage,
	matchesFilter,
} from "../../../../../src/ui/video/views/videoJobView.ts";

const wordsOf = (prompt: string) => captionsOf({ request: { kind: "text", prompt } })[0]?.words;

describe("captions hold the words of a prompt", () => {
	test.each([
		["A **bold** [link](https://a.example)", "A bold link"],
		["# Title\n\nBody with `code`.", "Title\nBody with code."],
		["What it does:\n\n```ts\nconst a = 1;\n```\n\nAnd why.", "What it does:\nAnd why."],
	])("%j", (prompt, words) => {
		expect(wordsOf(prompt)).toBe(words);
	});

	test("those of each scene for as long as it was asked for", () => {
		const scenes = [
			{ prompt: "# One", duration: 1, motionStrength: 3 },
			{ prompt: "Two", duration: 4, motionStrength: 3 },
		];
		expect(captionsOf({ request: { kind: "storyboard", scenes } })).toEqual([
			{ words: "One", seconds: 1 },
			{ words: "Two", seconds: 4 },
		]);
	});

	test("none of a storyboard's code, which the picture shows", () => {
		const code = { prompt: "```ts\nlet a = 1;\n```", duration: 2, motionStrength: 3 };
		const scenes = [code, { prompt: "Two", duration: 4, motionStrength: 3 }];
		expect(captionsOf({ request: { kind: "storyboard", scenes } })).toEqual([
			{ words: "", seconds: 2 },
			{ words: "Two", seconds: 4 },
		]);
		expect(captionsOf({ request: { kind: "storyboard", scenes: [code, code] } })).toEqual([]);
	});

	test.each([
		"```ts {1}\nconst a = 1;\n```",
		"~~~\nnever closed",
		"def __init__(self) {\n\treturn a * b * c;\n}",
		"pricing.ts\n```diff\n@@ -1 +1 @@\n-a\n+b\n```",
	])("code has none: the picture shows it (%j)", prompt => {
		expect(captionsOf({ request: { kind: "text", prompt } })).toEqual([]);
	});

	test("none of a part of a longer scene, whose words are those of all parts", () => {
		const captions = scenesOf("What it does, and why.", 12).map(({ prompt }) =>
			captionsOf({ request: { kind: "text", prompt } }),
		);
		expect(captions).toEqual([[], [], []]);
	});

	test("an image has no words", () => {
		expect(captionsOf({ request: { kind: "image", imageUrl: "https://a.example/b.png" } })).toEqual(
			[],
		);
	});
});

const job = { tone: "ready", prompt: "A paper Boat on the river" } as const;

test("a filter without anything lists everything", () => {
	expect(matchesFilter(job, { tone: undefined, text: "" })).toBe(true);
	expect(filterMessage({ tone: undefined, text: "" }, 3)).toBeUndefined();
});

test("words match in any order and any case, and all of them must", () => {
	expect(matchesFilter(job, { tone: undefined, text: "river boat" })).toBe(true);
	expect(matchesFilter(job, { tone: undefined, text: "river train" })).toBe(false);
});

test("a state lists only jobs that stand so", () => {
	expect(matchesFilter(job, { tone: "ready", text: "" })).toBe(true);
	expect(matchesFilter(job, { tone: "failed", text: "boat" })).toBe(false);
});

test("the heading says what is listed", () => {
	expect(filterMessage({ tone: "ready", text: "boat" }, 1)).toBe("Ready · 1 video with “boat”");
	expect(filterMessage({ tone: "attention", text: "" }, 2)).toBe("Need attention · 2 videos");
});
