import { expect, test } from "vitest";
import type { VideoJob } from "../../../../src/video/job/videoJob.ts";
import { decodeRecord, encodeRecord } from "../../../../src/video/store/videoJobStore.ts";

const plain: VideoJob = {
	id: "job-1",
	request: { kind: "text", prompt: "A paper boat" },
	endpoint: { kind: "local", baseUrl: "", origin: "local", label: "Local service" },
	createdAt: 1_750_000_000_000,
	submissions: 1,
	state: { name: "inProgress" },
	watch: { watchedMs: 0, round: 0 },
	ignoresSizeLimit: false,
};

const job: VideoJob = { ...plain, chat: { chatId: "chat-1", turnId: "turn-1" } };

test("a record keeps the question of the chat that its video belongs to", () => {
	expect(decodeRecord(encodeRecord(job), job.id)).toEqual({ kind: "job", job, isNewer: false });
});

test("a video that belongs to no question is read as one", () => {
	expect(decodeRecord(encodeRecord(plain), plain.id)).toEqual({
		kind: "job",
		job: plain,
		isNewer: false,
	});
});

test("a record that says a person stopped the watching means the user", () => {
	const stopped: VideoJob = { ...plain, state: { name: "watchingStopped", by: "user" } };
	const record = encodeRecord(stopped).replace('"user"', '"person"');
	expect(record).toContain('"person"');
	expect(decodeRecord(record, plain.id)).toEqual({ kind: "job", job: stopped, isNewer: false });
});

test("a storyboard of a record that names a duration and fields of its own is no damaged one", () => {
	const scenes = [{ prompt: "A paper boat", duration: 2, motionStrength: 3 }];
	const storyboard: VideoJob = { ...plain, request: { kind: "storyboard", scenes } };
	const record = encodeRecord(storyboard).replace(
		'"kind":"storyboard"',
		'"kind":"storyboard","duration":2,"motionStrength":3,"style":"old"',
	);
	expect(record).toContain('"style"');
	expect(decodeRecord(record, plain.id)).toEqual({ kind: "job", job: storyboard, isNewer: false });
});
