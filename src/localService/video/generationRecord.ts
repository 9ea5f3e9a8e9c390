import * as z from "zod/mini";
import { remoteEngineKinds } from "../../common/videoEngines.ts";
import {
	imageToVideoRequestSchema,
	textToVideoRequestSchema,
} from "../../client/contract/schemas.ts";
import { clipLooksSchema } from "../base/clipLooks.ts";

/** Who renders a generation. */
const ownerSchema = z.object({
	machine: z.string(),
	pid: z.int(),
	/** One run of the service; a process can have several, one after the other. */
	run: z.string(),
});
export type GenerationOwner = z.infer<typeof ownerSchema>;

/** The forms of video that a clip may have. */
export const clipFormats = ["webm", "mp4", "mov", "mkv", "gif"] as const;
export type StoredFormat = (typeof clipFormats)[number];

const outcomeSchema = z.discriminatedUnion("status", [
	z.object({
		status: z.literal("complete"),
		/** WebM where it is left out, as the renderer makes it. */
		format: z.optional(z.enum(clipFormats)),
		/** Bytes of the clip. */
		size: z.int(),
		/** Strong entity tag, with its quotes. RFC 9110 §8.8.3. */
		etag: z.string(),
	}),
	/** The interface knows no such status (§3); docs/interface.md has clients take it as an end without success. */
	z.object({ status: z.literal("failed"), message: z.string() }),
]);
export type GenerationOutcome = z.infer<typeof outcomeSchema>;

/** A video that a server with a model makes: where, from what, and what is known of it. The key is not here. */
const engineWorkSchema = z.object({
	kind: z.enum(remoteEngineKinds),
	baseUrl: z.string(),
	model: z.string(),
	/** As it is sent. */
	prompt: z.string(),
	/** Seconds asked of the server, not fewer than those of the clip where it can. */
	seconds: z.number(),
	/** A UUID of this request, by which some servers find it again. */
	mark: z.string(),
	seed: z.int(),
	/** When the request left, in milliseconds since 1970; absent before. */
	sentAt: z.optional(z.number()),
	/** The server's own id and, where it told them, the address to ask at and that of the file. */
	remote: z.optional(
		z.object({
			id: z.string(),
			pollUrl: z.optional(z.string()),
			fileUrl: z.optional(z.string()),
		}),
	),
	/** What it cost, in US dollars, where the server told. */
	cost: z.optional(z.number()),
	/** Anything else about the clip worth telling a user. */
	note: z.optional(z.string()),
});
export type EngineWork = z.infer<typeof engineWorkSchema>;

const common = {
	id: z.string(),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
	owner: ownerSchema,
	/** How the local renderer is to draw it, whoever takes it over; absent where nothing was known of that. */
	looks: z.optional(clipLooksSchema),
	/** Absent: the local renderer draws it. */
	engine: z.optional(engineWorkSchema),
	/** Absent while in progress. */
	outcome: z.optional(outcomeSchema),
};

/** A generation as it is on disk. Interface §2.1. */
export const generationRecordSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text-to-video"), params: textToVideoRequestSchema, ...common }),
	z.object({ type: z.literal("image-to-video"), params: imageToVideoRequestSchema, ...common }),
]);
export type GenerationRecord = z.infer<typeof generationRecordSchema>;

/** The body of a creation call. Interface §4.1, §4.2. */
export type GenerationRequest =
	| Pick<Extract<GenerationRecord, { type: "text-to-video" }>, "type" | "params">
	| Pick<Extract<GenerationRecord, { type: "image-to-video" }>, "type" | "params">;
