import { expect, test } from "vitest";
import { expandPrompt } from "../../../../src/ui/composer/expandPrompt.ts";

const places = { input: "be kind", selection: "```ts\na\n```", file: "src/a.ts" };
const textOf = (prompt: string, given: Partial<typeof places> = {}): string => {
	const expanded = expandPrompt(prompt, { ...places, ...given });
	return expanded.type === "expanded" ? expanded.text : expanded.sentence;
};

test("each place is filled in, wherever and however often it occurs", () => {
	expect(textOf("Review $file ($input, $input):\n$selection")).toBe(
		"Review src/a.ts (be kind, be kind):\n```ts\na\n```",
	);
});

test("a place in what is filled in stays as it is", () => {
	expect(textOf("$input", { input: "$selection $file" })).toBe("$selection $file");
	expect(textOf("$selection", { selection: "$input $& $1", input: "" })).toBe("$input $& $1");
});

test("a backslash makes a place a word, and other words with a dollar stay", () => {
	expect(textOf("\\$input costs $5, $inputs and $$", { input: "" })).toBe(
		"$input costs $5, $inputs and $$",
	);
});

test("words without a place to stand at go below the prompt", () => {
	expect(textOf("Review this.")).toBe("Review this.\n\nbe kind");
	expect(textOf("Review this.", { input: "" })).toBe("Review this.");
});

test("what is missing is named, and nothing is filled in", () => {
	expect(expandPrompt("$selection", { ...places, selection: undefined })).toMatchObject({
		type: "lacking",
		sentence: expect.stringContaining("select something"),
	});
	expect(expandPrompt("$file", { ...places, file: undefined }).type).toBe("lacking");
	expect(expandPrompt("Hello", { ...places, selection: undefined, file: undefined }).type).toBe(
		"expanded",
	);
	expect(textOf("$selection", { selection: "x".repeat(200_001) })).toContain("200000 characters");
});

test("T30: hidden characters of a prompt are shown by their codes", () => {
	expect(textOf("Hello\u{E0041}\u202Ethere", { input: "" })).toBe("Hello␣U+E0041␣U+202Ethere");
});
