import * as z from "zod/mini";

/** What the extension host and the service's thread say to each other, in memory. */

/** What a thread is started with. The token travels here and nowhere else. Threat T22. */
export const workerDataSchema = z.object({
	token: z.string().check(z.minLength(32)),
	/** Speed of the demo engine; 0 is as fast as possible. */
	charactersPerSecond: z.number().check(z.minimum(0)),
	/** Folder for uploaded files, which the service creates and removes. */
	filesFolder: z.string().check(z.minLength(1)),
	/** Folder for videos, which are kept for a day; may be shared with other windows. */
	videosFolder: z.string().check(z.minLength(1)),
});
export type WorkerData = z.infer<typeof workerDataSchema>;

const modelSetupSchema = z.object({
	servers: z.array(
		z.object({
			name: z.string(),
			baseUrl: z.string(),
			headers: z.record(z.string(), z.string()),
		}),
	),
	contextLength: z.number().check(z.minimum(0)),
});

const serverListingSchema = z.object({
	server: z.string(),
	baseUrl: z.optional(z.string()),
	kind: z.optional(z.enum(["openai", "ollama"])),
	models: z.array(
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
	failure: z.optional(z.string()),
});

/** From the extension host to the thread. */
export const toWorkerSchema = z.discriminatedUnion("type", [
	/** Sets the speed and the servers of models, and asks for a sign of life, which comes as `alive` with the same id. */
	z.object({
		type: z.literal("ping"),
		id: z.int(),
		charactersPerSecond: z.number(),
		models: modelSetupSchema,
	}),
	/** Asks which models there are; they come as `models` with the same id. */
	z.object({
		type: z.literal("list-models"),
		id: z.int(),
		places: z.enum(["configured", "found"]),
	}),
	/** Ends every answer and the thread. */
	z.object({ type: z.literal("stop") }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** From the thread to the extension host. */
export const fromWorkerSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("listening"), port: z.int() }),
	z.object({ type: z.literal("alive"), id: z.int() }),
	z.object({ type: z.literal("models"), id: z.int(), listings: z.array(serverListingSchema) }),
	z.object({
		type: z.literal("log"),
		level: z.enum(["debug", "info", "warn", "error"]),
		line: z.string(),
	}),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
