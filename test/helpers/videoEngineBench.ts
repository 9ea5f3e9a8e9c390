import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/common/async.ts";
import type { RemoteEngineKind, VideoEngineSetup } from "../../src/common/videoEngines.ts";
import type { NetworkOptions } from "../../src/localService/base/publicFetch.ts";
import type { VideoServiceOptions } from "../../src/localService/video/generations.ts";
import { trimClip } from "../../src/localService/videoEngines/trim/clipTrim.ts";
import { openEngines } from "../../src/localService/videoEngines/openEngines.ts";
import type { EngineReply, EngineScript } from "./videoEngineServer.ts";

/** The thread that cuts clips, from the source. */
export const trimFile = new URL(
	"../../src/localService/videoEngines/trim/worker.ts",
	import.meta.url,
);

/** The key that the tests give an engine's server. */
export const engineKey = "sk-engine-0123456789";

/** A workflow of three nodes, in ComfyUI's API format. */
export const sampleWorkflow = {
	"3": {
		class_type: "KSampler",
		inputs: { seed: 1, steps: 20, positive: ["6", 0], negative: ["7", 0] },
		_meta: { title: "KSampler" },
	},
	"6": {
		class_type: "CLIPTextEncode",
		inputs: { text: "a fox", clip: ["38", 0] },
		_meta: { title: "CLIP Text Encode (Positive Prompt)" },
	},
	"7": {
		class_type: "CLIPTextEncode",
		inputs: { text: "blurry", clip: ["38", 0] },
		_meta: { title: "CLIP Text Encode (Negative Prompt)" },
	},
	"40": {
		class_type: "EmptyHunyuanLatentVideo",
		inputs: { width: 848, height: 480, length: 33, batch_size: 1 },
	},
	"52": { class_type: "LoadImage", inputs: { image: "example.png" } },
	"54": { class_type: "CreateVideo", inputs: { fps: 16, images: ["8", 0] } },
} as const;

/** The setup of an engine at an address, with a key for it; the workflow is written into `folder`. */
export async function engineSetup(
	engine: RemoteEngineKind,
	url: string,
	folder: string,
	changes: Partial<VideoEngineSetup> = {},
): Promise<VideoEngineSetup> {
	const file = join(folder, "workflow.json");
	await writeFile(file, JSON.stringify(sampleWorkflow));
	return {
		engine,
		baseUrl: url,
		model: "wan-2.6",
		durations: [],
		motionPhrases: [],
		workflow: {
			file,
			prompt: "6.text",
			seed: "3.seed",
			frames: "40.length",
			image: "52.image",
			framesPerSecond: 16,
		},
		headers: { [new URL(url).origin]: { authorization: ["Bearer", engineKey].join(" ") } },
		...changes,
	};
}

/** Puts an engine before the local renderer, as the service's thread does. */
export function withEngine(
	folder: string,
	setup: () => VideoEngineSetup,
	network?: NetworkOptions,
): Pick<VideoServiceOptions, "withEngines"> {
	return {
		withEngines: (local, clock, log) =>
			openEngines(
				{ folder, trimFile, setup, trim: trimClip, ...(network ? { network } : {}) },
				local,
				clock ?? systemClock,
				log,
			),
	};
}

/** The script of a server that makes each video at once; `steps` change its replies. */
export function goodScript(
	engine: RemoteEngineKind,
	clip: Uint8Array,
	changes: EngineScript = {},
): (url: string) => EngineScript {
	const scripts: Readonly<Record<RemoteEngineKind, (url: string) => EngineScript>> = {
		"videos-api": () => ({
			"POST /v1/videos": [{ body: { id: "video_1", object: "video", status: "queued" } }],
			"GET /v1/videos/video_1": [
				{ body: { id: "video_1", status: "in_progress", progress: 40 } },
				{ body: { id: "video_1", status: "completed", progress: 100 } },
			],
			"GET /v1/videos/video_1/content": [{ body: clip }],
		}),
		openrouter: url => ({
			"POST /api/v1/videos": [
				{
					status: 202,
					body: { id: "job-1", polling_url: "/api/v1/videos/job-1", status: "pending" },
				},
			],
			"GET /api/v1/videos/job-1": [
				{ body: { id: "job-1", status: "in_progress" } },
				{
					body: {
						id: "job-1",
						status: "completed",
						unsigned_urls: [`${url}/api/v1/videos/job-1/content?index=0`],
						usage: { cost: 0.4 },
					},
				},
			],
			"GET /api/v1/videos/job-1/content": [{ body: clip }],
		}),
		comfyui: () => ({
			"POST /prompt": [{ body: { prompt_id: "prompt-1", number: 1, node_errors: {} } }],
			"POST /upload/image": [{ body: { name: "cutaway.png", subfolder: "", type: "input" } }],
			"GET /queue": [{ body: { queue_running: [[0, "prompt-1", {}, {}, []]], queue_pending: [] } }],
			"GET /history/prompt-1": [{ body: {} }, { body: comfyHistory({ gifs: [comfyFile] }) }],
			"GET /view": [{ body: clip }],
		}),
	};
	return url => ({ ...scripts[engine](url), ...changes });
}

/** A file as ComfyUI's history names it. */
export const comfyFile = { filename: "out_00001.mp4", subfolder: "video", type: "output" };

/** The history of the prompt with these outputs of its last node. */
export function comfyHistory(
	output: object,
	status: object = { status_str: "success", completed: true, messages: [] },
): object {
	return { "prompt-1": { prompt: [1, "prompt-1", {}, {}, []], outputs: { "55": output }, status } };
}

/** A page such as a proxy or a sign-in shows. */
export const pageReply: EngineReply = {
	headers: { "content-type": "text/html" },
	body: "<!doctype html><title>Sign in</title><p>Please sign in.</p>",
};
