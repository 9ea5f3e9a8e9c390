import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { extensionHostsOf } from "../helpers/extensionHosts.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { type ClipPhase, type ClipService, startClipService } from "./clipService.ts";
import { expect, test as base } from "./fixtures.ts";
import { generateFromPrompt, videosFolder } from "./videoSteps.ts";

/** How often the extension host is killed; `npm run test:long` asks for more than the few of an ordinary run through `CUTAWAY_KILLS`. */
const kills = Number(process.env["CUTAWAY_KILLS"] ?? 2);

/** The kills begin elsewhere with another seed. */
const seed = Number(process.env["CUTAWAY_SEED"] ?? 1);

/** How long after a request of each phase the kill comes at the latest, in milliseconds; its answer takes about as long. */
const spans: Readonly<Record<ClipPhase, number>> = { submit: 220, poll: 60, download: 260 };

const test = base.extend<{ service: ClipService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	service: async ({}, use) => {
		const service = await startClipService({ submit: 60, download: 240, lookupsInProgress: 0 });
		await use(service);
		await service.stop();
	},
	settings: async ({ service }, use) => {
		await use({ "cutaway.endpoint": service.url });
	},
});

const recordSchema = z.object({
	job: z.object({
		request: z.object({ prompt: z.string() }),
		generationId: z.optional(z.string()),
		state: z.object({ name: z.string(), file: z.optional(z.string()) }),
	}),
});
type StoredJob = z.infer<typeof recordSchema>["job"];

// All files of videos are counted.
test.use({ isAlone: true });

test("G7, J4, J19: the extension host killed while it submits, polls and downloads loses no video and sends none twice", async ({
	workbench,
	editorServer,
	testFolder,
	service,
}) => {
	test.setTimeout(300_000 + kills * 20_000);
	const random = createRandom(seed);
	const videos = videosFolder(testFolder);
	const met: Record<ClipPhase, number> = { submit: 0, poll: 0, download: 0 };
	for (let kill = 0; kill < kills; kill += 1) {
		const phase = random.pick(["submit", "submit", "poll", "download"] as const);
		// The request may come before Enter has been let go again.
		const requested = phase === "submit" ? undefined : requestOf(phase, service);
		await generateFromPrompt(workbench, `Killed ${kill}`);
		await requested;
		await pauseIn(phase, random);
		const hosts = extensionHostsOf(editorServer.pid);
		hosts.forEach(host => process.kill(host, "SIGKILL"));
		met[phase] += 1;
		// Every other time VS Code starts a host by itself; it gives up when that happens too often in one window.
		if (kill % 2 === 1) {
			await workbench.reload();
		}
		await expect
			.poll(() => extensionHostsOf(editorServer.pid).some(host => !hosts.includes(host)))
			.toBe(true);
	}
	const posts = service.prompts.length;
	await workbench.reload();
	await expect
		.poll(async () => (await storedJobs(videos)).filter(job => !isSettled(job)))
		.toEqual([]);
	const jobs = await storedJobs(videos);
	const ready = jobs.filter(({ state }) => state.name === "ready");
	tell({
		kills,
		...met,
		posts,
		records: jobs.length,
		ready: ready.length,
		resumed: service.resumed,
	});

	expect(service.prompts, "prompts sent, each once").toEqual([...new Set(service.prompts)]);
	expect(service.prompts.length, "nothing is sent without a click").toBe(posts);
	const recorded = jobs.map(({ request }) => request.prompt);
	expect(recorded.toSorted(), "records, one for each click").toEqual(
		[...new Set(recorded)].toSorted(),
	);
	expect(
		service.prompts.filter(prompt => !recorded.includes(prompt)),
		"sent and lost",
	).toEqual([]);
	for (const { state } of ready) {
		expect((await readFile(state.file ?? "")).equals(service.clip), "the clip is whole").toBe(true);
	}
	const unknown = jobs.filter(({ state }) => state.name !== "ready");
	expect(unknown.filter(({ generationId }) => generationId !== undefined)).toEqual([]);
	const saved = ready.map(({ state }) => basename(state.file ?? "")).toSorted();
	await expect
		.poll(() => namesIn(join(videos, "clips")), {
			message: "one file for each video, and nothing else",
		})
		.toEqual(saved);
	expect(service.lookups.length).toBeGreaterThanOrEqual(ready.length);
});

/** Resolves at a request of a phase for the job that is submitted next, or then for one that was unfinished before. */
function requestOf(phase: ClipPhase, service: ClipService): Promise<void> {
	let isSubmitted = false;
	return new Promise<void>(resolve => {
		service.onRequest = heard => {
			isSubmitted ||= heard === "submit";
			if (isSubmitted && heard === phase) {
				service.onRequest = () => undefined;
				resolve();
			}
		};
	});
}

/** Waits until a random moment of a phase that has begun. */
async function pauseIn(phase: ClipPhase, random: Random): Promise<void> {
	const wait = random.below(spans[phase]);
	await new Promise(resolve => setTimeout(resolve, wait));
}

async function namesIn(folder: string): Promise<readonly string[]> {
	const names: string[] = await readdir(folder).catch(() => []);
	return names.toSorted();
}

function isSettled({ state }: StoredJob): boolean {
	return state.name === "ready" || state.name === "submissionUnknown";
}

/** Records as they are on the disk; one that is damaged fails the test. */
async function storedJobs(videos: string): Promise<readonly StoredJob[]> {
	const folder = join(videos, "records");
	const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith(".json"));
	const texts = await Promise.all(names.map(name => readFile(join(folder, name), "utf8")));
	return texts.map(text => z.parse(recordSchema, JSON.parse(text)).job);
}

/** Shows the figures of a run that was asked for by a switch. */
function tell(figures: Readonly<Record<string, number>>): void {
	if (process.env["CUTAWAY_KILLS"] !== undefined) {
		process.stdout.write(`${JSON.stringify(figures)}\n`);
	}
}
