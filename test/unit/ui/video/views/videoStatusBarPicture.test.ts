import { describe, expect, test } from "vitest";
import {
	type StatusBarJob,
	statusBarPicture,
} from "../../../../../src/ui/video/views/videoStatusBarPicture.ts";

const now = 1_750_000_000_000;

function job(change: Partial<StatusBarJob> & Pick<StatusBarJob, "id">): StatusBarJob {
	return {
		shortTitle: `Video ${change.id}`,
		tone: "ready",
		label: "Ready",
		sentence: "",
		startedAt: now - 42_000,
		isUnfinished: false,
		...change,
	};
}

const working = (id: string, elapsed = 42_000): StatusBarJob =>
	job({ id, tone: "working", label: "Making", isUnfinished: true, startedAt: now - elapsed });
const ready = (id: string): StatusBarJob => job({ id });
const failed = (id: string): StatusBarJob => job({ id, tone: "failed", label: "Failed" });
const attention = (id: string): StatusBarJob =>
	job({ id, tone: "attention", label: "May be charged" });

describe("the status bar", () => {
	test("shows nothing when nothing is unfinished or unseen", () => {
		expect(statusBarPicture([], new Set(), now)).toBeUndefined();
		expect(statusBarPicture([ready("a"), failed("b")], new Set(), now)).toBeUndefined();
	});

	test("spins with the count and the time since the oldest began, and invents no percentage", () => {
		const picture = statusBarPicture([working("b", 5000), working("a", 65_000)], new Set(), now);
		expect(picture?.text).toBe("$(sync~spin) 2 videos 1:05");
		expect(picture?.text).not.toContain("%");
		expect(picture?.color).toBe("plain");
		expect(picture?.spoken).toBe("Cutaway: 2 videos in the making for 1 minute");
	});

	test("J24: a clock set back shows no negative time", () => {
		expect(statusBarPicture([working("a", -60_000)], new Set(), now)?.text).toBe(
			"$(sync~spin) 1 video 0:00",
		);
	});

	test("stays after the end until the end is seen", () => {
		expect(statusBarPicture([ready("a")], new Set(["a"]), now)).toMatchObject({
			text: "$(play) Video a",
			plays: "a",
		});
		const two = statusBarPicture([ready("a"), ready("b")], new Set(["a", "b"]), now);
		expect(two).toMatchObject({ text: "$(check) 2 videos ready", plays: undefined });
	});

	test("says the share that is done, where it is told", () => {
		const picture = statusBarPicture([{ ...working("a"), share: 0.609 }], new Set(), now);
		expect(picture?.text).toBe("$(sync~spin) Clip 60%");
	});

	test("a clip's name draws no icon", () => {
		const named = { ...ready("a"), shortTitle: "$(error) ".repeat(9) };
		expect(statusBarPicture([named], new Set(["a"]), now)?.text).not.toContain("$(error)");
	});

	test("is red for an unseen failure and yellow for what needs attention, red winning", () => {
		expect(statusBarPicture([failed("a")], new Set(["a"]), now)).toMatchObject({
			text: "$(error) 1 video failed",
			color: "error",
		});
		expect(statusBarPicture([attention("a")], new Set(["a"]), now)).toMatchObject({
			text: "$(warning) 1 video needs attention",
			color: "warning",
		});
		const both = statusBarPicture([failed("a"), attention("b")], new Set(["a", "b"]), now);
		expect(both?.color).toBe("error");
	});

	test("says a failure beside what is still being made", () => {
		const picture = statusBarPicture([working("a"), failed("b")], new Set(["b"]), now);
		expect(picture?.text).toBe("$(sync~spin) 1 video 0:42 $(error) 1 video failed");
		expect(picture?.color).toBe("error");
	});

	test("an unfinished job that needs attention is colored while it is watched", () => {
		const watched = { ...working("a"), tone: "attention" as const };
		expect(statusBarPicture([watched], new Set(), now)?.color).toBe("warning");
	});

	test("stays short whatever happens at once, and speaks of everything", () => {
		const jobs = [
			working("a"),
			...["b", "c"].map(attention),
			...["d", "e", "f"].map(failed),
			...["g", "h"].map(ready),
		];
		const picture = statusBarPicture(jobs, new Set(jobs.map(({ id }) => id)), now);
		expect(picture?.text).toBe("$(sync~spin) 1 video 0:42 $(error) 5 videos need attention");
		expect(picture?.spoken).toBe(
			"Cutaway: 1 video in the making for 42 seconds, 3 videos failed, 2 videos need attention, 2 videos ready",
		);
		const settled = statusBarPicture(jobs.slice(1), new Set(jobs.map(({ id }) => id)), now);
		expect(settled?.text).toBe("$(error) 5 videos need attention $(check) 2 videos ready");
	});

	test("counts a watched video that misbehaves once for its time and once for the user", () => {
		const watched = { ...working("a"), tone: "attention" as const };
		expect(statusBarPicture([watched, failed("b")], new Set(["b"]), now)?.text).toBe(
			"$(sync~spin) 1 video 0:42 $(error) 2 videos need attention",
		);
	});

	test("names at most eight jobs in the tooltip and says how many more there are", () => {
		const jobs = Array.from({ length: 10 }, (_, index) => working(String(index)));
		const lines = statusBarPicture(jobs, new Set(), now)?.tooltip.split("\n") ?? [];
		expect(lines).toHaveLength(9);
		expect(lines[0]).toBe("Video 0: Making, 0:42");
		expect(lines[8]).toBe("and 2 more");
	});
});
