/**
 * A window in a program of its own, told what to do by lines on its standard input: `submit PROMPT`, `again ID`. Arguments:
 * folder, address of the service, name that its requests bear, how many times faster its time runs. It prints one JSON array
 * a line: `["started"]`, `["submitted", ID]`, `["again", ID]`, and `["job", ID, STATE]` whenever a job changed.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Clock, systemClock } from "../../src/common/async.ts";
import { VideoJobs } from "../../src/video/videoJobs.ts";

const [folder = "", baseUrl = "", name = "", speed = "1"] = process.argv.slice(2);
const times = Number(speed);
const origin = new URL(baseUrl).origin;
const clock: Clock = {
	now: () => systemClock.now(),
	monotonic: () => systemClock.monotonic() * times,
	setTimer: (ms, callback) => systemClock.setTimer(ms / times, callback),
};
const jobs = new VideoJobs({
	recordsFolder: join(folder, "records"),
	clipsFolder: () => join(folder, "clips"),
	endpoint: () => ({ kind: "remote", baseUrl, origin, label: origin }),
	connection: () =>
		Promise.resolve({
			baseUrl,
			apiKey: "k",
			auth: { header: "Authorization", scheme: name },
			files: { path: "/v1/files", field: "file" },
			network: "direct",
		}),
	clock,
});

function tell(...line: readonly string[]): void {
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

jobs.onDidChangeJob(id => tell("job", id, jobs.job(id)?.state.name ?? "gone"));
await jobs.start();
tell("started");
for await (const line of createInterface({ input: process.stdin })) {
	const space = line.indexOf(" ");
	const rest = line.slice(space + 1);
	if (line.startsWith("submit ")) {
		tell("submitted", await jobs.submit({ kind: "text", prompt: rest }));
	} else {
		await jobs.submitAgain(rest);
		tell("again", rest);
	}
}
