// @module-tag thorough
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type RemoteEngineKind, remoteEngineKinds } from "../../../../src/common/videoEngines.ts";
import { comfyHistory, engineKey, pageReply } from "../../../helpers/videoEngineBench.ts";
import { sampleClip } from "../../../helpers/sampleClip.ts";
import {
	type EngineReply,
	type EngineScript,
	startEngineServer,
} from "../../../helpers/videoEngineServer.ts";
import { clipBytes, type EngineRig, type LookedUp, startRig } from "./engineRig.ts";

vi.setConfig({ testTimeout: 60_000 });

let clip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	clip = await sampleClip({ seconds: 2 });
});

/** The requests of an engine, by what they are for. */
const keys: Readonly<
	Record<RemoteEngineKind, Readonly<Record<"order" | "look" | "file", string>>>
> = {
	"videos-api": {
		order: "POST /v1/videos",
		look: "GET /v1/videos/video_1",
		file: "GET /v1/videos/video_1/content",
	},
	openrouter: {
		order: "POST /api/v1/videos",
		look: "GET /api/v1/videos/job-1",
		file: "GET /api/v1/videos/job-1/content",
	},
	comfyui: { order: "POST /prompt", look: "GET /history/prompt-1", file: "GET /view" },
};

/** What an engine's server answers when all is well. */
function good(
	engine: RemoteEngineKind,
	url = "",
): Readonly<Record<"order" | "look" | "file", EngineReply>> {
	const look = {
		"videos-api": { id: "video_1", status: "completed" },
		openrouter: {
			id: "job-1",
			status: "completed",
			unsigned_urls: [`${url}/api/v1/videos/job-1/content`],
		},
		comfyui: comfyHistory({
			gifs: [{ filename: "out_00001.mp4", subfolder: "video", type: "output" }],
		}),
	};
	const order = {
		"videos-api": { id: "video_1", status: "queued" },
		openrouter: { id: "job-1", polling_url: "/api/v1/videos/job-1", status: "pending" },
		comfyui: { prompt_id: "prompt-1", number: 1, node_errors: {} },
	};
	return { order: { body: order[engine] }, look: { body: look[engine] }, file: { body: clip } };
}

type Replies = Partial<Record<"order" | "look" | "file", readonly (EngineReply | "good")[]>>;

/** A rig whose server answers these, where «good» stands for what it answers when all is well. */
async function rigOf(
	engine: RemoteEngineKind,
	replies: Replies,
	more: EngineScript = {},
): Promise<EngineRig> {
	return startRig(engine, url => {
		const fine = good(engine, url);
		const told = (["order", "look", "file"] as const).map(what => [
			keys[engine][what],
			(replies[what] ?? ["good"]).map(reply => (reply === "good" ? fine[what] : reply)),
		]);
		return {
			"GET /queue": [{ body: { queue_running: [], queue_pending: [] } }],
			"GET /history": [{ body: {} }],
			...(Object.fromEntries(told) as EngineScript),
			...more,
		};
	});
}

interface Shape {
	readonly name: string;
	readonly replies: Replies;
	/** What a failed one says; a shape without it comes to a clip. */
	readonly says?: RegExp;
	/** How often it is asked for a video, which might be charged each time. */
	readonly orders: number;
}

const words = (status: number, message: string, headers = {}): EngineReply => ({
	status,
	headers,
	body: { error: { message } },
});
const passing: readonly EngineReply[] = [
	words(500, "Oops"),
	words(503, "Busy", { "retry-after": "1" }),
	{ ...pageReply, status: 502 },
	{ ...pageReply },
	{ ending: "reset" },
	words(429, "Slow down"),
];
const mayBeCharged = /may have been accepted, and charged. It won't be sent again automatically/;

const shapes: readonly Shape[] = [
	{
		name: "the key is refused with 401",
		replies: { order: [words(401, `Bad key ${engineKey}.`)] },
		says: /didn't accept the key \(401: Bad key \[redacted\]/,
		orders: 1,
	},
	{
		name: "the key is refused with 403",
		replies: { order: [words(403, "No.")] },
		says: /didn't accept the key \(403/,
		orders: 1,
	},
	{
		name: "there is no credit left",
		replies: { order: [words(402, "Insufficient credits")] },
		says: /answered 402: Insufficient credits/,
		orders: 1,
	},
	{
		name: "the order is asked to wait once",
		replies: { order: [words(429, "Slow down", { "retry-after": "1" }), "good"] },
		orders: 2,
	},
	{
		name: "the order is asked to wait again and again",
		replies: { order: [words(429, "Slow down")] },
		says: /answered 429: Slow down/,
		orders: 3,
	},
	{
		name: "the order is asked to wait for an hour",
		replies: { order: [words(429, "Daily limit", { "retry-after": "3600" })] },
		says: /Daily limit/,
		orders: 1,
	},
	{
		name: "the order fails inside the server",
		replies: { order: [words(500, "CUDA out of memory"), "good"] },
		says: /CUDA out of memory.*may have been accepted, and charged/s,
		orders: 1,
	},
	{
		name: "the order's gateway fails",
		replies: { order: [{ ...pageReply, status: 504 }, "good"] },
		says: mayBeCharged,
		orders: 1,
	},
	{
		name: "the connection breaks before the order's answer",
		replies: { order: [{ ending: "reset" }, "good"] },
		says: mayBeCharged,
		orders: 1,
	},
	{
		name: "the order's answer breaks off",
		replies: { order: [{ body: { id: "x".repeat(500) }, ending: "half" }, "good"] },
		says: mayBeCharged,
		orders: 1,
	},
	{
		name: "a proxy's page comes for the order",
		replies: { order: [pageReply, "good"] },
		says: /answered with a web page.*may have been accepted/s,
		orders: 1,
	},
	{
		name: "the order's answer has fields of other types",
		replies: { order: [{ body: { id: { x: 1 }, prompt_id: 5 } }, "good"] },
		says: mayBeCharged,
		orders: 1,
	},
	{
		name: "the order is taken without an id",
		replies: { order: [{ body: { status: "queued" } }, "good"] },
		says: mayBeCharged,
		orders: 1,
	},
	{
		name: "looks fail in every way that passes",
		replies: { look: [...passing, "good"] },
		orders: 1,
	},
	{
		name: "the key is refused while it is made, and accepted again",
		replies: { look: [words(401, "Expired"), words(403, "Expired"), "good"] },
		orders: 1,
	},
	{
		name: "the id is not known for a moment",
		replies: { look: [words(404, "Not found"), words(404, "Not found"), "good"] },
		orders: 1,
	},
	{
		name: "the id is dead",
		replies: { look: [words(404, "Not found")] },
		says: /does not know this video any more/,
		orders: 1,
	},
	{
		name: "the file is empty at first",
		replies: { file: [{ body: "" }, "good"] },
		orders: 1,
	},
	{
		name: "the file fails in every way that passes",
		replies: {
			file: [words(500, "Oops"), { ending: "reset" }, words(429, "Slow"), pageReply, "good"],
		},
		orders: 1,
	},
	{
		name: "a page comes for the file each time",
		replies: { file: [pageReply] },
		says: /made, but could not be loaded.*sent no video \(text\/html\).*Its id there is/s,
		orders: 1,
	},
	{
		name: "the file is empty each time",
		replies: { file: [{ body: "" }] },
		says: /sent an empty file/,
		orders: 1,
	},
	{
		name: "the file is gone",
		replies: { file: [words(410, "Expired")] },
		says: /could not be loaded.*410: Expired/s,
		orders: 1,
	},
	{
		name: "the file is larger than any clip",
		replies: {
			file: [
				{ headers: { "content-length": String(300 * 1024 * 1024) }, body: "x", ending: "open" },
			],
		},
		says: /larger than 256 MB/,
		orders: 1,
	},
];

describe.each(remoteEngineKinds)("%s", engine => {
	test.each(shapes)("$name", async ({ replies, says, orders }) => {
		const rig = await rigOf(engine, replies);
		const done = await rig.finished(await rig.create());
		if (says) {
			expect(done).toMatchObject({ status: "failed", message: expect.stringMatching(says) });
			expect(done.message).not.toContain(engineKey);
		} else {
			expect(done).toMatchObject({ status: "complete" });
			expect(Buffer.from(await clipBytes(done)).equals(Buffer.from(clip))).toBe(true);
		}
		expect(rig.server.orders).toHaveLength(orders);
	});

	test("a file of many slow pieces comes whole", async () => {
		const rig = await rigOf(engine, { file: [{ body: clip, pieces: 40 }] });
		const done = await rig.finished(await rig.create());
		expect(Buffer.from(await clipBytes(done)).equals(Buffer.from(clip))).toBe(true);
	});

	test("a file that breaks off is loaded again", async () => {
		const rig = await rigOf(engine, { file: [{ body: clip, ending: "half" }, "good"] });
		const done = await rig.finished(await rig.create());
		expect(Buffer.from(await clipBytes(done)).equals(Buffer.from(clip))).toBe(true);
	});

	test("T1: the key goes with every request to the server, and with none elsewhere", async () => {
		const elsewhere = await startEngineServer(() => ({ "*": [{ body: clip }] }));
		const redirect = { status: 307, headers: { location: `${elsewhere.url}/v1/videos` } };
		for (const [what, says] of [
			["order", /redirect \(307\), which is not followed/],
			["file", /could not be loaded/],
		] as const) {
			const rig = await rigOf(engine, { [what]: [redirect] });
			const done = await rig.finished(await rig.create());
			expect(done).toMatchObject({ status: "failed", message: expect.stringMatching(says) });
			expect(
				rig.server.calls.every(({ headers }) => headers.authorization?.includes(engineKey)),
			).toBe(true);
		}
		expect(elsewhere.calls).toEqual([]);
	});

	test("a server that is not there is never charged, and asked again by the rule for what never left", async () => {
		const rig = await rigOf(engine, {});
		rig.setup = { ...rig.setup, baseUrl: "http://127.0.0.1:1" };
		const done = await rig.finished(await rig.create());
		expect(done).toMatchObject({ status: "failed", message: expect.stringMatching(/not running/) });
		expect(done.message).not.toMatch(/charged/);
		expect(rig.server.calls).toEqual([]);
	});

	test("an address that is none is refused before anything is recorded", async () => {
		const rig = await rigOf(engine, {});
		rig.setup = { ...rig.setup, baseUrl: "ftp://models" };
		const response = await rig.service.post("/v1/videos/text-to-video", { prompt: "A fox" });
		expect(response.status).toBe(424);
		expect(await response.text()).toContain("no valid base address");
	});

	test("T27: an image at a private address is not loaded, and nothing is asked", async () => {
		const rig = await rigOf(engine, {});
		const id = await rig.create({ image_url: "http://127.0.0.1:1/a.png" }, "image");
		expect(await rig.finished(id)).toMatchObject({
			status: "failed",
			message: expect.stringMatching(/address of this machine or its network/),
		});
		expect(rig.server.calls).toEqual([]);
	});

	test("a video stays with its server when another engine is chosen meanwhile", async () => {
		const rig = await rigOf(engine, { look: [words(503, "Busy"), "good"] });
		const id = await rig.create();
		rig.setup = { ...rig.setup, engine: "local", baseUrl: "" };
		const done: LookedUp = await rig.finished(id);
		expect(done.status).toBe("complete");
		expect(rig.server.orders).toHaveLength(1);
	});
});
