import { expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import type { VideoJobView } from "../../../../src/ui/video/views/videoJobView.ts";
import { silentLog } from "../../../../src/common/log.ts";

const showInformationMessage = vi.fn((..._: readonly string[]) => Promise.resolve("Undo"));
vi.mock("vscode", () => ({ window: { showInformationMessage } }));
const { VideoDeletion } = await import("../../../../src/ui/video/videoDeletion.ts");

test("a second Delete while the first is under way changes nothing and offers no second undo", async () => {
	const removed = Promise.withResolvers<void>();
	const jobs = { remove: vi.fn(() => removed.promise), restore: vi.fn(() => Promise.resolve()) };
	const deletion = new VideoDeletion(jobs, systemClock, silentLog);
	const job = { id: "v1", shortTitle: "Boat" } as VideoJobView;
	const first = deletion.delete(job, []);
	await deletion.delete(job, []);
	removed.resolve();
	await first;
	expect(jobs.remove).toHaveBeenCalledOnce();
	expect(showInformationMessage).toHaveBeenCalledOnce();
	expect(jobs.restore).toHaveBeenCalledExactlyOnceWith("v1");

	await deletion.delete(job, []);
	expect(jobs.remove).toHaveBeenCalledTimes(2);
});
