import { expect, test } from "vitest";
import { autoSeconds, readScene } from "../../../../../src/clip/clipLength.ts";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import {
	fencedSelection,
	requestOf,
	drawnMotionName,
	SpendingNotices,
} from "../../../../../src/ui/video/request/videoRequest.ts";
import type {
	VideoEndpoint,
	VideoJob,
	VideoJobState,
} from "../../../../../src/video/job/videoJob.ts";

const selection = (
	text: string,
	startLine = 6,
	endLine = startLine + text.trimEnd().split("\n").length - 1,
) => ({
	text,
	name: "debounce.ts",
	startLine,
	endLine,
});

test("code has the editor's language, its file's name and the number of its first line", () => {
	const code = "\n\texport const wait = 3;\n\texport const rest = 1;\n";
	expect(fencedSelection(selection(code), "typescriptreact")).toBe(
		'```tsx title="debounce.ts" line=8\n\texport const wait = 3;\n\texport const rest = 1;\n```',
	);
	expect(readPrompt(fencedSelection(selection(code), "typescript"))).toMatchObject({
		type: "code",
		language: "typescript",
		caption: "debounce.ts",
		firstLine: 8,
	});
});

test("selections that are joined have no number, for they are no stretch of the file", () => {
	expect(fencedSelection(selection("a();\nb();", 3, 40), "go")).toBe(
		'```go title="debounce.ts"\na();\nb();\n```',
	);
});

test.each([
	["plaintext", "A paper boat\n"],
	["markdown", "# Boat"],
	["python", "```py\nrun()\n```"],
])("words, and what has a fence of its own, stay as they are (%s)", (language, text) => {
	expect(fencedSelection(selection(text), language)).toBe(text.trim());
});

const request = (prompt: string) => ({ kind: "text", prompt }) as const;

test("a chosen length is one request within the interface's bounds", () => {
	expect(requestOf(request("A boat"), { duration: 3, motionStrength: 2 })).toEqual({
		kind: "text",
		prompt: "A boat",
		duration: 3,
		motionStrength: 2,
	});
});

test("a longer length is one clip in scenes of at most 4 s", () => {
	const made = requestOf(request("A boat"), { duration: 6, motionStrength: 2 });
	const scenes = made.kind === "storyboard" ? made.scenes : [];
	expect(scenes.map(({ duration }) => duration)).toEqual([4, 2]);
	expect(made).toMatchObject({ text: "A boat" });
});

test("a short text is one request of the length that it takes", () => {
	expect(requestOf(request("A boat"), { duration: "auto", motionStrength: 2 })).toEqual({
		kind: "text",
		prompt: "A boat",
		motionStrength: 2,
		duration: autoSeconds("A boat", 2),
	});
});

test("a text that takes longer is one clip in scenes of at most 4 s, which follow one another", () => {
	const prompt = "A paper boat drifts on a quiet river. ".repeat(8).trim();
	const made = requestOf(request(prompt), { duration: "auto", motionStrength: 5 });
	const seconds = autoSeconds(prompt, 5);
	expect(seconds).toBeGreaterThan(4);
	expect(made).toMatchObject({ kind: "storyboard", text: prompt });
	const scenes = made.kind === "storyboard" ? made.scenes : [];
	expect(scenes.reduce((sum, { duration }) => sum + duration, 0)).toBe(seconds);
	for (const { prompt: part, duration, motionStrength } of scenes) {
		expect(duration).toBeLessThanOrEqual(4);
		expect(motionStrength).toBe(5);
		expect(readScene(part).prompt).toBe(prompt);
	}
});

const code = "const a = 1;\nconst b = run(a);\n";
const named = (prompt: string): readonly (string | undefined)[] =>
	[1, 2, 3, 4, 5].map(strength => drawnMotionName(prompt, strength));

test.each([
	["words", "A paper boat.", ["Calm", "Calm", "Calm", "Calm", "Typed"]],
	["code", `\`\`\`ts\n${code}\`\`\``, ["Calm", "Calm", "Calm", "Calm", "Typed"]],
	[
		"code with named lines",
		`\`\`\`ts {2}\n${code}\`\`\``,
		["Calm", "Calm", "Focus", "Calm", "Typed"],
	],
	["a change", "```diff\n-a\n+b\n```", ["Calm", "Calm", "Change", "Change", "Typed"]],
	["a terminal", "```console\n$ npm test\nok\n```", Array(5).fill(undefined)],
])("the strengths of motion have meanings for %s", (_what, prompt, names) => {
	expect(named(prompt)).toEqual(names);
});

const minute = 60_000;
const remote: VideoEndpoint = {
	kind: "remote",
	baseUrl: "https://api.example.com",
	origin: "https://api.example.com",
	label: "api.example.com",
};
const local: VideoEndpoint = { kind: "local", baseUrl: "", origin: "local", label: "Local" };

function sent(
	count: number,
	createdAt: number,
	endpoint = remote,
	state: VideoJobState = { name: "inProgress" },
): VideoJob[] {
	return Array.from({ length: count }, (_value, index) => ({
		id: `job-${index}`,
		request: { kind: "text", prompt: "A boat" },
		endpoint,
		createdAt,
		submissions: 1,
		state,
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
	}));
}

test("T9: from the fifth paid video within an hour on, the next one is preceded by a sentence, once an hour", () => {
	let now = 100 * minute;
	const notices = new SpendingNotices(() => now);
	expect(notices.next(sent(4, now - minute), remote)).toBeUndefined();
	expect(notices.next(sent(5, now - minute), remote)).toBe(
		"You sent 5 videos to api.example.com in the last hour. Each may be charged, including this one.",
	);
	now += 59 * minute;
	expect(notices.next(sent(9, now - minute), remote)).toBeUndefined();
	now += 2 * minute;
	expect(notices.next(sent(9, now - minute), remote)).toContain("9 videos");
});

test("T9: videos of an hour ago, of another service, or provably not taken do not count", () => {
	const now = 100 * minute;
	const refused: VideoJobState = {
		name: "notSubmitted",
		failure: { kind: "refused", charge: "notSent" },
	};
	const jobs = [
		...sent(4, now - minute),
		...sent(9, now - 61 * minute),
		...sent(9, now - minute, { ...remote, origin: "https://other.example" }),
		...sent(9, now - minute, remote, refused),
	];
	expect(new SpendingNotices(() => now).next(jobs, remote)).toBeUndefined();
});

test("T9: a request sent again counts again, and the local service is never spoken of", () => {
	const now = 100 * minute;
	const again = sent(1, now - minute).map(job => ({ ...job, submissions: 5 }));
	expect(new SpendingNotices(() => now).next(again, remote)).toContain("5 videos");
	expect(new SpendingNotices(() => now).next(sent(50, now - minute, local), local)).toBeUndefined();
});
