// @module-tag thorough
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readScene } from "../../../../src/clip/clipLength.ts";
import type { JoinClips } from "../../../../src/video/join/joinThread.ts";
import { byScene, sceneJobs } from "../../../../src/video/storyboard/storyboards.ts";
import type { VideoJobs } from "../../../../src/video/videoJobs.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import {
	breakOff,
	endpointOf,
	json,
	makeVideoBench,
	type VideoBench,
} from "../../../helpers/videoService.ts";

/** Stands for a join: the contents of the files, one behind the other. */
const pasted: JoinClips = async ({ files, target }) => {
	const bytes = Buffer.concat(await Promise.all(files.map(file => readFile(file))));
	await writeFile(target, bytes);
	return { type: "joined", format: "mp4", size: bytes.length };
};

const scenes = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		prompt: `Scene ${index}`,
		duration: 1 + (index % 4),
		motionStrength: 3,
	}));

const begin = (jobs: VideoJobs, count: number): Promise<string> =>
	jobs.submit({ kind: "storyboard", scenes: scenes(count) });

/** States of the scenes, in their order. */
function states({ jobs }: Pick<VideoBench, "jobs">, id: string): (string | undefined)[] {
	const storyboard = jobs.job(id);
	return storyboard ? sceneJobs(storyboard, jobs.jobs).map(job => job?.state.name) : [];
}

test("one click records every scene, sends each once and in order, and joins the clips into one file", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const { service, jobs, folder } = bench;
	const id = await begin(jobs, 5);
	expect(states(bench, id)).toHaveLength(5);
	expect(await readdir(bench.records)).toHaveLength(6);
	const ready = await bench.reach(id, "ready");
	expect(service.posts).toBe(5);
	expect(states(bench, id)).toEqual(Array(5).fill("ready"));
	const members = jobs.jobs.filter(({ scene }) => scene?.storyboard === id);
	const clips = await Promise.all(
		sceneJobs(jobs.job(id) ?? never(), members).map(job =>
			readFile(job?.state.name === "ready" ? job.state.file : ""),
		),
	);
	const file = ready.name === "ready" ? ready.file : "";
	expect((await readFile(file)).equals(Buffer.concat(clips))).toBe(true);
	expect(file.startsWith(join(folder, "clips", "storyboard-scene-0."))).toBe(true);
	expect(await readdir(join(folder, "clips"))).toHaveLength(6);
	expect(members.map(({ submissions }) => submissions)).toEqual(Array(5).fill(1));
});

test("this machine's renderer is told which scenes follow another; what the user sees is the scene alone", async () => {
	for (const kind of ["local", "remote"] as const) {
		const bench = await makeVideoBench();
		const endpoint = { ...endpointOf(bench.service.url), kind };
		const jobs = await bench.open({ joinClips: pasted, endpoint: () => endpoint });
		await bench.reach(await begin(jobs, 2), "ready", { jobs });
		const prompts = bench.service.log
			.filter(({ line }) => line.startsWith("POST"))
			.map(({ body }) => readScene((JSON.parse(body) as { prompt: string }).prompt));
		const follows = kind === "local" && { isLater: true };
		expect(prompts).toEqual([{ prompt: "Scene 0" }, { prompt: "Scene 1", ...follows }]);
		const kept = jobs.jobs.filter(({ scene }) => scene).map(({ request }) => request);
		expect(kept).toHaveLength(2);
		expect(kept).toEqual(
			expect.arrayContaining(scenes(2).map(scene => ({ kind: "text", ...scene }))),
		);
	}
});

test("a long scene that is drawn here is sent in parts that follow one another, and belong to one scene", async () => {
	const bench = await makeVideoBench();
	const endpoint = { ...endpointOf(bench.service.url), kind: "local" as const };
	const jobs = await bench.open({ joinClips: pasted, endpoint: () => endpoint });
	const longest = "Two".padEnd(4000, ".");
	const long = ["One", longest].map(prompt => ({ prompt, duration: 10, motionStrength: 3 }));
	const id = await jobs.submit({ kind: "storyboard", scenes: long });
	await bench.reach(id, "ready", { jobs });
	const sent = bench.service.log
		.filter(({ line }) => line.startsWith("POST"))
		.map(({ body }) => JSON.parse(body) as { prompt: string; duration: number });
	expect(sent.map(({ duration }) => duration)).toEqual([4, 4, 2, 4, 4, 2]);
	const parts = [0, 4, 8].map(from => ({ part: { from, of: 10 } }));
	expect(sent.map(({ prompt }) => readScene(prompt))).toEqual([
		...parts.map(part => ({ prompt: "One", ...part })),
		...parts.map(part => ({ prompt: longest, ...part, isLater: true })),
	]);
	const storyboard = jobs.job(id) ?? never();
	const made = byScene(storyboard, sceneJobs(storyboard, jobs.jobs));
	expect(made.map(videos => videos.map(job => job?.scene?.index))).toEqual([
		[0, 1, 2],
		[3, 4, 5],
	]);
	expect(storyboard.request).toMatchObject({ scenes: long });
});

test("when a scene is not accepted for a reason that holds for all, the others wait; a click sends them, none twice", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const { service, jobs } = bench;
	const good = service.onCreate;
	service.onCreate = (request, response) =>
		service.posts === 3 ? json({ message: "No" }, 401)(request, response) : good(request, response);
	const id = await begin(jobs, 5);
	await bench.pass(60_000);
	expect(states(bench, id)).toEqual(["ready", "ready", "notSubmitted", "waiting", "waiting"]);
	expect(service.posts).toBe(3);
	expect(jobs.job(id)?.state.name).toBe("gathering");
	await jobs.submitScenes(id);
	await bench.reach(id, "ready");
	expect(service.posts).toBe(6);
});

test("a scene whose words alone are refused does not keep the others, and is repeated alone", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const { service, jobs } = bench;
	const good = service.onCreate;
	service.onCreate = (request, response) =>
		service.posts === 2
			? json({ message: "Forbidden words" }, 400)(request, response)
			: good(request, response);
	const id = await begin(jobs, 4);
	await bench.pass(60_000);
	expect(states(bench, id)).toEqual(["ready", "notSubmitted", "ready", "ready"]);
	const failed = sceneJobs(jobs.job(id) ?? never(), jobs.jobs)[1];
	await jobs.submitAgain(failed?.id ?? "");
	await bench.reach(id, "ready");
	expect(service.posts).toBe(5);
});

test("a scene whose answer was lost is not sent again by the storyboard's click, which sends the rest", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const { service, jobs } = bench;
	const good = service.onCreate;
	service.onCreate = (request, response) =>
		service.posts === 2 ? breakOff(request, response) : good(request, response);
	const id = await begin(jobs, 3);
	await bench.pass(60_000);
	expect(states(bench, id)).toEqual(["ready", "submissionUnknown", "waiting"]);
	await jobs.submitScenes(id);
	await bench.pass(60_000);
	expect(states(bench, id)).toEqual(["ready", "submissionUnknown", "ready"]);
	expect(service.posts).toBe(3);
	expect(jobs.job(id)?.state.name).toBe("gathering");
});

test("a scene made once more takes the place of the old one, and the clip is joined afresh", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const { jobs } = bench;
	const id = await begin(jobs, 2);
	const before = await bench.reach(id, "ready");
	const [first] = sceneJobs(jobs.job(id) ?? never(), jobs.jobs);
	await bench.pass(1_000);
	const again = await jobs.submit(
		{ kind: "text", prompt: "Better" },
		{ scene: { storyboard: id, index: 0 } },
	);
	await bench.reach(again, "ready");
	await bench.pass(1_000);
	const after = await bench.reach(id, "ready");
	expect(sceneJobs(jobs.job(id) ?? never(), jobs.jobs).map(job => job?.id)).toEqual([
		again,
		`${id}-1`,
	]);
	expect(first?.id).toBe(`${id}-0`);
	expect(after.name === "ready" && before.name === "ready" && after.file !== before.file).toBe(
		true,
	);
});

test("clips that cannot be joined are kept, the reason is recorded once, and a click tries again", async () => {
	let tries = 0;
	const bench = await makeVideoBench({
		joinClips: job => {
			tries += 1;
			return tries === 1
				? Promise.resolve({ type: "refused", reason: "differ", detail: "vp8 | vp9" })
				: pasted(job, new AbortController().signal);
		},
	});
	const id = await begin(bench.jobs, 2);
	expect(await bench.reach(id, "notJoined")).toEqual({
		name: "notJoined",
		reason: "differ",
		detail: "vp8 | vp9",
	});
	await bench.pass(120_000);
	expect(tries).toBe(1);
	expect(states(bench, id)).toEqual(["ready", "ready"]);
	await bench.jobs.joinAgain(id);
	await bench.reach(id, "ready");
	expect(tries).toBe(2);
});

test("two windows show one storyboard: its clips are joined by one of them", async () => {
	let tries = 0;
	const counted: JoinClips = (job, signal) => {
		tries += 1;
		return pasted(job, signal);
	};
	const bench = await makeVideoBench({ joinClips: counted });
	const other = await bench.open();
	const id = await begin(bench.jobs, 3);
	await bench.reach(id, "ready");
	await bench.reach(id, "ready", { jobs: other });
	await bench.pass(60_000);
	expect(tries).toBe(1);
	expect(bench.service.posts).toBe(3);
});

test("a window that ended between the record of the storyboard and those of its scenes: the next one makes them, and sends nothing", async () => {
	let writes = 0;
	const bench = await makeVideoBench({ joinClips: pasted });
	const dying = await bench.open({
		writeRecord: async (path, text) => {
			writes += 1;
			if (writes > 3) {
				throw Object.assign(new Error("No space"), { code: "ENOSPC" });
			}
			await writeFile(path, text);
		},
	});
	await expect(begin(dying, 4)).rejects.toMatchObject({ kind: "full" });
	dying.dispose();
	const next = await bench.open();
	const storyboard = next.jobs.find(({ request }) => request.kind === "storyboard");
	const id = storyboard?.id ?? "";
	expect(states({ jobs: next }, id)).toEqual(Array(4).fill("waiting"));
	await bench.pass(60_000);
	expect(bench.service.posts).toBe(0);
	await next.submitScenes(id);
	await bench.reach(id, "ready", { jobs: next });
	expect(bench.service.posts).toBe(4);
});

test("scenes that are left are not sent to an engine that was chosen later", async () => {
	const local = { kind: "local", baseUrl: "", origin: "local", label: "Local service" } as const;
	let engine: { readonly engine?: string } = {};
	const bench: VideoBench = await makeVideoBench({
		joinClips: pasted,
		endpoint: () => ({ ...local, ...engine }),
		connection: () => Promise.resolve(connectionTo(bench.service.url)),
	});
	const { service, jobs } = bench;
	const good = service.onCreate;
	service.onCreate = (request, response) =>
		service.posts === 2 ? json({ message: "No" }, 401)(request, response) : good(request, response);
	const id = await begin(jobs, 3);
	await bench.pass(60_000);
	expect(states(bench, id)).toEqual(["ready", "notSubmitted", "waiting"]);
	engine = { engine: "OpenRouter" };
	await jobs.submitScenes(id);
	await bench.pass(60_000);
	expect(service.posts).toBe(2);
	engine = {};
	await jobs.submitScenes(id);
	await bench.reach(id, "ready");
	expect(service.posts).toBe(4);
});

test("a storyboard leaves the list with its scenes, and comes back with them", async () => {
	const bench = await makeVideoBench({ joinClips: pasted });
	const id = await begin(bench.jobs, 2);
	await bench.reach(id, "ready");
	await bench.jobs.remove(id);
	expect(bench.jobs.jobs).toEqual([]);
	await bench.jobs.restore(id);
	expect(bench.jobs.jobs).toHaveLength(3);
	expect(bench.service.posts).toBe(2);
});

function never(): never {
	throw new Error("There is no storyboard");
}
