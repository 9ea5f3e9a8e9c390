import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeAtomically } from "../../../src/storage/atomicFile.ts";
import { atRest } from "../../helpers/videoIdle.ts";
import {
	type Answer,
	breakOff,
	clipBytes,
	eventually,
	generation,
	json,
	makeVideoBench,
} from "../../helpers/videoService.ts";

const minute = 60_000;

test("a request becomes a file with a record that says so, by one paid request", async () => {
	const bench = await makeVideoBench({ writeRecord: writeAtomically });
	const id = await bench.submit("A red fox");
	const ready = await bench.reach(id, "ready");
	expect(ready).toMatchObject({ size: 5_000, format: "mp4" });
	expect(ready.name === "ready" && (await readFile(ready.file))).toEqual(clipBytes());
	expect(await readdir(join(bench.folder, "clips"))).toEqual(["a-red-fox.mp4"]);
	expect(bench.service.posts).toBe(1);
});

describe("submitting", () => {
	test("J1: what was turned away is «not submitted» and goes again only on a click", async () => {
		const bench = await makeVideoBench();
		const good = bench.service.onCreate;
		bench.service.onCreate = json({ success: false, message: "No credit" });
		const id = await bench.submit();
		const state = await bench.reach(id, "notSubmitted");
		expect(state).toMatchObject({ failure: { kind: "rejected", serviceMessage: "No credit" } });
		await bench.pass(10 * minute);
		expect(bench.service.posts).toBe(1);
		bench.service.onCreate = good;
		await bench.jobs.submitAgain(id);
		await bench.reach(id, "ready");
		expect(bench.service.posts).toBe(2);
	});

	test("J1: an address where nobody listens is tried at most three times and charges nothing", async () => {
		const bench = await makeVideoBench();
		await bench.service.close();
		const id = await bench.submit();
		const state = await bench.reach(id, "notSubmitted");
		expect(state).toMatchObject({ failure: { kind: "refused", charge: "notSent" } });
	});

	test.each([
		["a broken connection", breakOff, "connectionLost"],
		["a failing service", json({ error: "boom" }, 500), "serverFailed"],
		["a failing gateway", json({}, 502), "serverFailed"],
	])("J2: after %s the submission is unknown and never repeated", async (_name, answer, kind) => {
		const bench = await makeVideoBench();
		bench.service.onCreate = answer;
		const id = await bench.submit();
		const state = await bench.reach(id, "submissionUnknown");
		expect(state).toMatchObject({ failure: { kind, charge: "unknown" } });
		await bench.pass(30 * minute);
		await bench.jobs.checkAgain(id);
		await bench.pass(minute);
		expect(bench.state(id)?.name).toBe("submissionUnknown");
		expect(bench.service.posts).toBe(1);
	});

	test.each([
		["no id", json({ success: true })],
		["an empty id", json({ success: true, generation_id: "" })],
		["no JSON", (_: unknown, response: { end(text: string): void }) => response.end("ok then")],
	])(
		"J3: a reply with %s leaves the submission unknown, with what is wrong",
		async (_n, answer) => {
			const bench = await makeVideoBench();
			bench.service.onCreate = answer;
			const id = await bench.submit();
			const state = await bench.reach(id, "submissionUnknown");
			expect(state).toMatchObject({ failure: { kind: "unreadable", detail: expect.any(String) } });
			expect(bench.service.posts).toBe(1);
		},
	);

	test("J4: a program that ended before the reply leaves an unknown submission at the next start", async () => {
		const bench = await makeVideoBench();
		bench.service.onCreate = () => undefined;
		const id = await bench.submit();
		await eventually(() => bench.service.posts === 1);
		bench.jobs.dispose();
		const next = await bench.open();
		await bench.reach(id, "submissionUnknown", { jobs: next });
		await bench.pass(10 * minute);
		expect(bench.service.posts).toBe(1);
	});

	test("T10: of two clicks on «submit again» in two windows one is sent", async () => {
		const bench = await makeVideoBench();
		const good = bench.service.onCreate;
		bench.service.onCreate = json({}, 500);
		const id = await bench.submit();
		await bench.reach(id, "submissionUnknown");
		const other = await bench.open();
		bench.service.onCreate = good;
		const clicks = [bench.jobs.submitAgain(id), bench.jobs.submitAgain(id), other.submitAgain(id)];
		await bench.pass(2_000);
		await Promise.all(clicks);
		await bench.reach(id, "ready");
		expect(bench.service.posts).toBe(2);
	});

	test("J4: a reply that comes after the job was submitted again is a video of its own; what was paid for is never lost", async () => {
		const bench = await makeVideoBench();
		const held: Parameters<Answer>[] = [];
		bench.service.onCreate = (...exchange) => held.push(exchange);
		const id = await bench.submit();
		await atRest();
		const other = await bench.open();
		await bench.reach(id, "submissionUnknown", { jobs: other });
		await other.submitAgain(id);
		await atRest();
		held.forEach((exchange, index) =>
			json({ success: true, generation_id: `paid-${index}` })(...exchange),
		);
		await bench.reach(id, "ready");
		await bench.pass(10_000);
		for (const jobs of [bench.jobs, other]) {
			const ids = new Set(jobs.jobs.map(job => job.generationId));
			expect(ids).toEqual(new Set(["paid-0", "paid-1"]));
			expect(jobs.jobs.map(job => job.state.name)).toEqual(["ready", "ready"]);
		}
		expect(bench.service.posts).toBe(2);
	});

	test("L6: without a record nothing is sent", async () => {
		let isFull = true;
		const bench = await makeVideoBench({
			writeRecord: (path, text) =>
				isFull
					? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
					: writeAtomically(path, text),
		});
		await expect(bench.submit()).rejects.toMatchObject({ name: "VideoStoreError", kind: "full" });
		expect(bench.service.posts).toBe(0);
		expect(bench.jobs.jobs).toEqual([]);
		isFull = false;
		await bench.reach(await bench.submit(), "ready");
	});

	test("L6: an id that could not be written is kept here and written as soon as the disk allows", async () => {
		let writes = 0;
		let isFull = false;
		const bench = await makeVideoBench({
			writeRecord: (path, text) => {
				writes += 1;
				return isFull
					? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
					: writeAtomically(path, text);
			},
		});
		bench.service.onPoll = generation("in_progress");
		const good = bench.service.onCreate;
		bench.service.onCreate = (request, response) => {
			isFull = true;
			good(request, response);
		};
		const id = await bench.submit();
		await bench.reach(id, "inProgress");
		const whileFull = writes;
		isFull = false;
		await bench.pass(31_000);
		expect(writes).toBeGreaterThan(whileFull);
		bench.jobs.dispose();
		const next = await bench.open();
		expect(next.job(id)).toMatchObject({ generationId: "g1", state: { name: "inProgress" } });
	});
});
