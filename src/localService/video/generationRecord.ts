import * as z from "zod/mini";
import { remoteEngineKinds } from "../../common/videoEngines.ts";
import {
	imageToVideoRequestSchema,
	textToVideoRequestSchema,
	type VideoDetail,
} from "../../client/contract/schemas.ts";
import { clipLooksSchema } from "../base/clipLooksSchema.ts";

/** The process that renders a generation. */
const ownerSchema = z.object({
	machine: z.string(),
	pid: z.int(),
	/** One run of the service. A process can have several in sequence. */
	run: z.string(),
});
export type GenerationOwner = z.infer<typeof ownerSchema>;

export const clipFormats = ["webm", "mp4", "mov", "mkv", "gif"] as const;
export type StoredFormat = (typeof clipFormats)[number];

const outcomeSchema = z.discriminatedUnion("status", [
	z.object({
		status: z.literal("complete"),
		/** Defaults to WebM, the renderer's format. */
		format: z.optional(z.enum(clipFormats)),
		/** Size of the clip in bytes. */
		size: z.int(),
		/** Strong entity tag, with its quotes. RFC 9110 §8.8.3. */
		etag: z.string(),
	}),
	/** The interface has no such status (§3); clients treat it as a failure, see docs/interface.md. */
	z.object({ status: z.literal("failed"), message: z.string() }),
]);
export type GenerationOutcome = z.infer<typeof outcomeSchema>;

/** A video made by a server with a model. Doesn't contain the key. */
const engineWorkSchema = z.object({
	kind: z.enum(remoteEngineKinds),
	baseUrl: z.string(),
	model: z.string(),
	prompt: z.string(),
	/** Seconds requested from the server; not fewer than those of the clip, if possible. */
	seconds: z.number(),
	/** A UUID of this request, by which some servers can find it. */
	mark: z.string(),
	seed: z.int(),
	/** When the request was sent, in milliseconds since 1970; absent before. */
	sentAt: z.optional(z.number()),
	/** The server's id and, if provided, the URLs of the status and the file. */
	remote: z.optional(
		z.object({
			id: z.string(),
			pollUrl: z.optional(z.string()),
			fileUrl: z.optional(z.string()),
		}),
	),
	/** Reported cost in US dollars. */
	cost: z.optional(z.number()),
	/** Further information about the clip for the user. */
	note: z.optional(z.string()),
});
export type EngineWork = z.infer<typeof engineWorkSchema>;

const common = {
	id: z.string(),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
	owner: ownerSchema,
	/** When the owner last wrote that it still works on it, in milliseconds since 1970; absent for the first minutes. */
	aliveAt: z.optional(z.number()),
	/** Appearance for the local renderer, for any process that continues the job. */
	looks: z.optional(clipLooksSchema),
	/** Absent if the local renderer makes the video. */
	engine: z.optional(engineWorkSchema),
	/** Absent while in progress. */
	outcome: z.optional(outcomeSchema),
};

/** A generation's record on disk. docs/interface.md §2.1. */
export const generationRecordSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text-to-video"), params: textToVideoRequestSchema, ...common }),
	z.object({ type: z.literal("image-to-video"), params: imageToVideoRequestSchema, ...common }),
]);
export type GenerationRecord = z.infer<typeof generationRecordSchema>;

/** The body of a creation request. docs/interface.md §4.1, §4.2. */
export type GenerationRequest =
	| Pick<Extract<GenerationRecord, { type: "text-to-video" }>, "type" | "params">
	| Pick<Extract<GenerationRecord, { type: "image-to-video" }>, "type" | "params">;

/** Creates and looks up videos, in the local renderer or on a remote server. */
export interface GenerationService {
	/** Records and starts a job. Resolves to its id, 128 random bits. Throws `HttpFailure`, with status 429 if too many are waiting. */
	create(request: GenerationRequest): Promise<string>;
	/** Reads a job. If its service has ended, for example after a reload, takes over and continues it here. */
	find(id: string): Promise<GenerationRecord | undefined>;
	clipPath(id: string, format?: StoredFormat): string;
	/** Returns further details of a job that a server with a model makes. */
	details(record: GenerationRecord): VideoDetail | undefined;
	/** Stops all work. Another service can take over unfinished jobs. */
	stop(): Promise<void>;
}
