/**
 * A window that follows its video jobs until it is killed. Arguments: folder, address of the service, how many requests to
 * submit. It prints `click` before every request, `kept ID` once its record is on disk.
 */
import { join } from "node:path";
import { systemClock } from "../../src/common/async.ts";
import { VideoJobs } from "../../src/video/videoJobs.ts";

const [folder = "", baseUrl = "", count = "0"] = process.argv.slice(2);
const origin = new URL(baseUrl).origin;
const jobs = new VideoJobs({
	recordsFolder: join(folder, "records"),
	clipsFolder: () => join(folder, "clips"),
	endpoint: () => ({ kind: "remote", baseUrl, origin, label: origin }),
	connection: () =>
		Promise.resolve({
			baseUrl,
			apiKey: "k",
			auth: { header: "Authorization", scheme: "Bearer" },
			files: { path: "/v1/files", field: "file" },
			network: "direct",
		}),
	random: () => 0,
	// Four times as fast, so that little time passes in which nothing happens.
	clock: {
		...systemClock,
		monotonic: () => systemClock.monotonic() * 4,
		setTimer: (ms, callback) => systemClock.setTimer(ms / 4, callback),
	},
});
await jobs.start();
for (let submitted = 0; submitted < Number(count); submitted += 1) {
	process.stdout.write("click\n");
	const id = await jobs.submit({ kind: "text", prompt: `Crash ${process.pid} ${submitted}` });
	process.stdout.write(`kept ${id}\n`);
}
setInterval(() => undefined, 1_000);
