/**
 * A window that makes one storyboard and follows everything until it is killed. Arguments: folder, address of the service, a name
 * that its prompts bear. It prints `click` before, and `kept ID` once everything is on disk.
 */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { delay, systemClock } from "../../src/common/async.ts";
import { VideoJobs } from "../../src/video/videoJobs.ts";
import { connectionTo } from "./clientHarness.ts";

const [folder = "", baseUrl = "", name = ""] = process.argv.slice(2);
const origin = new URL(baseUrl).origin;
const jobs = new VideoJobs({
	recordsFolder: join(folder, "records"),
	clipsFolder: () => join(folder, "clips"),
	endpoint: () => ({ kind: "remote", baseUrl, origin, label: origin }),
	connection: () => Promise.resolve({ ...connectionTo(baseUrl), apiKey: "k" }),
	// Pauses between the clips, so that a kill meets a join under way.
	joinClips: async ({ files, target }) => {
		let size = 0;
		for (const file of files) {
			const bytes = await readFile(file);
			await appendFile(target, bytes);
			size += bytes.length;
			await delay(15);
		}
		return { type: "joined", format: "mp4", size };
	},
	random: () => 0,
	// Eight times as fast, so that little time passes in which nothing happens.
	clock: {
		...systemClock,
		monotonic: () => systemClock.monotonic() * 8,
		setTimer: (ms, callback) => systemClock.setTimer(ms / 8, callback),
	},
});
await jobs.start();
process.stdout.write("click\n");
const scenes = [0, 1, 2].map(index => ({
	prompt: `${name} scene ${index}`,
	duration: 1,
	motionStrength: 3,
}));
const id = await jobs.submit({ kind: "storyboard", scenes });
process.stdout.write(`kept ${id}\n`);
setInterval(() => undefined, 1_000);
