import { expect, test } from "vitest";
import { VideoSeen } from "../../../../src/ui/video/videoNotices.ts";

function memory(kept?: unknown) {
	const entries = { kept };
	return {
		entries,
		get: () => entries.kept,
		set: (ids: readonly string[]) => {
			entries.kept = ids;
		},
	};
}

const running = { id: "a", isUnfinished: true };
const settled = { id: "a", isUnfinished: false };

test("a job that settles waits to be seen, and no longer once it was", () => {
	const seen = new VideoSeen(memory());
	seen.note("a", running);
	expect([...seen.unseen]).toEqual([]);
	seen.note("a", settled);
	expect([...seen.unseen]).toEqual(["a"]);
	seen.markSeen("a");
	expect([...seen.unseen]).toEqual([]);
});

test("looking at a job while it runs does not count as having seen its end", () => {
	const seen = new VideoSeen(memory());
	seen.note("a", running);
	seen.markSeen("a");
	seen.note("a", settled);
	expect([...seen.unseen]).toEqual(["a"]);
});

test("J19: a job that ran before a reload and has settled since waits to be seen", () => {
	const kept = memory();
	new VideoSeen(kept).note("a", running);
	const seen = new VideoSeen(memory(kept.entries.kept));
	seen.note("a", settled);
	expect([...seen.unseen]).toEqual(["a"]);
});

test("old jobs that were settled all along do not wait", () => {
	const seen = new VideoSeen(memory());
	seen.note("a", settled);
	expect([...seen.unseen]).toEqual([]);
});

test("a removed job is forgotten, and what was kept is not believed blindly", () => {
	const kept = memory({ not: "a list" });
	const seen = new VideoSeen(kept);
	seen.note("a", running);
	seen.note("a", settled);
	seen.note("a", undefined);
	expect([...seen.unseen]).toEqual([]);
	expect(kept.entries.kept).toEqual([]);
});
