import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Clock } from "../../../../src/common/async.ts";
import { plainLooks } from "../../../../src/common/clipLooks.ts";
import { AbortError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { ClipJob, RenderResult } from "../../../../src/localService/video/assets.ts";
import {
	Generations,
	type GenerationsDependencies,
} from "../../../../src/localService/video/generations.ts";
import { PublicFetchError } from "../../../../src/localService/base/publicFetch.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { makeTestFolder } from "../testService.ts";

/** A renderer whose jobs end when a test says so. */
function createFakeRenderer() {
	const jobs: { readonly job: ClipJob; finish(result: RenderResult | Error): void }[] = [];
	return {
		jobs,
		render: (job: ClipJob, signal: AbortSignal): Promise<RenderResult> =>
			new Promise((resolve, reject) => {
				signal.addEventListener("abort", () => reject(new AbortError()));
				jobs.push({
					job,
					finish: result => (result instanceof Error ? reject(result) : resolve(result)),
				});
			}),
	};
}

const clip: RenderResult = { type: "clip", bytes: new Uint8Array([1, 2, 3]) };
const cat = { type: "text-to-video", params: { prompt: "A cat" } } as const;

interface Bench {
	readonly generations: Generations;
	readonly jobs: ReturnType<typeof createFakeRenderer>["jobs"];
	readonly folder: string;
}

async function open(options: Partial<GenerationsDependencies> = {}): Promise<Bench> {
	const folder = options.folder ?? (await makeTestFolder());
	const { jobs, render } = createFakeRenderer();
	const generations = new Generations({
		folder,
		render,
		fetchImage: async () => new Uint8Array([9]),
		looks: async () => plainLooks,
		clock: createFakeClock(),
		log: silentLog,
		concurrency: 1,
		maxWaiting: 2,
		...options,
	});
	onTestFinished(() => generations.stop());
	return { generations, jobs, folder };
}

const statusOf = async (generations: Generations, id: string): Promise<string> =>
	(await generations.find(id))?.outcome?.status ?? "in_progress";

test("a generation is on disk before its id is known, and complete once its clip is", async () => {
	const { generations, jobs, folder } = await open();
	const id = await generations.create(cat);
	expect(id).toMatch(/^gen-[A-Za-z0-9_-]{22}$/);
	expect(JSON.parse(await readFile(join(folder, `${id}.json`), "utf8"))).toMatchObject(cat);
	expect(await statusOf(generations, id)).toBe("in_progress");
	await vi.waitFor(() => expect(jobs).toHaveLength(1));
	expect(jobs[0]?.job).toEqual({
		type: "text",
		prompt: "A cat",
		duration: 2,
		motionStrength: 3,
		looks: plainLooks,
	});
	jobs[0]?.finish(clip);
	await vi.waitFor(async () => expect(await statusOf(generations, id)).toBe("complete"));
	expect(await readFile(generations.clipPath(id))).toEqual(Buffer.from([1, 2, 3]));
	expect((await generations.find(id))?.outcome).toMatchObject({ size: 3 });
	expect((await readdir(folder)).filter(name => /\.(?:part|tmp)$/.test(name))).toEqual([]);
});

test("duration, motion and the image's address reach the renderer", async () => {
	const { generations, jobs } = await open();
	const params = { image_url: "https://a.example/b.png", duration: 4, motion_strength: 5 };
	await generations.create({ type: "image-to-video", params });
	await vi.waitFor(() => expect(jobs).toHaveLength(1));
	expect(jobs[0]?.job).toEqual({
		type: "image",
		source: params.image_url,
		looks: plainLooks,
		bytes: new Uint8Array([9]),
		duration: 4,
		motionStrength: 5,
	});
});

describe("the queue", () => {
	test("renders one at a time, in the order asked", async () => {
		const { generations, jobs } = await open({ maxWaiting: 8 });
		for (const prompt of ["one", "two", "three"]) {
			await generations.create({ type: "text-to-video", params: { prompt } });
		}
		for (const count of [1, 2, 3]) {
			await vi.waitFor(() => expect(jobs).toHaveLength(count));
			jobs[count - 1]?.finish(clip);
		}
		expect(jobs.map(({ job }) => job.type === "text" && job.prompt)).toEqual([
			"one",
			"two",
			"three",
		]);
	});

	test("is bounded: one runs, two wait, of ten at once", async () => {
		const { generations } = await open();
		const asked = await Promise.allSettled(
			Array.from({ length: 10 }, () => generations.create(cat)),
		);
		const refused = asked.filter(({ status }) => status === "rejected");
		expect(refused.length).toBeGreaterThanOrEqual(7);
		expect(refused[0]).toMatchObject({
			reason: { status: 429, code: "too_many_videos", headers: { "Retry-After": "10" } },
		});
	});
});

test("a clip looks as it was asked for, whatever the looks are when another service takes it over", async () => {
	const tall = { shape: "9:16", tabSize: 2 } as const;
	const { generations, folder } = await open({ looks: async () => tall });
	const id = await generations.create(cat);
	await generations.stop();
	const { generations: other, jobs } = await open({ folder });
	await other.find(id);
	await vi.waitFor(() => expect(jobs).toHaveLength(1));
	expect(jobs[0]?.job.looks).toEqual(tall);
});

describe("a rendering that fails", () => {
	test("for a reason that a user can use says it", async () => {
		const { generations, jobs } = await open();
		const id = await generations.create(cat);
		await vi.waitFor(() => expect(jobs).toHaveLength(1));
		jobs[0]?.finish({ type: "refused", message: "The image is damaged." });
		await vi.waitFor(async () =>
			expect((await generations.find(id))?.outcome).toEqual({
				status: "failed",
				message: "The image is damaged.",
			}),
		);
	});

	test("by a bug fails the generation, not the service, and the next goes on", async () => {
		const { generations, jobs } = await open();
		const id = await generations.create(cat);
		const next = await generations.create(cat);
		await vi.waitFor(() => expect(jobs).toHaveLength(1));
		jobs[0]?.finish(new Error("secret detail"));
		await vi.waitFor(async () => expect(await statusOf(generations, id)).toBe("failed"));
		expect(JSON.stringify(await generations.find(id))).not.toContain("secret detail");
		await vi.waitFor(() => expect(jobs).toHaveLength(2));
		jobs[1]?.finish(clip);
		await vi.waitFor(async () => expect(await statusOf(generations, next)).toBe("complete"));
	});

	test("because the image could not be loaded says why", async () => {
		const fetchImage = () => Promise.reject(new PublicFetchError("The server answered 404."));
		const { generations } = await open({ fetchImage });
		const params = { image_url: "https://a.example/b.png" };
		const id = await generations.create({ type: "image-to-video", params });
		await vi.waitFor(async () =>
			expect((await generations.find(id))?.outcome).toMatchObject({
				message: "The server answered 404.",
			}),
		);
	});
});

test("L6, L7: without a place on disk nothing is promised", async () => {
	const folder = join(await makeTestFolder(), "file");
	await writeFile(folder, "in the way");
	const { generations, jobs } = await open({ folder });
	await expect(generations.create(cat)).rejects.toMatchObject({ status: 507 });
	expect(jobs).toEqual([]);
});

describe("J19: after a restart", () => {
	test("a complete generation is there with its clip", async () => {
		const first = await open();
		const id = await first.generations.create(cat);
		await vi.waitFor(() => expect(first.jobs).toHaveLength(1));
		first.jobs[0]?.finish(clip);
		await vi.waitFor(async () => expect(await statusOf(first.generations, id)).toBe("complete"));
		await first.generations.stop();
		const second = await open({ folder: first.folder });
		expect(await statusOf(second.generations, id)).toBe("complete");
		expect(second.jobs).toEqual([]);
	});

	test("an unfinished one is rendered as soon as somebody asks for it, and once", async () => {
		const first = await open();
		const id = await first.generations.create(cat);
		await first.generations.stop();
		const second = await open({ folder: first.folder });
		expect(second.jobs).toEqual([]);
		await Promise.all(Array.from({ length: 5 }, () => second.generations.find(id)));
		await vi.waitFor(() => expect(second.jobs).toHaveLength(1));
		second.jobs[0]?.finish(clip);
		await vi.waitFor(async () => expect(await statusOf(second.generations, id)).toBe("complete"));
		expect(second.jobs).toHaveLength(1);
	});
});

describe("J20: another window's generation", () => {
	/** Pretends that a process made the record. */
	async function withOwner(pid: number): Promise<Bench & { readonly id: string; clock: Clock }> {
		const clock = createFakeClock();
		const bench = await open({ clock });
		const id = await bench.generations.create(cat);
		await vi.waitFor(() => expect(bench.jobs).toHaveLength(1));
		await bench.generations.stop();
		const file = join(bench.folder, `${id}.json`);
		const record = JSON.parse(await readFile(file, "utf8"));
		await writeFile(file, JSON.stringify({ ...record, owner: { ...record.owner, pid, run: "x" } }));
		return { ...(await open({ folder: bench.folder, clock })), id, clock };
	}

	test("is left alone while that window lives", async () => {
		const { generations, jobs, id } = await withOwner(process.ppid);
		expect(await statusOf(generations, id)).toBe("in_progress");
		expect(jobs).toEqual([]);
	});

	test("is taken over once that process is gone", async () => {
		const gone = spawnSync(process.execPath, ["-e", ""]).pid;
		const { generations, jobs, id } = await withOwner(gone);
		await generations.find(id);
		await vi.waitFor(() => expect(jobs).toHaveLength(1));
	});

	test("is taken over after ten minutes even if some process has that number", async () => {
		const { generations, jobs, id, clock } = await withOwner(process.ppid);
		await (clock as ReturnType<typeof createFakeClock>).advance(10 * 60_000 + 1);
		await generations.find(id);
		await vi.waitFor(() => expect(jobs).toHaveLength(1));
	});

	test("the owner is named by machine, so that a shared disk is no trap", async () => {
		const { generations, id } = await withOwner(1);
		const machine = (await generations.find(id))?.owner.machine;
		expect(machine).toBe(
			hostname()
				.replaceAll(/[^A-Za-z0-9.]/g, "_")
				.slice(0, 64),
		);
	});
});

test("a day later a generation is unknown and its files are swept away", async () => {
	const clock = createFakeClock(Date.now());
	const { generations, jobs, folder } = await open({ clock });
	const id = await generations.create(cat);
	await vi.waitFor(() => expect(jobs).toHaveLength(1));
	jobs[0]?.finish(clip);
	await vi.waitFor(async () => expect(await statusOf(generations, id)).toBe("complete"));
	await writeFile(join(folder, "notes.txt"), "not ours");
	await writeFile(join(folder, `${id}.0123abcd.part`), "half");
	await writeFile(join(folder, `${id}.json.${randomUUID()}.tmp`), "half");
	const old = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
	await utimes(join(folder, "notes.txt"), old, old);
	await clock.advance(24 * 60 * 60 * 1000 + 60_000);
	expect(await generations.find(id)).toBeUndefined();
	await clock.advance(60 * 60 * 1000);
	await vi.waitFor(async () => expect(await readdir(folder)).toEqual(["notes.txt"]));
});

test.each(["../../etc/passwd", "gen-..", "gen-aaaaaaaaaaaaaaaaaaaaaa", "", "gen-\0"])(
	"J10: the id %j leads nowhere",
	async id => {
		const { generations } = await open();
		expect(await generations.find(id)).toBeUndefined();
	},
);

test("a damaged record counts as unknown", async () => {
	const { generations, jobs, folder } = await open();
	const id = await generations.create(cat);
	await vi.waitFor(() => expect(jobs).toHaveLength(1));
	await writeFile(join(folder, `${id}.json`), '{"id":');
	expect(await generations.find(id)).toBeUndefined();
	await rm(folder, { recursive: true });
	expect(await generations.find(id)).toBeUndefined();
});
