import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { createServiceClient } from "../../../../src/client/createServiceClient.ts";
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
