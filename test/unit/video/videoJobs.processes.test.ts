// @module-tag thorough
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../../helpers/bundledProgram.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import {
	type Answer,
	generation,
	json,
	startVideoService,
	type VideoService,
} from "../../helpers/videoService.ts";

/** How many times faster time runs in the windows. */
const speed = 10;

let program: string;
beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	program = await bundleProgram("videoWindowProcess", folder);
	return () => rm(folder, { recursive: true });
});

interface Window {
	readonly name: string;
	readonly child: ChildProcess;
	/** Everything it reported, each line as words. */
	readonly reports: readonly (readonly string[])[];
	tell(line: string): void;
}

async function openWindow(folder: string, service: VideoService, name: string): Promise<Window> {
	const child = spawn(process.execPath, [program, folder, service.url, name, String(speed)], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const reports: string[][] = [];
	let rest = "";
	child.stdout?.on("data", (data: Buffer) => {
		const lines = `${rest}${data.toString("utf8")}`.split("\n");
		rest = lines.pop() ?? "";
		reports.push(...lines.map((line): string[] => JSON.parse(line)));
	});
	const window = { name, child, reports, tell: (line: string) => child.stdin?.write(`${line}\n`) };
	await until(() => heard(window, "started") > 0);
	return window;
}

const heard = ({ reports }: Window, ...words: string[]): number =>
	reports.filter(line => words.every((word, index) => line[index] === word)).length;

const lastState = ({ reports }: Window, id: string): string | undefined =>
	reports.findLast(line => line[0] === "job" && line[1] === id)?.[2];

/** The windows that asked about jobs, by the name that their requests bear. */
const pollers = ({ log }: VideoService, from = 0): string[] => [
	...new Set(
		log
			.slice(from)
			.filter(({ line }) => line.startsWith("GET /v1/generations/"))
			.map(({ headers }) => headers.authorization?.split(" ")[0] ?? ""),
	),
];

async function until(isTrue: () => boolean, limitMs = 20_000): Promise<number> {
	const startedAt = performance.now();
	while (!isTrue()) {
		if (performance.now() - startedAt > limitMs) {
			throw new Error("It never became true");
		}
		await new Promise(resolve => setTimeout(resolve, 5));
	}
	return performance.now() - startedAt;
}

test("J20, T10: two programs on one folder send one request, one of them asks, both show it, and when it is killed the other goes on", async () => {
	const folder = await makeTempFolder();
	const service = await startVideoService();
	onTestFinished(() => service.close());
	service.onPoll = generation("in_progress");
	const windows = await Promise.all(
		["First", "Second"].map(name => openWindow(folder, service, name)),
	);
	windows[0]?.tell("submit A red fox");
	const id = (): string => windows[0]?.reports.find(line => line[0] === "submitted")?.[1] ?? "";
	await until(
		() => id() !== "" && windows.every(window => lastState(window, id()) === "inProgress"),
	);
	await until(() => service.polls >= 4);
	const [poller, ...others] = pollers(service);
	expect(others).toEqual([]);
	const from = service.log.length;
	windows.find(({ name }) => name === poller)?.child.kill("SIGKILL");
	const survivor = windows.find(({ name }) => name !== poller);
	// Long before 90 seconds without a sign of life: the dead are known by their number.
	const took = await until(() => pollers(service, from).some(name => name === survivor?.name));
	expect(took * speed).toBeLessThan(80_000);
	service.onPoll = generation("complete", `${service.url}/clip.mp4`);
	await until(() => survivor !== undefined && lastState(survivor, id()) === "ready");
	const third = await openWindow(folder, service, "Third");
	await until(() => lastState(third, id()) === "ready");
	expect(service.posts).toBe(1);
	expect(service.log.filter(({ line }) => line.includes("/clip")).length).toBe(1);
	expect(await readdir(join(folder, "clips"))).toHaveLength(1);
}, 60_000);

test("T10: of clicks in two programs on «submit again» at one moment one is sent, every time", async () => {
	const folder = await makeTempFolder();
	const service = await startVideoService();
	onTestFinished(() => service.close());
	const refuse = json({}, 500);
	service.onCreate = refuse;
	const windows = await Promise.all(
		["First", "Second"].map(name => openWindow(folder, service, name)),
	);
	windows[0]?.tell("submit A red fox");
	const id = (): string => windows[0]?.reports.find(line => line[0] === "submitted")?.[1] ?? "";
	const isUnknown = (): boolean =>
		windows.every(window => lastState(window, id()) === "submissionUnknown");
	await until(() => id() !== "" && isUnknown());
	for (let round = 1; round <= 25; round += 1) {
		const held: Parameters<Answer>[] = [];
		service.onCreate = (...exchange) => held.push(exchange);
		windows.forEach(window => window.tell(`again ${id()}`));
		await until(() => windows.every(window => heard(window, "again") === round) && held.length > 0);
		expect({ round, posts: service.posts }).toEqual({ round, posts: round + 1 });
		held.forEach(exchange => refuse(...exchange));
		await until(isUnknown);
	}
	expect(service.posts).toBe(26);
}, 60_000);
