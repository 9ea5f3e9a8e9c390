// @module-tag thorough
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { AbortError } from "../../../../src/common/errors.ts";
import type { RenderClip } from "../../../../src/localService/video/assets.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { readWebm } from "../../../helpers/webm.ts";
import { makeTestFolder, startTestService, type TestService } from "../testService.ts";
import { create, finished, get, lookUp, videoRouteRules } from "./videoRouteRules.ts";
import { packageAssets } from "../video/videoFixtures.ts";
import { readRange } from "../../../../src/localService/http/videoRoutes.ts";

vi.setConfig({ testTimeout: 60_000 });

const workerFile = new URL("../../../../src/localService/video/render/worker.ts", import.meta.url);
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
/** Never gives a clip. */
const never: RenderClip = (_job, signal) =>
	new Promise((_resolve, reject) => {
		signal.addEventListener("abort", () => reject(new AbortError()));
	});
const instantly: RenderClip = async () => ({ type: "clip", bytes });

async function startVideoService(
	options: {
		readonly render?: RenderClip;
		readonly clock?: ReturnType<typeof createFakeClock>;
	} = { render: instantly },
): Promise<TestService> {
	const folder = join(await makeTestFolder(), "videos");
	const { render, clock } = options;
	return startTestService({
		videos: { folder, workerFile, assets: packageAssets, ...(render ? { render } : {}) },
		...(clock ? { clock } : {}),
	});
}

test("from a prompt to a clip, with the real renderer in its own thread", async () => {
	const service = await startVideoService({});
	const response = await service.post("/v1/videos/text-to-video", {
		prompt: "A lighthouse at dusk",
		duration: 1,
	});
	const { generation_id: id } = (await response.json()) as { generation_id: string };
	const early = await lookUp(service, id);
	expect(early).toMatchObject({ success: true, generation: { status: "in_progress" } });
	expect(early.generation.output).toBeUndefined();
	const { generation } = await finished(service, id);
	expect(generation).toMatchObject({
		org_id: "local",
		type: "text-to-video",
		params: { prompt: "A lighthouse at dusk", duration: 1 },
		status: "complete",
	});
	expect(Math.abs(Date.parse(String(generation["created_at"])) - Date.now())).toBeLessThan(60_000);
	const url = generation.output?.video_url ?? "";
	expect(new URL(url).origin).toBe(service.baseUrl);
	const clip = await get(url);
	expect(clip.headers.get("content-type")).toBe("video/webm");
	expect(readWebm(new Uint8Array(await clip.arrayBuffer())).duration).toBeCloseTo(1, 1);
});

test("a thread that cannot run fails the generation and the service lives on", async () => {
	const folder = join(await makeTestFolder(), "videos");
	const missing = { ...packageAssets, sans: [join(folder, "missing.ttf")] };
	const service = await startTestService({ videos: { folder, workerFile, assets: missing } });
	const { generation } = await finished(service, await create(service, "A cat"));
	expect(generation).toMatchObject({ status: "failed" });
	expect(generation.message).toMatch(/could not make this video/);
});

test("while a clip is rendered, the service answers at once", async () => {
	const service = await startVideoService({});
	const id = await create(service, "A lighthouse at dusk");
	const delays: number[] = [];
	while ((await lookUp(service, id)).generation.status === "in_progress") {
		const startedAt = performance.now();
		await lookUp(service, id);
		delays.push(performance.now() - startedAt);
	}
	delays.sort((left, right) => left - right);
	expect(delays.length).toBeGreaterThan(10);
	expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(50);
});

videoRouteRules(
	({ isStuck = false, clock } = {}) =>
		startVideoService({ render: isStuck ? never : instantly, ...(clock ? { clock } : {}) }),
	() => bytes,
);

const file = { size: 1000, etag: '"v1"' };
const part = (start: number, end: number) => ({ type: "part", start, end });

test.each([
	["bytes=0-", part(0, 999)],
	["bytes=0-0", part(0, 0)],
	["bytes=500-", part(500, 999)],
	["bytes=10-19", part(10, 19)],
	["bytes=990-5000", part(990, 999)],
	["bytes=-1", part(999, 999)],
	["bytes=-5000", part(0, 999)],
	["bytes=1000-", { type: "unsatisfiable" }],
	["bytes=99999999999999999999-", { type: "unsatisfiable" }],
	["bytes=-0", { type: "unsatisfiable" }],
	["bytes=20-10", { type: "whole" }],
	["bytes=0-1,5-6", { type: "whole" }],
	["bytes=-", { type: "whole" }],
	["items=0-1", { type: "whole" }],
	["bytes=a-b", { type: "whole" }],
	[undefined, { type: "whole" }],
])("Range %s", (range, expected) => {
	expect(readRange(range, undefined, file)).toEqual(expected);
});

test("J16: If-Range with this version gives the part, with another the whole file", () => {
	expect(readRange("bytes=5-", '"v1"', file)).toEqual(part(5, 999));
	expect(readRange("bytes=5-", '"v2"', file)).toEqual({ type: "whole" });
	expect(readRange("bytes=5-", 'W/"v1"', file)).toEqual({ type: "whole" });
});

test("no part of an empty file can be had", () => {
	expect(readRange("bytes=0-", undefined, { size: 0, etag: '"e"' })).toEqual({
		type: "unsatisfiable",
	});
});
