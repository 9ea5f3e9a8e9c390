import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
import { videoFailures } from "../../../../src/localService/video/videoFailures.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { authorization, refusalFrom, type TestService, testToken } from "../testService.ts";

/** Starts a service whose videos are made at once, or never where it is stuck. */
export type StartVideoService = (options?: {
	readonly isStuck?: boolean;
	readonly clock?: ReturnType<typeof createFakeClock>;
}) => Promise<TestService>;

/** The reply of a lookup; the assertions fail when the shape is another. */
export interface Lookup {
	readonly success: boolean;
	readonly generation: {
		readonly status?: string;
		readonly message?: string;
		readonly output?: { readonly video_url?: string | null };
		readonly [name: string]: unknown;
	};
}

/** Asks with the token. */
export const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
	fetch(url, { redirect: "manual", headers: { ...authorization, ...headers } });

/** Looks a generation up. */
export async function lookUp(service: TestService, id: string): Promise<Lookup> {
	const response = await get(`${service.baseUrl}/v1/generations/${id}`);
	expect(response.status).toBe(200);
	return (await response.json()) as Lookup;
}

/** Asks for a video, and gives its id. */
export async function create(service: TestService, prompt: string): Promise<string> {
	const response = await service.post("/v1/videos/text-to-video", { prompt });
	const reply = (await response.json()) as { success: boolean; generation_id: string };
	expect(reply.success).toBe(true);
	return reply.generation_id;
}

/** Waits until the lookup says something else than in progress. */
export async function finished(service: TestService, id: string): Promise<Lookup> {
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

/** What holds for the routes of videos whoever makes them: the interface's §4.1 to §4.3, and the clip's address. `bytes` are those of every clip. */
export function videoRouteRules(start: StartVideoService, bytes: () => Uint8Array): void {
	test("the typed client makes a video from end to end", async () => {
		const service = await start();
		const connection = {
			baseUrl: service.baseUrl,
			apiKey: testToken,
			auth: { header: "Authorization", scheme: "Bearer" },
			files: { path: "/v1/files", field: "file" },
			network: "auto",
		} as const;
		const client = createServiceClient({ connection: async () => connection, clock: systemClock });
		const id = await client.createTextToVideo({ prompt: "A cat" });
		await finished(service, id);
		expect((await client.getGeneration(id)).output?.video_url).toContain(id);
	});

	test("an image at a private address fails with the reason", async () => {
		const service = await start();
		const response = await service.post("/v1/videos/image-to-video", {
			image_url: "http://127.0.0.1:1/a.png",
		});
		const { generation_id: id } = (await response.json()) as { generation_id: string };
		const { generation } = await finished(service, id);
		expect(generation).toMatchObject({ type: "image-to-video", status: "failed" });
		expect(generation.message).toMatch(/address of this machine or its network/);
		expect(generation.output).toBeUndefined();
	});

	describe("the clip's address", () => {
		test("needs the token", async () => {
			const url = await clipUrl(await start());
			expect((await fetch(url)).status).toBe(401);
		});

		test("gives the whole clip, its length, its type and a strong tag", async () => {
			const response = await get(await clipUrl(await start()));
			expect(response.status).toBe(200);
			expect(response.headers.get("content-length")).toBe("1000");
			expect(response.headers.get("accept-ranges")).toBe("bytes");
			expect(response.headers.get("etag")).toMatch(/^"[^"]{20,}"$/);
			expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes());
		});

		test("J15: gives the part a Range names, if the tag still fits", async () => {
			const url = await clipUrl(await start());
			const etag = (await get(url)).headers.get("etag") ?? "";
			const part = await get(url, { Range: "bytes=990-", "If-Range": etag });
			expect(part.status).toBe(206);
			expect(part.headers.get("content-range")).toBe("bytes 990-999/1000");
			expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes().subarray(990));
			expect((await get(url, { Range: "bytes=990-", "If-Range": '"other"' })).status).toBe(200);
		});

		test("answers a range beyond the end with 416 and the size", async () => {
			const response = await get(await clipUrl(await start()), { Range: "bytes=1000-" });
			expect(response.status).toBe(416);
			expect(response.headers.get("content-range")).toBe("bytes */1000");
		});

		test("is 404 while the clip is not there, and for ids that are none", async () => {
			const service = await start({ isStuck: true });
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
				const service = await start();
				const response = await service.post("/v1/videos/text-to-video", {
					prompt: `/fail ${kind}`,
				});
				expect(response.status).toBe(Number(kind));
				expect((await refusalFrom(response)).error.message).not.toBe("");
			},
		);

		test("J2: reset takes the request and breaks the connection", async () => {
			const service = await start();
			await expect(
				service.post("/v1/videos/text-to-video", { prompt: "/fail reset" }),
			).rejects.toThrow();
		});

		test("J3: noid answers without an id, html with a page", async () => {
			const service = await start();
			const noId = await service.post("/v1/videos/text-to-video", { prompt: "/fail noid" });
			expect(await noId.json()).toEqual({ success: true });
			const html = await service.post("/v1/videos/text-to-video", { prompt: "/fail html" });
			expect(await html.text()).toContain("<!doctype html>");
		});

		test.each([
			["check", 500],
			["gone", 404],
		])("J5, J10: %s answers lookups with %i", async (kind, status) => {
			const service = await start();
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
			const service = await start();
			const { generation } = await finished(service, await create(service, `/fail ${kind}`));
			expect(generation).toMatchObject(expected);
		});

		test("J8: nostatus leaves the status out", async () => {
			const service = await start();
			const { generation } = await finished(service, await create(service, "/fail nostatus"));
			expect(Object.keys(generation)).not.toContain("status");
		});

		test("J6: stuck stays in progress, slow for half a minute, lateurl waits for its address", async () => {
			const clock = createFakeClock();
			const service = await start({ clock });
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
			const service = await start();
			expect((await get(await clipUrl(service, "/fail expired"))).status).toBe(410);
			const page = await get(await clipUrl(service, "/fail notvideo"));
			expect(page.headers.get("content-type")).toContain("text/html");
			expect(
				(await (await get(await clipUrl(service, "/fail empty"))).arrayBuffer()).byteLength,
			).toBe(0);
		});

		test("J15: cut breaks half-way, and a Range gets the rest", async () => {
			const url = await clipUrl(await start(), "/fail cut");
			await expect(get(url).then(response => response.arrayBuffer())).rejects.toThrow();
			const rest = await get(url, { Range: "bytes=400-" });
			expect(new Uint8Array(await rest.arrayBuffer())).toEqual(bytes().subarray(400));
		});

		test("J16: norange breaks once, then gives the whole clip whatever is asked", async () => {
			const url = await clipUrl(await start(), "/fail norange");
			await expect(get(url).then(response => response.arrayBuffer())).rejects.toThrow();
			const whole = await get(url, { Range: "bytes=400-" });
			expect(whole.status).toBe(200);
			expect((await whole.arrayBuffer()).byteLength).toBe(1000);
		});

		test("a kind that does not exist is refused with the list", async () => {
			const service = await start();
			for (const prompt of ["/fail", "/fail nonsense"]) {
				const response = await service.post("/v1/videos/text-to-video", { prompt });
				expect(response.status).toBe(400);
				const { message } = (await refusalFrom(response)).error;
				expect(videoFailures.every(({ kind }) => message.includes(kind))).toBe(true);
			}
		});

		test("a prompt that only speaks of failure is a prompt", async () => {
			const service = await start();
			await finished(service, await create(service, "/failure is an option"));
		});

		test("the chat's /fail lists them all", async () => {
			const service = await start();
			const answer = await (await service.ask("/fail")).text();
			expect(videoFailures.every(({ kind }) => answer.includes(`/fail ${kind}`))).toBe(true);
		});
	});

	test("§4.1 to §4.3: an answer holds what the interface names, and the words of a failure alone beside it", async () => {
		const service = await start();
		const params = { prompt: "A cat", duration: 3, motion_strength: 4 };
		const response = await service.post("/v1/videos/text-to-video", params);
		expect(response.status).toBe(200);
		const reply = (await response.json()) as { readonly generation_id: string };
		expect(reply).toEqual({ success: true, generation_id: expect.any(String) });
		const common = {
			org_id: "local",
			created_at: expect.any(String),
			type: "text-to-video",
			params,
		};
		const done = await finished(service, reply.generation_id);
		expect(done).toEqual({
			success: true,
			generation: { ...common, status: "complete", output: { video_url: expect.any(String) } },
		});
		const stuck = await start({ isStuck: true });
		const early = await stuck.post("/v1/videos/text-to-video", params);
		const { generation_id: id } = (await early.json()) as { readonly generation_id: string };
		expect(await lookUp(stuck, id)).toEqual({
			success: true,
			generation: { ...common, status: "in_progress" },
		});
	});

	test.each([
		[{ prompt: "x".repeat(4001) }, 400],
		[{ prompt: "A cat", duration: 5 }, 400],
		[{ prompt: "A cat", duration: 1.5 }, 400],
		[{ prompt: "A cat", motion_strength: 6 }, 400],
		[{}, 400],
	])("§8: what is out of bounds is refused before anybody is asked (%#)", async (body, status) => {
		const service = await start();
		expect((await service.post("/v1/videos/text-to-video", body)).status).toBe(status);
	});
}
