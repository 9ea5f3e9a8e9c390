import * as z from "zod/mini";

/**
 * Header that requests details, which the interface has no fields for: in separate frames of a streamed answer, and in a separate field of a
 * generation. The value is the URI-encoded id of the request's conversation, or empty. Sent to the local service only.
 */
export const detailsHeader = "x-cutaway-details";

const count = z.number().check(z.minimum(0));

/** What a model does before its answer: it is loaded into memory, or processes the prompt. `working` is everything afterwards. */
const progressStageSchema = z.enum(["loading", "reading", "working"]);
export type ProgressStage = z.infer<typeof progressStageSchema>;

/** The field `cutaway` of a separate frame. */
export const detailSchema = z.discriminatedUnion("type", [
	/** Thinking before the next message or within the current one. */
	z.object({ type: z.literal("thinking"), text: z.string() }),
	/** Duration of thinking, in milliseconds. */
	z.object({ type: z.literal("thought"), ms: count }),
	/** The thinking so far is the answer itself, and is repeated as text. */
	z.object({ type: z.literal("not-thinking") }),
	/** Tokens of one request to a model, as its server reported them. */
	z.object({
		type: z.literal("usage"),
		input: z.exactOptional(count),
		output: z.exactOptional(count),
		perSecond: z.exactOptional(count),
	}),
	/** The model's effective context, in tokens. */
	z.object({ type: z.literal("context"), tokens: count }),
	/** The model's stage and, if known, its progress from 0 to 1. Repeated every 10 seconds while the answer runs. */
	z.object({
		type: z.literal("progress"),
		stage: progressStageSchema,
		share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	}),
	/** The answer ended at the model's limit. */
	z.object({ type: z.literal("finish"), reason: z.literal("length") }),
	/** The last frame of a failed answer: the status and the error body, which a stream can't contain (docs/interface.md §6, rule 8). */
	z.object({
		type: z.literal("failed"),
		status: z.int(),
		error: z.looseObject({ message: z.string() }),
		retryAfter: z.exactOptional(z.string()),
	}),
]);
export type DetailFrame = z.infer<typeof detailSchema>;
export type FailedFrame = Extract<DetailFrame, { readonly type: "failed" }>;
/** A detail that is part of an answer. Progress is a notice instead, and a failure is an error. */
export type ChatDetail = Exclude<DetailFrame, { readonly type: "failed" | "progress" }>;

/** Additional information by the local service about a video made by a server with a model. */
export const videoDetailSchema = z.object({
	/** Name of the server. */
	engine: z.string().check(z.maxLength(200)),
	/** Absent if the video is complete or has failed. */
	stage: z.exactOptional(
		z.enum(["preparing", "sending", "queued", "generating", "downloading", "trimming"]),
	),
	/** Progress, 0 to 1. */
	share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	/** Reported cost in US dollars. */
	cost: z.exactOptional(count),
	/** Further information, as a sentence. */
	note: z.exactOptional(z.string().check(z.maxLength(1000))),
});
export type VideoDetail = z.infer<typeof videoDetailSchema>;
