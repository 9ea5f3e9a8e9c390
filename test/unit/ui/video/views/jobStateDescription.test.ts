import type { FailureFacts } from "../../../../../src/client/contract/serviceError.ts";
import { describe, expect, test } from "vitest";
import type { VideoAction } from "../../../../../src/shared/videoCard.ts";
import {
	endingNotice,
	shortDateOf,
	videoJobView,
} from "../../../../../src/ui/video/views/videoJobView.ts";
import { locale } from "../../../../../src/shared/locale.ts";
import { describeJobState } from "../../../../../src/ui/video/views/jobStateDescription.ts";
import type { VideoJob, VideoJobState } from "../../../../../src/video/job/videoJob.ts";

const failure: FailureFacts = { kind: "serverFailed", charge: "unknown", status: 502 };

function jobIn(state: VideoJobState, change: Partial<VideoJob> = {}): VideoJob {
	return {
		id: "job",
		request: { kind: "text", prompt: "A paper boat", duration: 2, motionStrength: 3 },
		endpoint: {
			kind: "remote",
			baseUrl: "https://api.example",
			origin: "https://api.example",
			label: "api.example",
		},
		createdAt: 1_750_000_000_000,
		submissions: 1,
		generationId: "gen-1",
		state,
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
		...change,
	};
}

const minutes = 60_000;

/** Every row with its state, and what a user must read and be able to do. */
const rows: readonly {
	readonly row: string;
	readonly job: VideoJob;
	readonly tone: string;
	readonly says: RegExp;
	readonly offers: readonly VideoAction[];
}[] = [
	{
		row: "J1: a request that was not sent can be submitted, and nothing was charged",
		job: jobIn({
			name: "notSubmitted",
			failure: { kind: "refused", charge: "notSent", host: "h:1" },
		}),
		tone: "failed",
		says: /Not submitted.*Can't reach h:1\. .*Nothing was charged/,
		offers: ["submit", "connect"],
	},
	{
		row: "J2: an ambiguous submit may be charged and says so on its button",
		job: jobIn({ name: "submissionUnknown", failure }),
		tone: "attention",
		says: /May be charged.*failed \(502\).*won't be sent again unless you choose/,
		offers: ["submitAgain"],
	},
	{
		row: "J4: a submit that a crash cut off says why it is unknown",
		job: jobIn({ name: "submissionUnknown" }),
		tone: "attention",
		says: /closed before the service answered/,
		offers: ["submitAgain"],
	},
	{
		row: "J5: a failed check leaves the job being made and says when it was last checked",
		job: jobIn(
			{ name: "inProgress", problem: { failure, count: 1 } },
			{ watch: { watchedMs: 0, round: 0, lastCheckedAt: 1_750_000_000_000 } },
		),
		tone: "working",
		says: /Making.*Last checked/,
		offers: ["stopWatching"],
	},
	{
		row: "J5: five failed checks are «cannot be checked»",
		job: jobIn({ name: "inProgress", problem: { failure, count: 5 } }),
		tone: "attention",
		says: /Can't be checked.*will try again/,
		offers: ["checkAgain", "stopWatching"],
	},
	{
		row: "J6: half an hour is unusually long, may never finish, and is not called failed",
		job: jobIn({ name: "inProgress" }, { watch: { watchedMs: 30 * minutes, round: 0 } }),
		tone: "attention",
		says: /^(?!.*failed\b).*unusually long.*may never finish/i,
		offers: ["keepWatching", "stopWatching"],
	},
	{
		row: "J7: an unknown status is shown plainly",
		job: jobIn({ name: "unusualStatus", status: "queued", readsLikeFailure: false, checksLeft: 0 }),
		tone: "working",
		says: /Status: “queued”/,
		offers: ["stopWatching"],
	},
	{
		row: "J7: a status that reads like a failure is quoted as the service's word",
		job: jobIn({
			name: "unusualStatus",
			status: "rejected",
			readsLikeFailure: true,
			checksLeft: 9,
		}),
		tone: "attention",
		says: /The service reported “rejected”/,
		offers: ["stopWatching"],
	},
	{
		row: "J10: a job the service forgot is reported, and is not made again by itself",
		job: jobIn({ name: "goneAtService" }),
		tone: "failed",
		says: /Unknown to the service/,
		offers: [],
	},
	{
		row: "J11: complete without an address can be checked again and its details copied",
		job: jobIn({ name: "completeWithoutAddress" }),
		tone: "attention",
		says: /complete but gave no address/,
		offers: ["checkAgain", "copyDetails"],
	},
	{
		row: "J12: a refused address says the reason and that nothing was fetched",
		job: jobIn({ name: "addressRefused", reason: "it is not https", address: "http://x/" }),
		tone: "failed",
		says: /It is not https\. Nothing was fetched/,
		offers: ["copyDetails"],
	},
	{
		row: "J13: an expired link can be checked again",
		job: jobIn({ name: "linkExpired", status: 403 }),
		tone: "failed",
		says: /^Link expired\b.*The new link from the service has expired/,
		offers: ["checkAgain"],
	},
	{
		row: "J14: what is no video is named with its type and size",
		job: jobIn({ name: "notAVideo", contentType: "text/html", size: 1200 }),
		tone: "failed",
		says: /Not a video.*\(text\/html, 1\.2 KB\) wasn't kept/,
		offers: ["checkAgain"],
	},
	{
		row: "J17: a clip above the limit asks with its sizes",
		job: jobIn({ name: "tooLarge", size: 3_000_000_000, limit: 2_000_000_000 }),
		tone: "attention",
		says: /larger than the limit of 2\.0 GB/,
		offers: ["downloadAnyway"],
	},
	{
		row: "J17: a full disk says what is needed and what is free",
		job: jobIn({ name: "noRoom", needed: 5_000_000, free: 1_000_000 }),
		tone: "failed",
		says: /needs 5\.0 MB; 1\.0 MB is free/,
		offers: ["checkAgain"],
	},
	{
		row: "L7: a folder that cannot be written is named",
		job: jobIn({ name: "cannotSave", code: "EACCES", folder: "/videos" }),
		tone: "failed",
		says: /\/videos \(EACCES\)/,
		offers: ["checkAgain"],
	},
	{
		row: "J21: a missing key names the service it is for",
		job: jobIn({ name: "needsKey", reason: "missing" }),
		tone: "attention",
		says: /key for api.example/,
		offers: ["setApiKey", "checkAgain"],
	},
	{
		row: "J5: after a day nobody looks any more, and watching can go on",
		job: jobIn({ name: "watchingStopped", by: "time" }),
		tone: "attention",
		says: /24 hours/,
		offers: ["keepWatching"],
	},
	{
		row: "a job a user stopped watching is neither failed nor asks for attention",
		job: jobIn({ name: "watchingStopped", by: "user" }),
		tone: "stopped",
		says: /may still finish/,
		offers: ["keepWatching"],
	},
];

describe("the state of a job", () => {
	for (const { row, job, tone, says, offers } of rows) {
		test(row, () => {
			const description = describeJobState(job);
			expect(description.tone).toBe(tone);
			expect(`${description.label}. ${description.sentence}`).toMatch(says);
			expect(description.actions).toEqual(expect.arrayContaining([...offers]));
		});
	}

	test("only a request that is not known to have been charged is called «submit»", () => {
		for (const { job } of rows) {
			const { actions } = videoJobView(job);
			expect(actions.includes("submit")).toBe(job.state.name === "notSubmitted");
			expect(actions.includes("submitAgain")).toBe(job.state.name === "submissionUnknown");
		}
	});

	test.each<VideoJobState>([
		{ name: "notSubmitted", failure },
		{ name: "submissionUnknown", failure },
		{ name: "submissionUnknown" },
	])("$name on the local service never speaks of a charge", state => {
		const endpoint = {
			kind: "local",
			baseUrl: "",
			origin: "local",
			label: "Local service",
		} as const;
		const { label, sentence, actions } = describeJobState(jobIn(state, { endpoint }));
		expect(`${label} ${sentence}`).not.toMatch(/charge/i);
		expect(actions).toContain("submit");
		expect(actions).not.toContain("submitAgain");
	});

	test.each<VideoJobState>([
		{ name: "notSubmitted", failure: { ...failure, serviceMessage: "<b>no</b>" } },
		{ name: "failedByService", status: "failed", message: "<b>no</b>" },
		{
			name: "unusualStatus",
			status: "failed",
			readsLikeFailure: true,
			checksLeft: 3,
			message: "<b>no</b>",
		},
	])(
		"$name: the service's message is shown separately, and never as Cutaway's own words",
		state => {
			const description = describeJobState(jobIn(state));
			expect(description.serviceMessage).toBe("<b>no</b>");
			expect(description.sentence).not.toContain("<b>");
		},
	);
});

describe("what is told of an ending", () => {
	const refused: VideoJobState = {
		name: "notSubmitted",
		failure: {
			kind: "badRequest",
			charge: "refused",
			status: 402,
			serviceMessage: "Out of credits.\nSee [the shop](command:shop.buy).",
		},
	};

	test("holds the service's own words, in one line and without a link", () => {
		expect(endingNotice(videoJobView(jobIn(refused)))).toBe(
			"Not submitted: “A paper boat”. The service rejected the request (402). Nothing was charged, and the prompt is kept. Service message: “Out of credits. See [the shop] (command:shop.buy).”",
		);
	});

	test("cuts words without end, and says so", () => {
		const rejected = { kind: "rejected", charge: "refused" } as const;
		const said = { ...rejected, serviceMessage: "no ".repeat(500) };
		const notice = endingNotice(videoJobView(jobIn({ name: "notSubmitted", failure: said })));
		expect(notice).toMatch(/no no…”$/);
		expect(notice.length).toBeLessThan(400);
	});

	test("is one sentence for a clip that is ready", () => {
		const ready = { name: "ready", file: "/a.webm", size: 1, format: "webm", savedAt: 0 } as const;
		expect(endingNotice(videoJobView(jobIn(ready)))).toBe("Your video is ready: “A paper boat”.");
	});
});

describe("a job in words", () => {
	const ready: VideoJobState = {
		name: "ready",
		file: "/videos/a paper boat.webm",
		size: 1,
		format: "webm",
		savedAt: 0,
	};

	test("has its source with the line counted from 1", () => {
		const source = { uri: "file:///w/pricing.ts", name: "pricing.ts", startLine: 11, endLine: 14 };
		const view = videoJobView(jobIn(ready, { source }));
		expect(view.source).toEqual({
			uri: "file:///w/pricing.ts",
			line: 12,
			label: "pricing.ts, line 12",
		});
		expect(view.actions).toContain("openSource");
	});

	test("is named after what its code declares, and after its file", () => {
		const source = { uri: "file:///w/pricing.ts", name: "pricing.ts" };
		const prompt = "```ts\n// Cheaper by the dozen.\nexport function volumeDiscount() {\n}\n```";
		const named = (change: Partial<VideoJob>) => videoJobView(jobIn(ready, change));
		expect(named({ request: { kind: "text", prompt }, source })).toMatchObject({
			shortTitle: "volumeDiscount",
			title: "volumeDiscount in pricing.ts",
		});
		const diff = "pricing.ts\n```diff\n@@ -1 +1 @@\n-a\n+b\n```";
		expect(named({ request: { kind: "text", prompt: diff }, source })).toMatchObject({
			shortTitle: "Change of pricing.ts",
			title: "Change of pricing.ts",
		});
	});

	test("says its options, and leaves out those the service chose", () => {
		expect(videoJobView(jobIn(ready)).parameters).toEqual(["2 s", "Motion: Medium"]);
		const bare = jobIn(ready, { request: { kind: "text", prompt: "x" } });
		expect(videoJobView(bare).parameters).toEqual([]);
	});

	test("names the motion of a clip drawn here as the step before it does", () => {
		const { endpoint } = jobIn(ready);
		const parametersOf = (request: VideoJob["request"]) =>
			videoJobView(jobIn(ready, { request, endpoint: { ...endpoint, kind: "local" } })).parameters;
		const [duration, motionStrength] = [2, 3];
		const text = (prompt: string) => ({ kind: "text", prompt, duration, motionStrength }) as const;
		expect(parametersOf(text("A boat"))).toEqual(["2 s", "Calm"]);
		expect(parametersOf(text("```diff\n-a\n+b\n```"))).toEqual(["2 s", "Change"]);
		expect(parametersOf(text("```console\n$ ls\n```"))).toEqual(["2 s"]);
		const scenes = [{ prompt: "A boat", duration: 4, motionStrength: 5 }];
		expect(parametersOf({ kind: "storyboard", scenes, text: "A boat" })).toEqual(["4 s", "Typed"]);
		expect(parametersOf({ kind: "storyboard", scenes })).toEqual(["4 s"]);
	});

	test("calls a storyboard by its title, in its document as well", () => {
		const scenes = [{ prompt: "# Retries\n\nOnce", duration: 4, motionStrength: 3 }];
		const storyboard = { kind: "storyboard", scenes } as const;
		const titled = videoJobView(jobIn(ready, { request: { ...storyboard, title: "Billing" } }));
		expect(titled).toMatchObject({ title: "Billing", shortTitle: "Billing" });
		expect(titled.prompt.startsWith("Storyboard: Billing\n\n--- Scene: 4 s")).toBe(true);
		expect(videoJobView(jobIn(ready, { request: storyboard })).shortTitle).toBe("Retries");
	});

	test("offers everything about the clip only once there is one, and to generate again only after the end", () => {
		const { actions, clip } = videoJobView(jobIn(ready));
		expect(clip).toEqual({ file: "/videos/a paper boat.webm", name: "a paper boat.webm", size: 1 });
		expect(actions).toEqual(
			expect.arrayContaining([
				"saveAs",
				"exportAs",
				"insertImage",
				"insertLink",
				"insertTag",
				"openExternally",
				"generateAgain",
			]),
		);
		const running = videoJobView(jobIn({ name: "inProgress" })).actions;
		expect(running).not.toContain("saveAs");
		expect(running).not.toContain("generateAgain");
	});

	test("counts its time from the last sending, and keeps the day it was asked for", () => {
		const submitter = { pid: 1, host: "h", session: "s", since: 1_750_000_600_000 };
		const view = videoJobView(jobIn({ name: "inProgress" }, { submissions: 2, submitter }));
		expect(view).toMatchObject({ createdAt: 1_750_000_000_000, startedAt: 1_750_000_600_000 });
	});

	test("names an image by its file and its host", () => {
		const request = { kind: "image", imageUrl: "https://example.com/a/cat.png?x=1" } as const;
		expect(videoJobView(jobIn(ready, { request })).title).toBe("cat.png (example.com)");
	});

	test("has a title that is long enough to describe the clip, and a short one for rows and tabs", () => {
		const prompt = `${"A paper boat on a quiet river ".repeat(3)}at dawn`;
		const view = videoJobView(jobIn(ready, { request: { kind: "text", prompt } }));
		expect(view.title).toBe(
			"A paper boat on a quiet river A paper boat on a quiet river A paper boat on a…",
		);
		expect(view.shortTitle).toBe("A paper boat on a quiet river A paper…");
	});

	test("gives the time alone for today, and the date for a day before", () => {
		const view = videoJobView(jobIn(ready));
		const time = new Date(view.createdAt).toLocaleTimeString(locale(), { timeStyle: "short" });
		expect(shortDateOf(view, view.createdAt)).toBe(time);
		expect(shortDateOf(view, view.createdAt + 48 * 3_600_000)).not.toContain(time);
	});

	test("measures a download only when its length is known", () => {
		const share = (state: VideoJobState) => videoJobView(jobIn(state)).downloaded;
		expect(share({ name: "downloading", received: 5, total: 10 })).toBe(0.5);
		expect(share({ name: "downloading", received: 20, total: 10 })).toBe(1);
		expect(share({ name: "downloading", received: 5 })).toBeNull();
		expect(share({ name: "inProgress" })).toBeNull();
	});
});
