import { expect, test } from "vitest";
import { SpendingNotices } from "../../../../src/ui/video/videoSpending.ts";
import type { VideoEndpoint, VideoJob, VideoJobState } from "../../../../src/video/job/videoJob.ts";

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
