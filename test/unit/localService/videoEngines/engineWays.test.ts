// @module-tag thorough
import { rm, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { listVideoModels } from "../../../../src/localService/videoEngines/openEngines.ts";
import { readPrice } from "../../../../src/localService/videoEngines/openRouter.ts";
import { systemClock } from "../../../../src/common/async.ts";
import {
	engineKey,
	pageReply,
	comfyFile,
	comfyHistory,
} from "../../../helpers/videoEngineBench.ts";
import { sampleClip } from "../../../helpers/sampleClip.ts";
import { type EngineCall, startEngineServer } from "../../../helpers/videoEngineServer.ts";
import { images } from "../video/videoFixtures.ts";
import { clipBytes, startRig } from "./engineRig.ts";

vi.setConfig({ testTimeout: 60_000 });

let clip: Uint8Array<ArrayBuffer>;
let long: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	clip = await sampleClip({ seconds: 2 });
	long = await sampleClip({ seconds: 5 });
});

const json = (call: EngineCall | undefined): Record<string, unknown> =>
	JSON.parse(call?.body ?? "{}") as Record<string, unknown>;
const refused = (status: number, message: string) => [{ status, body: { error: { message } } }];
const everywhere = { isAllowed: () => true };

describe("videos-api", () => {
	const json415 = refused(415, "Unsupported media type");

	test.each([400, 415, 422])(
		"a server that refuses JSON with %i is asked with a form, with seconds and frames",
		async status => {
			const rig = await startRig("videos-api", {
				clip,
				changes: {
					"POST /v1/videos": call =>
						call.headers["content-type"]?.startsWith("multipart/form-data")
							? { body: { id: "video_1", status: "queued" } }
							: { status, body: { detail: [{ loc: ["body", "prompt"], msg: "Field required" }] } },
				},
			});
			expect((await rig.finished(await rig.create())).status).toBe("complete");
			const [first, second, ...more] = rig.server.orders;
			expect(json(first)).toEqual({
				model: "wan-2.6",
				prompt: "A paper boat\n\nnatural movement",
				seconds: "2",
			});
			for (const field of [
				'name="prompt"\r\n\r\nA paper boat\n\nnatural movement\r\n',
				'name="seconds"\r\n\r\n2\r\n',
				'name="num_frames"\r\n\r\n33\r\n',
				'name="fps"\r\n\r\n16\r\n',
				'name="model"\r\n\r\nwan-2.6',
			]) {
				expect(second?.body).toContain(field);
			}
			expect(more).toEqual([]);
		},
	);

	test("a refusal of both forms says why it was the form, and of JSON alone why it was that", async () => {
		const both = await startRig("videos-api", {
			clip,
			changes: {
				"POST /v1/videos": call =>
					call.headers["content-type"] === "application/json"
						? { status: 422, body: { detail: "Field required" } }
						: { status: 400, body: { detail: "No such model: wan-2.6" } },
			},
		});
		expect(await both.finished(await both.create())).toMatchObject({
			message: expect.stringMatching(/400: No such model/),
		});
		const jsonAlone = await startRig("videos-api", {
			clip,
			changes: {
				"POST /v1/videos": call =>
					call.headers["content-type"] === "application/json"
						? { status: 400, body: { error: { message: "The prompt is not allowed" } } }
						: { status: 415, body: {} },
			},
		});
		expect(await jsonAlone.finished(await jsonAlone.create())).toMatchObject({
			message: expect.stringMatching(/400: The prompt is not allowed/),
		});
	});

	/** A server that makes no video of other lengths than these, and refuses in these words. */
	const pickyRig = (lengths: readonly number[], message: string) =>
		startRig("videos-api", {
			clip,
			changes: {
				"POST /v1/videos": call =>
					call.headers["content-type"] === "application/json" &&
					lengths.includes(Number(json(call)["seconds"]))
						? { body: { id: "video_1", status: "queued" } }
						: { status: 400, body: { error: { message } } },
			},
		});

	test.each([
		["Invalid seconds. Supported values are: '4', '8', and '12'.", 3, "4, 8, 12 s"],
		["seconds must be between 3 and 15", 2, "3 to 15 s"],
		["duration: Input should be greater than or equal to 5", 4, "at least 5 s"],
		["Duration must be in range [5, 10]", 4, "5 to 10 s"],
		["Only 30s-60s videos; duration is too short", 2, "30 to 60 s"],
	])("T51: no longer video is ordered than was shown: %s", async (message, duration, words) => {
		const rig = await pickyRig([30], message);
		const ended = await rig.finished(await rig.create({ prompt: "A fox", duration }));
		expect(ended).toMatchObject({
			status: "failed",
			message: expect.stringContaining(`makes videos of ${words}, not of ${duration} s.`),
		});
		expect(rig.server.orders).toHaveLength(1);
	});

	test.each([
		["Invalid seconds. Supported values are: '8', '2', and '12'.", [2, 8, 12], 3, 2],
		["seconds must be between 1 and 3", [1, 3], 4, 3],
		["`duration` must be at most 3 seconds", [3], 4, 3],
		["The maximum allowed duration is 3", [3], 4, 3],
	])(
		"T51: the longest allowed video that costs no more is ordered, and a note says so: %s",
		async (message, lengths, duration, asked) => {
			const rig = await pickyRig(lengths, message);
			const id = await rig.create({ prompt: "A fox", duration });
			expect((await rig.finished(id)).status).toBe("complete");
			expect(await rig.details(id)).toMatchObject({
				note: expect.stringContaining(`The video has ${asked} s`),
			});
			expect(rig.server.orders.map(call => json(call)["seconds"])).toEqual([
				String(duration),
				String(asked),
			]);
		},
	);

	test("T51: a refusal with other numbers is told as it is", async () => {
		const message = "A video with duration 4 needs at least 20 credits, model ray-1-2 is full.";
		const rig = await pickyRig([], message);
		expect(await rig.finished(await rig.create({ prompt: "A fox", duration: 4 }))).toMatchObject({
			message: expect.stringContaining(message),
		});
	});

	/** A server whose video has this status and these fields when it is asked for. */
	const statusRig = (video: object) =>
		startRig("videos-api", url => ({
			"POST /v1/videos": [{ body: { data: { task_id: "v1", status: "NOT_START" } } }],
			"GET /v1/videos/v1": [
				{ body: JSON.parse(JSON.stringify(video).replaceAll("HOST", url)) as object },
			],
			"GET /v1/videos/v1/content": [{ body: clip }],
			"GET /files/v.mp4": [{ body: clip }],
		}));

	test.each<object>([
		{ id: "v1", status: "SUCCESS" },
		{ status: "done", video: { url: "HOST/files/v.mp4" } },
		{ status: "completed", metadata: { url: "HOST/files/v.mp4" } },
		{ status: "succeeded", output: ["HOST/files/v.mp4"] },
		{ data: { task_id: "v1", task_status: "TASK_STATUS_SUCCEED", video_url: "HOST/files/v.mp4" } },
		{ output: { task_id: "v1", task_status: "SUCCEEDED", video_url: "HOST/files/v.mp4" } },
		{ task_status: "SUCCESS", video_result: [{ url: "HOST/files/v.mp4" }] },
		{ state: "finished", content: { video_url: "HOST/files/v.mp4" } },
	])("a gateway's words for a ready video are understood: %j", async video => {
		const rig = await statusRig(video);
		expect(await rig.finished(await rig.create())).toMatchObject({ status: "complete" });
		const isNamed = JSON.stringify(video).includes("HOST");
		expect(rig.server.calls.at(-1)?.url).toBe(isNamed ? "/files/v.mp4" : "/v1/videos/v1/content");
	});

	test.each<object>([
		{ id: "v1", status: "FAILURE", fail_reason: "content policy" },
		{ data: { id: "v1", status: "error", error: { message: "content policy" } } },
		{ id: "v1", status: "rejected", message: "content policy" },
		{ id: "v1", status: "FAILED", failure: "content policy", failureCode: "SAFETY" },
		{ output: { task_id: "v1", task_status: "FAILED", message: "content policy" } },
	])("a gateway's words for a failed video are understood, and told: %j", async video => {
		const rig = await statusRig(video);
		expect(await rig.finished(await rig.create())).toMatchObject({
			status: "failed",
			message: expect.stringContaining("content policy"),
		});
	});

	test("T2: a file is followed to another host, without the key, and to a private one it is not", async () => {
		const elsewhere = await startEngineServer(() => ({ "*": [{ body: clip }] }));
		const script = {
			"POST /v1/videos": [{ body: { id: "v1", status: "queued" } }],
			"GET /v1/videos/v1": [{ body: { id: "v1", status: "completed" } }],
			"GET /v1/videos/v1/content": [
				{ status: 302, headers: { location: `${elsewhere.url}/v.mp4` } },
			],
		};
		const open = await startRig("videos-api", () => script, { network: everywhere });
		expect(await open.finished(await open.create())).toMatchObject({ status: "complete" });
		expect(elsewhere.calls.map(({ url }) => url)).toEqual(["/v.mp4"]);
		expect(elsewhere.calls.every(({ headers }) => headers.authorization === undefined)).toBe(true);
		const closed = await startRig("videos-api", () => script);
		expect(await closed.finished(await closed.create())).toMatchObject({ status: "failed" });
		expect(elsewhere.calls).toHaveLength(1);
	});

	test("LocalAI's path is asked when there is no other, and answers with the file at once", async () => {
		const rig = await startRig("videos-api", url => ({
			"POST /video": [
				{ afterMs: 50, body: { created: 1, data: [{ url: `${url}/generated/1.mp4` }] } },
			],
			"GET /generated/1.mp4": [{ body: clip }],
		}));
		const done = await rig.finished(await rig.create());
		expect(done.status).toBe("complete");
		const [, order] = rig.server.orders;
		expect(json(order)).toMatchObject({ seconds: "2", num_frames: 33, fps: 16 });
		expect(rig.server.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
			"POST /v1/videos",
			"POST /video",
			"GET /generated/1.mp4",
		]);
	});

	test.each([
		["url", (url: string) => ({ url: `${url}/files/a.mp4` })],
		["data[].url", (url: string) => ({ data: [{ url: `${url}/files/a.mp4` }] })],
		["a path", () => ({ url: "/files/a.mp4" })],
		[
			"this machine under another name",
			(url: string) => ({ url: `${url.replace("127.0.0.1", "localhost")}/files/a.mp4` }),
		],
	])("the file is where %s says", async (_, fields) => {
		const rig = await startRig("videos-api", url => ({
			"POST /v1/videos": [{ body: { id: "video_1", status: "queued" } }],
			"GET /v1/videos/video_1": [{ body: { id: "video_1", status: "succeeded", ...fields(url) } }],
			"GET /files/a.mp4": [{ body: clip }],
		}));
		expect((await rig.finished(await rig.create())).status).toBe("complete");
		expect(rig.server.calls.at(-1)?.headers.authorization).toContain(engineKey);
	});

	test("T1: a file at another server is loaded without the key, from public addresses alone", async () => {
		const store = await startEngineServer(() => ({ "GET /a.mp4": [{ body: clip }] }));
		const script = {
			"POST /v1/videos": [{ body: { id: "video_1", status: "queued" } }],
			"GET /v1/videos/video_1": [
				{ body: { id: "video_1", status: "completed", url: `${store.url}/a.mp4` } },
			],
			"GET /v1/videos/video_1/content": refused(404, "Not here"),
		};
		const open = await startRig("videos-api", () => script, { network: everywhere });
		expect((await open.finished(await open.create())).status).toBe("complete");
		expect(store.calls).toHaveLength(1);
		expect(store.calls[0]?.headers.authorization).toBeUndefined();
		const guarded = await startRig("videos-api", () => script);
		expect(await guarded.finished(await guarded.create())).toMatchObject({
			status: "failed",
			message: expect.stringMatching(/address of this machine or its network/),
		});
		expect(store.calls).toHaveLength(1);
	});

	test("where the named address cannot be had, the file comes by its id", async () => {
		const rig = await startRig("videos-api", {
			clip,
			changes: {
				"GET /v1/videos/video_1": [
					{ body: { id: "video_1", status: "completed", url: "http://10.0.0.1/a.mp4" } },
				],
			},
		});
		expect((await rig.finished(await rig.create())).status).toBe("complete");
	});

	test("T27: a file at another host is asked for with encryption alone, and no more than 8 addresses are tried", async () => {
		const store = await startEngineServer(() => ({ "*": [{ body: clip }] }));
		const { port } = new URL(store.url);
		const looked: string[] = [];
		const resolve = async (name: string) => {
			looked.push(name);
			return await Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
		};
		const urls = Array.from({ length: 500 }, (_, index) => `http://${index}.example:${port}/a.mp4`);
		const rig = await startRig(
			"videos-api",
			{
				clip,
				changes: {
					"GET /v1/videos/video_1": [{ body: { id: "video_1", status: "completed", data: urls } }],
				},
			},
			{ network: { ...everywhere, resolve } },
		);
		expect((await rig.finished(await rig.create())).status).toBe("complete");
		expect(looked).toHaveLength(8);
		expect(store.calls).toEqual([]);
	});

	test.each(["queued", "in_progress", "processing", "pending", "warming_up", undefined])(
		"the status %s means to wait",
		async status => {
			const rig = await startRig("videos-api", {
				clip,
				changes: {
					"GET /v1/videos/video_1": [
						{ body: { id: "video_1", status } },
						{ body: { id: "video_1", status: "completed" } },
					],
				},
			});
			expect((await rig.finished(await rig.create())).status).toBe("complete");
		},
	);

	test.each(["failed", "cancelled", "expired"])(
		"the status %s is an end, with its words",
		async status => {
			const rig = await startRig("videos-api", {
				clip,
				changes: {
					"GET /v1/videos/video_1": [
						{
							body: {
								id: "video_1",
								status,
								error: { code: "x", message: `Too hot ${engineKey}` },
							},
						},
					],
				},
			});
			expect(await rig.finished(await rig.create())).toMatchObject({
				status: "failed",
				message: expect.stringMatching(/failed to make the video: Too hot \[redacted\]/),
			});
		},
	);

	test("an image goes as a reference: its address in JSON, its bytes in a form", async () => {
		const store = await startEngineServer(() => ({
			"GET /a.png": [{ headers: { "content-type": "image/png" }, body: images.png }],
		}));
		const rig = await startRig(
			"videos-api",
			{
				clip,
				changes: {
					"POST /v1/videos": call =>
						call.headers["content-type"] === "application/json"
							? (json415[0] ?? {})
							: { body: { id: "video_1", status: "queued" } },
				},
			},
			{ network: everywhere },
		);
		const url = `${store.url}/a.png`;
		const id = await rig.create({ image_url: url, motion_strength: 1 }, "image");
		expect((await rig.finished(id)).status).toBe("complete");
		const [first, second] = rig.server.orders;
		expect(json(first)).toMatchObject({
			input_reference: { image_url: url },
			prompt: "almost still, with the slightest movement",
		});
		expect(second?.body).toContain('name="input_reference"; filename="image.png"');
	});

	test("progress is told beside the generation, which stays in progress until the file is here", async () => {
		const rig = await startRig("videos-api", {
			clip,
			changes: {
				"GET /v1/videos/video_1": [
					{ body: { id: "video_1", status: "in_progress", progress: 42 } },
					{ afterMs: 400, body: { id: "video_1", status: "completed" } },
				],
				"GET /v1/videos/video_1/content": [{ afterMs: 400, body: clip }],
			},
		});
		const id = await rig.create();
		await vi.waitFor(async () =>
			expect(await rig.details(id)).toMatchObject({ stage: "generating", share: 0.42 }),
		);
		await vi.waitFor(async () =>
			expect(await rig.details(id)).toMatchObject({ stage: "downloading" }),
		);
		expect((await rig.lookUp(id)).status).toBe("in_progress");
		expect((await rig.finished(id)).status).toBe("complete");
		expect(await rig.details(id)).toEqual({ engine: new URL(rig.server.url).host });
	});

	test("a clip that cannot be cut is as long as it came, and it is said why", async () => {
		const odd = Buffer.concat([Buffer.from("....ftypisom"), Buffer.alloc(200)]);
		const rig = await startRig("videos-api", { clip: odd });
		const id = await rig.create();
		expect((await rig.finished(id)).status).toBe("complete");
		expect(await rig.details(id)).toMatchObject({
			note: expect.stringMatching(/as long as the model/),
		});
	});
});

describe("openrouter", () => {
	test("a length the model has is asked for, and the clip is cut back; the cost is told", async () => {
		const rig = await startRig("openrouter", { clip: long }, { setup: { durations: [10, 5, 8] } });
		const id = await rig.create({ prompt: "A fox", duration: 2, motion_strength: 5 });
		const done = await rig.finished(id);
		expect(json(rig.server.orders[0])).toEqual({
			model: "wan-2.6",
			prompt: "A fox\n\nfast, energetic movement",
			duration: 5,
		});
		expect((await clipBytes(done)).length).toBeLessThan(long.length);
		expect(await rig.details(id)).toMatchObject({ cost: 0.4 });
	});

	test("T1: an address to ask at that is not the server's own is not used", async () => {
		const elsewhere = await startEngineServer(() => ({ "*": [{ body: {} }] }));
		const rig = await startRig("openrouter", {
			clip,
			changes: {
				"POST /api/v1/videos": [
					{ body: { id: "job-1", status: "pending", polling_url: `${elsewhere.url}/x` } },
				],
			},
		});
		expect((await rig.finished(await rig.create())).status).toBe("complete");
		expect(elsewhere.calls).toEqual([]);
	});

	test("an image goes by its address, as the first frame", async () => {
		const store = await startEngineServer(() => ({ "GET /a.png": [{ body: images.png }] }));
		const rig = await startRig("openrouter", { clip }, { network: everywhere });
		const url = `${store.url}/a.png`;
		expect((await rig.finished(await rig.create({ image_url: url }, "image"))).status).toBe(
			"complete",
		);
		expect(json(rig.server.orders[0])).toMatchObject({
			frame_images: [{ type: "image_url", image_url: { url }, frame_type: "first_frame" }],
		});
	});

	test("the models are listed with their lengths and prices; a failure is a sentence", async () => {
		const rig = await startRig("openrouter", {
			clip,
			changes: {
				"GET /api/v1/videos/models": [
					{
						body: {
							data: [
								{
									id: "google/veo",
									name: "Veo",
									supported_durations: [4, 6, 8],
									pricing_skus: {
										duration_seconds_720p: "0.03",
										duration_seconds_1080p: "0.05",
									},
								},
								{ id: "x/tokens", pricing_skus: { video_tokens: "0.0001" } },
							],
						},
					},
					{ ...pageReply },
					...refused(401, "No key"),
				],
			},
		});
		const list = () => listVideoModels(rig.setup, systemClock, new AbortController().signal);
		expect(await list()).toEqual({
			models: [
				{
					id: "google/veo",
					label: "Veo",
					durations: [4, 6, 8],
					price: { per: "second", min: 0.03, max: 0.05 },
				},
				{ id: "x/tokens", label: "x/tokens", durations: [] },
			],
		});
		expect(await list()).toMatchObject({
			models: [],
			failure: expect.stringContaining("web page"),
		});
		expect(await list()).toMatchObject({ wantsKey: true, failure: expect.stringContaining("key") });
	});

	test("a price is read only where it is the whole one", () => {
		expect(readPrice({ cents_per_second_output: "12" })).toEqual({
			per: "second",
			min: 0.12,
			max: 0.12,
		});
		expect(readPrice({ per_video: 0.5 })).toEqual({ per: "video", min: 0.5, max: 0.5 });
		expect(readPrice({ duration_seconds: "0.1", video_tokens: "0.1" })).toBeUndefined();
		expect(readPrice({ duration_seconds: "0.1", per_video: "1" })).toBeUndefined();
		expect(readPrice({ duration_seconds: "free" })).toBeUndefined();
		expect(readPrice({})).toBeUndefined();
	});
});

describe("comfyui", () => {
	test("the workflow gets prompt, seed, frames and image in their places, and nothing else", async () => {
		const store = await startEngineServer(() => ({ "GET /a.png": [{ body: images.png }] }));
		const rig = await startRig("comfyui", { clip }, { network: everywhere });
		const done = await rig.finished(
			await rig.create({ image_url: `${store.url}/a.png`, duration: 3 }, "image"),
		);
		expect(done.status).toBe("complete");
		const upload = rig.server.calls.find(({ url }) => url === "/upload/image");
		expect(upload?.body).toContain('name="image"; filename="cutaway-');
		const { prompt } = json(rig.server.orders[0]) as {
			prompt: Record<string, { inputs: Record<string, unknown> }>;
		};
		expect(prompt["6"]?.inputs["text"]).toBe("natural movement");
		expect(prompt["7"]?.inputs["text"]).toBe("blurry");
		expect(prompt["40"]?.inputs["length"]).toBe(49);
		expect(prompt["52"]?.inputs["image"]).toBe("cutaway.png");
		expect(prompt["3"]?.inputs["seed"]).not.toBe(1);
		expect(prompt["3"]?.inputs["steps"]).toBe(20);
	});

	test("progress comes by the WebSocket of the one who asked, and its end is looked at at once", async () => {
		const rig = await startRig("comfyui", {
			clip,
			changes: {
				"GET /history/prompt-1": [{ body: {} }, { body: {} }, { body: {} }, { body: {} }],
			},
		});
		const id = await rig.create();
		await vi.waitFor(() => expect(rig.server.followers).toHaveLength(1));
		expect(rig.server.followers).toEqual([json(rig.server.orders[0])["client_id"]]);
		const progress = (prompt_id: string, value: number) =>
			rig.server.tell({ type: "progress", data: { value, max: 20, prompt_id, node: "3" } });
		progress("prompt-2", 19);
		progress("prompt-1", 5);
		await vi.waitFor(async () => expect(await rig.details(id)).toMatchObject({ share: 0.25 }));
		rig.server.tell("nonsense");
		rig.server.tell({ type: "status", data: {} });
		rig.server.tell({ type: "execution_success", data: { prompt_id: "prompt-1" } });
		expect((await rig.lookUp(id)).status).toBe("in_progress");
	});

	test.each([
		[
			"a refused workflow says which node is to blame",
			{
				"POST /prompt": [
					{
						status: 400,
						body: {
							error: {
								type: "prompt_outputs_failed_validation",
								message: "Prompt outputs failed validation",
							},
							node_errors: {
								"4": {
									class_type: "UNETLoader",
									errors: [
										{ message: "Value not in list", details: "unet_name: 'wan.safetensors'" },
									],
								},
							},
						},
					},
				],
			},
			/UNETLoader: Value not in list: unet_name/,
		],
		[
			"an error of a node is told",
			{
				"GET /history/prompt-1": [
					{
						body: comfyHistory(
							{},
							{
								status_str: "error",
								completed: false,
								messages: [
									["execution_start", {}],
									[
										"execution_error",
										{ node_type: "KSampler", exception_message: "Out of memory" },
									],
								],
							},
						),
					},
				],
			},
			/failed to make the video: KSampler: Out of memory/,
		],
		[
			"a workflow that saves pictures alone is told",
			{
				"GET /history/prompt-1": [
					{ body: comfyHistory({ images: [{ ...comfyFile, filename: "a.png" }] }) },
				],
			},
			/saved no video, only a.png/,
		],
		[
			"a workflow that ran nothing, because it had made the same before, is told",
			{
				"GET /history/prompt-1": [
					{
						body: {
							"prompt-1": {
								outputs: {},
								status: { completed: true, messages: [["execution_cached", { nodes: ["3"] }]] },
							},
						},
					},
				],
			},
			/had made this video before and ran nothing/,
		],
	])("%s", async (_, changes, says) => {
		const rig = await startRig("comfyui", { clip, changes });
		expect(await rig.finished(await rig.create())).toMatchObject({
			status: "failed",
			message: expect.stringMatching(says),
		});
	});

	test("a workflow that is gone, of another format or has other nodes is never sent", async () => {
		const rig = await startRig("comfyui", { clip });
		const { workflow } = rig.setup;
		const file = workflow?.file ?? "";
		const says = async (pattern: RegExp): Promise<void> =>
			expect(await rig.finished(await rig.create())).toMatchObject({
				status: "failed",
				message: expect.stringMatching(pattern),
			});
		rig.setup = { ...rig.setup, workflow: { file, prompt: "99.text" } };
		await says(/has changed/);
		rig.setup = { ...rig.setup, workflow: undefined };
		await says(/isn't in ComfyUI's API format/);
		rig.setup = { ...rig.setup, workflow };
		await writeFile(file, JSON.stringify({ nodes: [], links: [] }));
		await says(/isn't in ComfyUI's API format/);
		const saver = { class_type: "SaveAnimatedWEBP", inputs: { images: ["8", 0] } };
		await writeFile(
			file,
			JSON.stringify({ 6: { class_type: "CLIPTextEncode", inputs: { text: "" } }, 9: saver }),
		);
		await says(/saves images alone \(SaveAnimatedWEBP\), no video/);
		const combine = { class_type: "VHS_VideoCombine", inputs: { format: "image/webp" } };
		await writeFile(file, JSON.stringify({ 9: combine }));
		await says(/saves images alone \(VHS_VideoCombine\), no video/);
		await writeFile(file, JSON.stringify({ 7: { inputs: {} }, 9: saver }));
		await says(/its node 7 has no class_type/);
		await rm(file);
		await says(/isn't in ComfyUI's API format/);
		expect(rig.server.orders).toEqual([]);
	});
});
