import { expect, test } from "vitest";
import { Emitter } from "../../../../../src/common/disposable.ts";
import { type VideoCardChange, VideoCards } from "../../../../../src/ui/video/views/videoCards.ts";
import { type VideoJobView, videoJobView } from "../../../../../src/ui/video/views/videoJobView.ts";
import type { VideoJob, VideoJobState } from "../../../../../src/video/job/videoJob.ts";

const place = { chatId: "chat", turnId: "turn" };
const ready: VideoJobState = {
	name: "ready",
	file: "/clips/boat.webm",
	size: 1000,
	format: "webm",
	savedAt: 0,
};

function jobView(
	id: string,
	state: VideoJobState,
	chat: VideoJob["chat"] | null = place,
): VideoJobView {
	return videoJobView({
		id,
		request: { kind: "text", prompt: `A boat ${id}` },
		...(chat ? { chat } : {}),
		endpoint: { kind: "local", baseUrl: "", origin: "local", label: "Local service" },
		createdAt: 1_750_000_000_000,
		submissions: 1,
		state,
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
	});
}

/** Jobs that a test changes, newest first, and what the cards say about them. */
function setUp(...initial: readonly VideoJobView[]) {
	const jobs = new Map(initial.map(job => [job.id, job]));
	const changed = new Emitter<string>();
	const cards = new VideoCards();
	const heard: VideoCardChange[] = [];
	cards.onDidChange(change => heard.push(change));
	const source = {
		get all() {
			return [...jobs.values()];
		},
		view: (id: string) => jobs.get(id),
		picture: (id: string) => (id === "pictured" ? "data:image/webp;base64,AAAA" : undefined),
		onDidChange: changed.event,
	};
	return {
		cards,
		heard,
		source,
		set: (job: VideoJobView) => {
			jobs.set(job.id, job);
			changed.fire(job.id);
		},
		remove: (id: string) => {
			jobs.delete(id);
			changed.fire(id);
		},
	};
}

test("a chat has no card before the jobs are read, and hears of each once they are", () => {
	const { cards, heard, source } = setUp(jobView("b", ready), jobView("a", ready));
	expect(cards.of("chat")).toEqual([]);
	cards.follow(source);
	expect(heard.map(({ jobId }) => jobId)).toEqual(["b", "a"]);
	expect(cards.of("chat").map(({ jobId }) => jobId)).toEqual(["a", "b"]);
});

test("a job that belongs to no chat has no card, and one of another chat is not in this one", () => {
	const elsewhere = { chatId: "other", turnId: "turn" };
	const { cards, heard, source } = setUp(jobView("b", ready, elsewhere), jobView("a", ready, null));
	cards.follow(source);
	expect(cards.of("chat")).toEqual([]);
	expect(cards.of("other").map(({ jobId }) => jobId)).toEqual(["b"]);
	expect(heard.map(({ jobId }) => jobId)).toEqual(["b"]);
});

test("a card follows its job, and a job that was deleted takes its card along", () => {
	const { cards, heard, source, set, remove } = setUp();
	cards.follow(source);
	set(jobView("a", { name: "inProgress" }));
	set(jobView("a", ready));
	remove("a");
	remove("a");
	expect(heard.map(({ card }) => card?.label)).toEqual(["Making", "Ready", undefined]);
	expect(heard.at(-1)).toEqual({ place, jobId: "a", card: undefined });
});

test("a card offers what its job offers first, in words, and counts the time only while something happens", () => {
	const { cards, source } = setUp(
		jobView("d", ready),
		jobView("c", { name: "linkExpired", status: 403 }),
		jobView("a", { name: "inProgress" }),
	);
	cards.follow(source);
	expect(
		cards.of("chat").map(card => [card.isUnfinished, card.actions.map(({ label }) => label)]),
	).toEqual([
		[true, ["Stop Tracking"]],
		[false, ["Check Again"]],
		[false, ["Insert into README…", "Copy GIF"]],
	]);
});

test("a clip that has a picture shows it", () => {
	const { cards, source } = setUp(jobView("pictured", ready), jobView("plain", ready));
	cards.follow(source);
	expect(cards.of("chat").map(({ picture }) => picture)).toEqual([
		null,
		"data:image/webp;base64,AAAA",
	]);
});
