import { expect, test } from "vitest";
import { filterMessage, matchesFilter } from "../../../../../src/ui/video/views/videoFilter.ts";

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
