// @module-tag thorough
import type { FileHandle } from "node:fs/promises";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { makeVideoBench, type VideoBench } from "../../helpers/videoService.ts";
import { atRest } from "../../helpers/videoIdle.ts";

/** A number that no program has, so that whoever comes next knows that this one is no more. */
const deadPid = 2 ** 30;

/** Steps on the disk are counted from the first one in the clips' folder; before number `at` the program is killed. */
const crash = vi.hoisted(() => ({
	at: Number.POSITIVE_INFINITY,
	steps: 0,
	pid: 0,
	last: "",
	handles: [] as FileHandle[],
}));

vi.mock("node:fs/promises", async original => {
	const real = await original<typeof import("node:fs/promises")>();
	const stopping =
		<A extends readonly unknown[], R>(name: string, step: (...args: A) => Promise<R>) =>
		(...args: A): Promise<R> => {
			const path = String(args[0]);
			if (path.includes("cutaway-video-") && (crash.steps > 0 || path.includes("clips"))) {
				crash.steps += 1;
				crash.last = `${name} ${path}`;
			}
			return crash.steps >= crash.at ? new Promise<R>(() => undefined) : step(...args);
		};
	const open = async (...args: Parameters<typeof real.open>): Promise<FileHandle> => {
		const handle = await real.open(...args);
		crash.handles.push(handle);
		return handle;
	};
	return {
		...real,
		open: stopping("open", open),
		writeFile: stopping("writeFile", real.writeFile),
		rename: stopping("rename", real.rename),
		link: stopping("link", real.link),
		rm: stopping("rm", real.rm),
		unlink: stopping("unlink", real.unlink),
		mkdir: stopping("mkdir", real.mkdir),
	};
});

vi.mock("../../../src/storage/lease.ts", async original => {
	const real = await original<typeof import("../../../src/storage/lease.ts")>();
	return { ...real, currentHolder: () => ({ ...real.currentHolder(), pid: crash.pid }) };
});

beforeEach(() => {
	Object.assign(crash, { at: Number.POSITIVE_INFINITY, steps: 0, pid: process.pid });
	onTestFinished(async () => {
		crash.at = Number.POSITIVE_INFINITY;
		await Promise.all(crash.handles.splice(0).map(handle => handle.close()));
	});
});

/** Kills the program before one step of its work on a clip; false when the work has fewer steps. */
async function killBefore(step: number, bench: VideoBench): Promise<boolean> {
	crash.pid = deadPid;
	const killed = await bench.open();
	Object.assign(crash, { steps: 0, at: step });
	void killed.submit({ kind: "text", prompt: "A red fox" });
	const hasEnded = (): boolean => killed.jobs[0]?.state.name === "ready";
	for (let passed = 0; passed < 120_000 && crash.steps < step && !hasEnded();) {
		passed += await bench.clock.step(1_000);
	}
	// What follows the last word about a job is part of the work.
	await atRest();
	const wasKilled = crash.steps >= step;
	killed.dispose();
	Object.assign(crash, { at: Number.POSITIVE_INFINITY, pid: process.pid });
	return wasKilled;
}

const clipsFolder = ({ folder }: VideoBench): string => join(folder, "clips");

test("G7, J19: killed before any step on the disk, the next start leaves the saved clip in the folder and nothing else", async () => {
	let step = 0;
	for (let isKilled = true; isKilled;) {
		step += 1;
		const bench = await makeVideoBench();
		bench.jobs.dispose();
		isKilled = await killBefore(step, bench);
		const before = crash.last.replace(bench.folder, "");
		const next = await bench.open();
		await bench.pass(60_000);
		expect({ step, before, files: await readdir(clipsFolder(bench)) }).toEqual({
			step,
			before,
			files: ["a-red-fox.mp4"],
		});
		expect({ step, before, state: next.jobs[0]?.state.name, posts: bench.service.posts }).toEqual({
			step,
			before,
			state: "ready",
			posts: 1,
		});
		await bench.close();
	}
	expect(step).toBeGreaterThan(15);
}, 60_000);

test("J19: a start removes nothing that another program's job or a user has in the folder", async () => {
	const bench = await makeVideoBench();
	const id = await bench.submit();
	const ready = await bench.reach(id, "ready");
	const name = ready.name === "ready" ? ready.file.replace(/\.mp4$/, "") : "";
	const others = [
		`${name}.part`,
		join(clipsFolder(bench), "cutaway-another.part"),
		join(clipsFolder(bench), "Holiday.part"),
	];
	await mkdir(clipsFolder(bench), { recursive: true });
	await Promise.all(others.map(path => writeFile(path, "another's")));
	const before = await readdir(clipsFolder(bench));
	await bench.open();
	expect(await readdir(clipsFolder(bench))).toEqual(before);
	expect(before).toHaveLength(others.length + 1);
});
