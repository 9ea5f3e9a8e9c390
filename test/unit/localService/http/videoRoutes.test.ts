import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { createServiceClient } from "../../../../src/client/index.ts";
import { AbortError } from "../../../../src/common/errors.ts";
import type { RenderClip } from "../../../../src/localService/video/renderThread.ts";
import { videoFailures } from "../../../../src/localService/video/videoFailures.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { readWebm } from "../../../helpers/webm.ts";
import {
	authorization,
	makeTestFolder,
	refusalFrom,
	startTestService,
	type TestService,
	testToken,
} from "../testService.ts";
import { packageAssets } from "../video/videoFixtures.ts";

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

/** The reply of a lookup; the assertions fail when the shape is another. */
interface Lookup {
	readonly success: boolean;
	readonly generation: {
		readonly status?: string;
		readonly message?: string;
		readonly output?: { readonly video_url?: string | null };
		readonly [name: string]: unknown;
	};
}

const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
	fetch(url, { redirect: "manual", headers: { ...authorization, ...headers } });

async function lookUp(service: TestService, id: string): Promise<Lookup> {
	const response = await get(`${service.baseUrl}/v1/generations/${id}`);
	expect(response.status).toBe(200);
	return (await response.json()) as Lookup;
}

async function create(service: TestService, prompt: string): Promise<string> {
	const response = await service.post("/v1/videos/text-to-video", { prompt });
	const reply = (await response.json()) as { success: boolean; generation_id: string };
	expect(reply.success).toBe(true);
	return reply.generation_id;
}

/** Waits until the lookup says something else than in progress. */
async function finished(service: TestService, id: string): Promise<Lookup> {
	return await vi.waitFor(
		async () => {
			const lookup = await lookUp(service, id);
			expect(lookup.generation.status).not.toBe("in_progress");
			return lookup;
		},
		{ timeout: 50_000, interval: 20 },
	);
}

async function clipUrl(service: TestService, prompt = "A cat"): Promise<string> {
	const { generation } = await finished(service, await create(service, prompt));
	return generation.output?.video_url ?? "";
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
	expect(readWebm(new Uint8Array(await clip.arrayBuffer())).frames).toHaveLength(24);
});

test("the typed client makes a video from end to end", async () => {
	const service = await startVideoService();
	const connection = {
		baseUrl: service.baseUrl,
		apiKey: testToken,
		auth: { header: "Authorization", scheme: "Bearer" },
		files: { path: "/v1/files", field: "file" },
		network: "auto",
	} as const;
	const client = createServiceClient({ connection: async () => connection, clock: systemClock });
	const id = await client.createTextToVideo({ prompt: "A cat" });
	await vi.waitFor(async () => expect((await client.getGeneration(id)).status).toBe("complete"));
	expect((await client.getGeneration(id)).output?.video_url).toContain(id);
});

test("an image at a private address fails with the reason", async () => {
	const service = await startVideoService({});
	const response = await service.post("/v1/videos/image-to-video", {
		image_url: "http://127.0.0.1:1/a.png",
	});
	const { generation_id: id } = (await response.json()) as { generation_id: string };
	const { generation } = await finished(service, id);
	expect(generation).toMatchObject({ type: "image-to-video", status: "failed" });
	expect(generation.message).toMatch(/address of this machine or its network/);
	expect(generation.output).toBeUndefined();
});

test("a thread that cannot run fails the generation and the service lives on", async () => {
	const folder = join(await makeTestFolder(), "videos");
	const missing = { ...packageAssets, sans: join(folder, "missing.ttf") };
	const service = await startTestService({ videos: { folder, workerFile, assets: missing } });
	const { generation } = await finished(service, await create(service, "A cat"));
	expect(generation).toMatchObject({ status: "failed" });
	expect(generation.message).toMatch(/could not make this video/);
});

describe("the clip's address", () => {
	test("needs the token", async () => {
		const url = await clipUrl(await startVideoService());
		expect((await fetch(url)).status).toBe(401);
	});

	test("gives the whole clip, its length, its type and a strong tag", async () => {
		const response = await get(await clipUrl(await startVideoService()));
		expect(response.status).toBe(200);
		expect(response.headers.get("content-length")).toBe("1000");
		expect(response.headers.get("accept-ranges")).toBe("bytes");
		expect(response.headers.get("etag")).toMatch(/^"[^"]{20,}"$/);
		expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
	});

	test("J15: gives the part a Range names, if the tag still fits", async () => {
		const url = await clipUrl(await startVideoService());
		const etag = (await get(url)).headers.get("etag") ?? "";
		const part = await get(url, { Range: "bytes=990-", "If-Range": etag });
		expect(part.status).toBe(206);
		expect(part.headers.get("content-range")).toBe("bytes 990-999/1000");
		expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(990));
		expect((await get(url, { Range: "bytes=990-", "If-Range": '"other"' })).status).toBe(200);
	});

	test("answers a range beyond the end with 416 and the size", async () => {
		const response = await get(await clipUrl(await startVideoService()), { Range: "bytes=1000-" });
		expect(response.status).toBe(416);
		expect(response.headers.get("content-range")).toBe("bytes */1000");
	});

	test("is 404 while the clip is not there, and for ids that are none", async () => {
		const service = await startVideoService({ render: never });
		const id = await create(service, "A cat");
		for (const name of [id, "gen-aaaaaaaaaaaaaaaaaaaaaa", "..%2f..%2fetc"]) {
			const response = await get(`${service.baseUrl}/v1/generations/${name}/clip.webm`);
			expect(response.status).toBe(404);
			expect((await refusalFrom(response)).error.code).toBe("clip_not_found");
		}
	});
});

describe("/fail in a prompt", () => {
	test.each(["400", "401", "402", "403", "422", "429", "500", "503"])(
		"%s is the creation call's status",
		async kind => {
			const service = await startVideoService();
			const response = await service.post("/v1/videos/text-to-video", { prompt: `/fail ${kind}` });
			expect(response.status).toBe(Number(kind));
			expect((await refusalFrom(response)).error.message).not.toBe("");
		},
	);

	test("J2: reset takes the request and breaks the connection", async () => {
		const service = await startVideoService();
		await expect(
			service.post("/v1/videos/text-to-video", { prompt: "/fail reset" }),
		).rejects.toThrow();
	});

	test("J3: noid answers without an id, html with a page", async () => {
		const service = await startVideoService();
		const noId = await service.post("/v1/videos/text-to-video", { prompt: "/fail noid" });
		expect(await noId.json()).toEqual({ success: true });
		const html = await service.post("/v1/videos/text-to-video", { prompt: "/fail html" });
		expect(await html.text()).toContain("<!doctype html>");
	});

	test.each([
		["check", 500],
		["gone", 404],
	])("J5, J10: %s answers lookups with %i", async (kind, status) => {
		const service = await startVideoService();
		const id = await create(service, `/fail ${kind}`);
		expect((await get(`${service.baseUrl}/v1/generations/${id}`)).status).toBe(status);
	});

	test.each([
		["failed", { status: "failed", message: expect.stringContaining("/fail") }],
		["paused", { status: "paused" }],
		["case", { status: "COMPLETE", output: { video_url: expect.stringContaining("http") } }],
		["nourl", { status: "complete", output: { video_url: null } }],
		["badurl", { output: { video_url: "http://169.254.169.254/clip.webm" } }],
		["fileurl", { output: { video_url: "file:///etc/hosts" } }],
	])("J7, J8, J11, J12: %s", async (kind, expected) => {
		const service = await startVideoService();
		const { generation } = await finished(service, await create(service, `/fail ${kind}`));
		expect(generation).toMatchObject(expected);
	});

	test("J8: nostatus leaves the status out", async () => {
		const service = await startVideoService();
		const { generation } = await finished(service, await create(service, "/fail nostatus"));
		expect(Object.keys(generation)).not.toContain("status");
	});

	test("J6: stuck stays in progress, slow for half a minute, lateurl waits for its address", async () => {
		const clock = createFakeClock();
		const service = await startVideoService({ render: instantly, clock });
		const ids = await Promise.all(
			["stuck", "slow", "lateurl"].map(kind => create(service, `/fail ${kind}`)),
		);
		const [stuck = "", slow = "", late = ""] = ids;
		await finished(service, late);
		expect((await lookUp(service, late)).generation.output?.video_url).toBe("");
		expect((await lookUp(service, slow)).generation.status).toBe("in_progress");
		await clock.advance(31_000);
		expect((await finished(service, slow)).generation.status).toBe("complete");
		expect((await lookUp(service, late)).generation.output?.video_url).toContain("http");
		await clock.advance(3_600_000);
		expect((await lookUp(service, stuck)).generation.status).toBe("in_progress");
	});

	test("J13, J14: expired, notvideo and empty", async () => {
		const service = await startVideoService();
		expect((await get(await clipUrl(service, "/fail expired"))).status).toBe(410);
		const page = await get(await clipUrl(service, "/fail notvideo"));
		expect(page.headers.get("content-type")).toContain("text/html");
		expect(
			(await (await get(await clipUrl(service, "/fail empty"))).arrayBuffer()).byteLength,
		).toBe(0);
	});

	test("J15: cut breaks half-way, and a Range gets the rest", async () => {
		const url = await clipUrl(await startVideoService(), "/fail cut");
		await expect(get(url).then(response => response.arrayBuffer())).rejects.toThrow();
		const rest = await get(url, { Range: "bytes=400-" });
		expect(new Uint8Array(await rest.arrayBuffer())).toEqual(bytes.subarray(400));
	});

	test("J16: norange breaks once, then gives the whole clip whatever is asked", async () => {
		const url = await clipUrl(await startVideoService(), "/fail norange");
		await expect(get(url).then(response => response.arrayBuffer())).rejects.toThrow();
		const whole = await get(url, { Range: "bytes=400-" });
		expect(whole.status).toBe(200);
		expect((await whole.arrayBuffer()).byteLength).toBe(1000);
	});

	test("a kind that does not exist is refused with the list", async () => {
		const service = await startVideoService();
		for (const prompt of ["/fail", "/fail nonsense"]) {
			const response = await service.post("/v1/videos/text-to-video", { prompt });
			expect(response.status).toBe(400);
			const { message } = (await refusalFrom(response)).error;
			expect(videoFailures.every(({ kind }) => message.includes(kind))).toBe(true);
		}
	});

	test("a prompt that only speaks of failure is a prompt", async () => {
		const service = await startVideoService();
		await finished(service, await create(service, "/failure is an option"));
	});

	test("the chat's /fail lists them all", async () => {
		const service = await startVideoService();
		const answer = await (await service.ask("/fail")).text();
		expect(videoFailures.every(({ kind }) => answer.includes(`/fail ${kind}`))).toBe(true);
	});
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
