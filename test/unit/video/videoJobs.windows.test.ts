// @module-tag thorough
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Connection } from "../../../src/client/contract/serviceClient.ts";
import { canaryKey, connectionTo } from "../../helpers/clientHarness.ts";
import { atRest } from "../../helpers/videoIdle.ts";
import {
	breathe,
	clip,
	endpointOf,
	generation,
	json,
	makeVideoBench,
	pollTimes,
	startVideoService,
} from "../../helpers/videoService.ts";

const minute = 60_000;

describe("windows, keys and clocks", () => {
	test("J19: a reload half-way goes on by itself", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit("Half way");
		await bench.pass(5_000);
		bench.jobs.dispose();
		const next = await bench.open();
		expect(next.job(id)).toMatchObject({ request: { prompt: "Half way" }, generationId: "g1" });
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready", { jobs: next });
		expect(bench.service.posts).toBe(1);
	});

	test("J20: of two windows one asks and fetches, and both show it", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const other = await bench.open();
		const id = await bench.submit();
		await bench.reach(id, "inProgress", { jobs: other });
		await bench.pass(60_000);
		expect(bench.service.polls).toBeLessThanOrEqual(8);
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready");
		await bench.reach(id, "ready", { jobs: other });
		expect(other.job(id)).toEqual(bench.jobs.job(id));
		expect(bench.service.log.filter(({ line }) => line.includes("clip")).length).toBe(1);
		expect(bench.service.posts).toBe(1);
	});

	test("J20: a window that closes is followed by the other", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(5_000);
		const other = await bench.open();
		bench.jobs.dispose();
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready", { jobs: other });
	});

	test("J20: stopping in the window that does not poll stops the one that does", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(5_000);
		const other = await bench.open();
		await other.stopWatching(id);
		await bench.reach(id, "watchingStopped");
		const polls = bench.service.polls;
		await bench.pass(2 * minute);
		expect(bench.service.polls).toBe(polls);
	});

	test("J21: another key, or none, is never used for a job; its own goes on", async () => {
		let apiKey: string | undefined = canaryKey;
		const bench = await makeVideoBench({
			connection: endpoint => {
				const rest: Connection = { ...connectionTo(endpoint.baseUrl), apiKey: "" };
				return Promise.resolve(apiKey === undefined ? rest : { ...rest, apiKey });
			},
		});
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(5_000);
		const before = bench.service.polls;
		apiKey = "sk-somebody-else";
		expect(await bench.reach(id, "needsKey")).toMatchObject({ reason: "changed" });
		apiKey = undefined;
		bench.jobs.connectionsChanged();
		await bench.pass(30_000);
		expect(bench.state(id)).toMatchObject({ name: "needsKey", reason: "missing" });
		expect(bench.service.polls).toBe(before);
		apiKey = canaryKey;
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		bench.jobs.connectionsChanged();
		await bench.reach(id, "ready");
		const records = await readFile(join(bench.records, `${id}.json`), "utf8");
		expect(records).not.toContain(canaryKey);
	});

	test("J21, H2: a key that the service refuses pauses all of its jobs together", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const ids = [await bench.submit("One"), await bench.submit("Two"), await bench.submit("Three")];
		await bench.pass(4_000);
		bench.service.onPoll = json({ error: "bad key" }, 401);
		const before = bench.service.polls;
		for (const id of ids) {
			expect(await bench.reach(id, "needsKey")).toMatchObject({ reason: "refused" });
		}
		await bench.pass(minute);
		expect(bench.service.polls - before).toBeLessThanOrEqual(3);
	});

	test("J22: a job stays with its own service when another is set", async () => {
		const second = await startVideoService();
		let url = "";
		const bench = await makeVideoBench({ endpoint: () => endpointOf(url) });
		url = bench.service.url;
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(4_000);
		url = second.url;
		bench.jobs.connectionsChanged();
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		await bench.reach(id, "ready");
		expect(second.log).toEqual([]);
		await second.close();
	});

	test("J22: a connection to another service than the job's is not used", async () => {
		const second = await startVideoService();
		let isMixedUp = false;
		const bench = await makeVideoBench({
			connection: ({ baseUrl }) => Promise.resolve(connectionTo(isMixedUp ? second.url : baseUrl)),
		});
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(4_000);
		isMixedUp = true;
		await bench.pass(30_000);
		expect(bench.state(id)).toMatchObject({
			name: "inProgress",
			problem: { count: expect.any(Number) },
		});
		expect(second.log).toEqual([]);
		await second.close();
	});

	test("J23, L13: after eight hours of sleep every job is asked once within five seconds", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		await Promise.all(Array.from({ length: 12 }, (_, index) => bench.submit(`Job ${index}`)));
		await bench.pass(2 * minute);
		bench.clock.jump(8 * 60 * minute);
		const before = bench.service.polls;
		await bench.pass(11_000);
		expect(bench.service.polls - before).toBe(12);
	}, 60_000);

	test("J24: a clock set back or forward by a day neither stops watching nor floods the service", async () => {
		const bench = await makeVideoBench();
		const times = pollTimes(bench, generation("in_progress"));
		const id = await bench.submit();
		await bench.pass(6_000);
		bench.clock.jump(-26 * 60 * minute);
		await bench.pass(60_000);
		bench.clock.jump(52 * 60 * minute);
		await bench.pass(60_000);
		expect(bench.state(id)?.name).toBe("inProgress");
		// Forward it is as after a sleep: asked once at the next tick, then as ever.
		expect(times).toEqual([2, 5, 10, 18, 30, 45, 60, 70, 85, 100, 115]);
	});

	test("J25: of two hundred jobs four are asked at once, never more, each in its turn", async () => {
		const bench = await makeVideoBench();
		const held: (() => void)[] = [];
		bench.service.onPoll = (request, response) => {
			held.push(() => generation("in_progress")(request, response));
		};
		await Promise.all(Array.from({ length: 200 }, () => bench.submit("Many")));
		await bench.pass(2_000);
		for (let round = 0; round < 50; round += 1) {
			await atRest();
			expect(held).toHaveLength(4);
			held.splice(0).forEach(answer => answer());
		}
		await atRest();
		const asked = bench.service.log.map(({ line }) => line).filter(line => line.startsWith("GET"));
		expect(asked).toHaveLength(200);
		expect(new Set(asked).size).toBe(200);
		expect(bench.service.mostPolls).toBe(4);
	}, 60_000);
});

describe("the list", () => {
	test("a removed job leaves the list, is not asked about, and comes back", async () => {
		const bench = await makeVideoBench();
		bench.service.onPoll = generation("in_progress");
		const id = await bench.submit();
		await bench.pass(5_000);
		await bench.jobs.remove(id);
		expect(bench.jobs.jobs).toEqual([]);
		const polls = bench.service.polls;
		await bench.pass(minute);
		expect(bench.service.polls).toBe(polls);
		await bench.jobs.restore(id);
		bench.service.onPoll = generation("complete", `${bench.service.url}/clip.mp4`);
		bench.service.onClip = clip();
		await bench.reach(id, "ready");
	});

	test("newest stand first, and a record that is damaged is set aside", async () => {
		const bench = await makeVideoBench();
		await bench.reach(await bench.submit("Old"), "ready");
		await bench.reach(await bench.submit("New"), "ready");
		await writeFile(join(bench.records, "abc-1.json"), "{ torn");
		await mkdir(join(bench.records, "abc-3.json"));
		await writeFile(join(bench.records, "abc-2.json"), '{"format":9,"job":{}}');
		const other = await bench.open();
		expect(other.jobs.map(({ request }) => request.kind === "text" && request.prompt)).toEqual([
			"New",
			"Old",
		]);
		expect([...other.unreadable].sort()).toEqual(["abc-1.json", "abc-2.json", "abc-3.json"]);
		const names = await readdir(bench.records);
		expect(names.filter(name => name.endsWith(".damaged"))).toHaveLength(1);
		expect(names).toContain("abc-2.json");
		await breathe(5);
	});
});
