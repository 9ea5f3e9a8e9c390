import * as z from "zod/mini";
import { engineKinds, pullFailureReasons } from "../../common/models.ts";
import { videoEngineKinds } from "../../common/videoEngines.ts";
import { clipLooksSchema } from "../base/clipLooks.ts";

/** Messages between the extension host and the service's thread. */

/** Data for starting a thread. The only place through which the token passes (docs/security.md). */
export const workerDataSchema = z.object({
	token: z.string().check(z.minLength(32)),
	/** Folder for uploaded files, which the service creates and removes. */
	filesFolder: z.string().check(z.minLength(1)),
	/** Folder for videos, kept for a day. May be shared with other windows. */
	videosFolder: z.string().check(z.minLength(1)),
	/** Folder for data that models require with tool calls, kept for a week. May be shared with other windows. */
	callsFolder: z.string().check(z.minLength(1)),
	/** Folder for models that run on this machine. Shared with other windows. */
	modelsFolder: z.string().check(z.minLength(1)),
});
export type WorkerData = z.infer<typeof workerDataSchema>;

const serverSetupSchema = z.object({
	name: z.string(),
	baseUrl: z.string(),
	headers: z.record(z.string(), z.string()),
});

const modelSetupSchema = z.object({
	servers: z.readonly(z.array(serverSetupSchema)),
	contextLength: z.number().check(z.minimum(0)),
	engine: z.optional(z.enum(engineKinds)),
});

const headersSchema = z.record(z.string(), z.string());

const videoSetupSchema = z.object({
	engine: z.enum(videoEngineKinds),
	baseUrl: z.string(),
	model: z.string(),
	durations: z.readonly(z.array(z.number())),
	motionPhrases: z.readonly(z.array(z.string())),
	workflow: z.optional(
		z.object({
			file: z.string(),
			prompt: z.string(),
			seed: z.optional(z.string()),
			frames: z.optional(z.string()),
			image: z.optional(z.string()),
			framesPerSecond: z.optional(z.number()),
		}),
	),
	headers: z.record(z.string(), headersSchema),
});

const networkSetupSchema = z.object({
	mode: z.enum(["auto", "direct"]),
	proxy: z.string(),
	noProxy: z.readonly(z.array(z.string())),
	proxyAuthorization: z.string(),
	isProxyChecked: z.boolean(),
	hasSystemCertificates: z.boolean(),
});

const videoListingSchema = z.object({
	models: z.readonly(
		z.array(
			z.object({
				id: z.string(),
				label: z.string(),
				durations: z.readonly(z.array(z.number())),
				price: z.optional(
					z.object({ per: z.enum(["second", "video"]), min: z.number(), max: z.number() }),
				),
			}),
		),
	),
	failure: z.optional(z.string()),
	wantsKey: z.optional(z.boolean()),
});

const serverListingSchema = z.object({
	server: z.string(),
	baseUrl: z.optional(z.string()),
	kind: z.optional(z.enum(["openai", "ollama"])),
	models: z.readonly(
		z.array(
			z.object({
				id: z.string(),
				label: z.string(),
				server: z.string(),
				contextLength: z.optional(z.number()),
				maxContextLength: z.optional(z.number()),
				sizeBytes: z.optional(z.number()),
				isLoaded: z.optional(z.boolean()),
				tools: z.optional(z.boolean()),
				vision: z.optional(z.boolean()),
				thinking: z.optional(z.boolean()),
			}),
		),
	),
	failure: z.optional(z.string()),
	refused: z.optional(z.enum(["key", "address"])),
});

const pullProgressSchema = z.object({
	stage: z.enum(["starting", "downloading", "verifying", "writing"]),
	completedBytes: z.number(),
	totalBytes: z.number(),
});

const pullFailureSchema = z.object({
	reason: z.enum(pullFailureReasons),
	words: z.string(),
});

const editorPartSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("context"), tokens: z.number() }),
	z.object({ type: z.enum(["text", "thinking"]), text: z.string() }),
	z.object({ type: z.literal("call"), id: z.string(), name: z.string(), arguments: z.string() }),
]);

const editorFailureSchema = z.object({
	reason: z.enum([
		...([
			"gone",
			"notAllowed",
			"blocked",
			"quota",
			"rate",
			"tooLong",
			"noTools",
			"noImages",
			"failed",
		] as const),
	]),
	words: z.string(),
});

const editorRequestSchema = z.object({
	model: z.string(),
	messages: z.array(z.record(z.string(), z.unknown())),
	tools: z.optional(z.array(z.unknown())),
	tool_choice: z.optional(z.unknown()),
	temperature: z.optional(z.number()),
	top_p: z.optional(z.number()),
	max_tokens: z.optional(z.number()),
});

/** From the extension host to the thread. */
export const toWorkerSchema = z.discriminatedUnion("type", [
	/** Checks that the thread is alive. The reply is `alive` with the same id. */
	z.object({ type: z.literal("ping"), id: z.int() }),
	/** Sets the model servers, the video engine, the appearance of clips and the network settings. */
	z.object({
		type: z.literal("settings"),
		models: modelSetupSchema,
		video: videoSetupSchema,
		looks: clipLooksSchema,
		network: networkSetupSchema,
	}),
	/** Lists the models of a video engine. The reply is `video-models` with the same id. */
	z.object({ type: z.literal("list-video-models"), id: z.int(), setup: videoSetupSchema }),
	/** Lists the available models. The reply is `models` with the same id. */
	z.object({
		type: z.literal("list-models"),
		id: z.int(),
		places: z.union([z.enum(["configured", "found", "embedded"]), serverSetupSchema]),
	}),
	/** Downloads a model. The replies are `pull-progress` and finally `pulled`, with the same id. */
	z.object({
		type: z.literal("pull-model"),
		id: z.int(),
		kind: z.enum(["ollama", "hub"]),
		baseUrl: z.string(),
		model: z.string(),
	}),
	/** Cancels the download with this id. */
	z.object({ type: z.literal("cancel-pull"), id: z.int() }),
	/** Parts of the answer to the `ask-editor` with this id, and its end. */
	z.object({ type: z.literal("editor-parts"), id: z.int(), parts: z.array(editorPartSchema) }),
	z.object({
		type: z.literal("editor-end"),
		id: z.int(),
		failure: z.optional(editorFailureSchema),
	}),
	/** Ends every answer and the thread. */
	z.object({ type: z.literal("stop") }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** From the thread to the extension host. */
export const fromWorkerSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("listening"), port: z.int() }),
	z.object({ type: z.literal("alive"), id: z.int() }),
	z.object({
		type: z.literal("models"),
		id: z.int(),
		listings: z.readonly(z.array(serverListingSchema)),
	}),
	z.object({ type: z.literal("video-models"), id: z.int(), listing: videoListingSchema }),
	z.object({ type: z.literal("pull-progress"), id: z.int(), progress: pullProgressSchema }),
	z.object({ type: z.literal("pulled"), id: z.int(), failure: z.optional(pullFailureSchema) }),
	/** Sends a request to a model of the editor. The replies are `editor-parts` and finally `editor-end`, with the same id. */
	z.object({ type: z.literal("ask-editor"), id: z.int(), request: editorRequestSchema }),
	/** The answer with this id is no longer needed. */
	z.object({ type: z.literal("cancel-editor"), id: z.int() }),
	z.object({
		type: z.literal("log"),
		level: z.enum(["debug", "info", "warn", "error"]),
		line: z.string(),
	}),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
