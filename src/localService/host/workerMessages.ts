import * as z from "zod/mini";
import { engineKinds, pullFailureReasons } from "../../common/models.ts";
import { videoEngineKinds } from "../../common/videoEngines.ts";
import { clipLooksSchema } from "../base/clipLooks.ts";

/** Messages between the extension host and the service's thread, in memory. */

/** Data that a thread is started with. The token travels here and nowhere else. Threat T22. */
export const workerDataSchema = z.object({
	token: z.string().check(z.minLength(32)),
	/** Folder for uploaded files, which the service creates and removes. */
	filesFolder: z.string().check(z.minLength(1)),
	/** Folder for videos, which are kept for a day; may be shared with other windows. */
	videosFolder: z.string().check(z.minLength(1)),
	/** Folder for what models want back with their calls, kept for a week; may be shared with other windows. */
	callsFolder: z.string().check(z.minLength(1)),
	/** Folder for models that run on this machine; shared with other windows. */
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
	/** Asks for a sign of life, which comes as `alive` with the same id. */
	z.object({ type: z.literal("ping"), id: z.int() }),
	/** Sets the servers of models, the video engine, the looks of its own clips and the way out to the network. */
	z.object({
		type: z.literal("settings"),
		models: modelSetupSchema,
		video: videoSetupSchema,
		looks: clipLooksSchema,
		network: networkSetupSchema,
	}),
	/** Asks which models a video engine has; they come as `video-models` with the same id. */
	z.object({ type: z.literal("list-video-models"), id: z.int(), setup: videoSetupSchema }),
	/** Asks which models there are; they come as `models` with the same id. */
	z.object({
		type: z.literal("list-models"),
		id: z.int(),
		places: z.union([z.enum(["configured", "found", "embedded"]), serverSetupSchema]),
	}),
	/** Has a model downloaded: `pull-progress` messages with the same id, and `pulled` at the end. */
	z.object({
		type: z.literal("pull-model"),
		id: z.int(),
		kind: z.enum(["ollama", "hub"]),
		baseUrl: z.string(),
		model: z.string(),
	}),
	/** Ends the download with this id. */
	z.object({ type: z.literal("cancel-pull"), id: z.int() }),
	/** Pieces of the answer of the editor's model that was asked with this id, and the answer's end. */
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
	/** Asks a model of the editor; the answer comes as `editor-parts` messages with the same id, and `editor-end`. */
	z.object({ type: z.literal("ask-editor"), id: z.int(), request: editorRequestSchema }),
	/** Nobody waits for the answer with this id any longer. */
	z.object({ type: z.literal("cancel-editor"), id: z.int() }),
	z.object({
		type: z.literal("log"),
		level: z.enum(["debug", "info", "warn", "error"]),
		line: z.string(),
	}),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
