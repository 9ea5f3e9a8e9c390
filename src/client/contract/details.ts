import * as z from "zod/mini";

/**
 * The header that asks for what the interface has no field for: beside a streamed answer in frames of their own, beside a generation in a
 * field of its own. Its value is the id of the conversation that the request belongs to, URI-encoded; empty where it belongs to none. Sent
 * to the local service and to nobody else.
 */
export const detailsHeader = "x-cutaway-details";

const count = z.number().check(z.minimum(0));

/** What a model does before its words: it is loaded into memory, or reads the messages; `working` is everything after. */
const progressStageSchema = z.enum(["loading", "reading", "working"]);
export type ProgressStage = z.infer<typeof progressStageSchema>;

/** The field `cutaway` of a frame that holds nothing else. */
export const detailSchema = z.discriminatedUnion("type", [
	/** The model thinks: more of what it thought before the message that comes next, or inside the one that is open. */
	z.object({ type: z.literal("thinking"), text: z.string() }),
	/** It thought for so long, in milliseconds. */
	z.object({ type: z.literal("thought"), ms: count }),
	/** What came as thinking there is the answer itself, and comes again as its text. */
	z.object({ type: z.literal("not-thinking") }),
	/** Tokens of one request to a model, as its server reported them. */
	z.object({
		type: z.literal("usage"),
		input: z.exactOptional(count),
		output: z.exactOptional(count),
		perSecond: z.exactOptional(count),
	}),
	/** The model's context in effect, in tokens. */
	z.object({ type: z.literal("context"), tokens: count }),
	/** What the model does and, where that is known, how much of it is done, 0 to 1; sent again every 10 seconds for as long as the answer runs. */
	z.object({
		type: z.literal("progress"),
		stage: progressStageSchema,
		share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	}),
	/** Why the answer ended, where it is not simply over: at the model's limit. */
	z.object({ type: z.literal("finish"), reason: z.literal("length") }),
	/** The last frame of an answer that broke off: the status and the error body that a stream has no place for (interface §6, rule 8). */
	z.object({
		type: z.literal("failed"),
		status: z.int(),
		error: z.looseObject({ message: z.string() }),
		retryAfter: z.exactOptional(z.string()),
	}),
]);
export type DetailFrame = z.infer<typeof detailSchema>;
export type FailedFrame = Extract<DetailFrame, { readonly type: "failed" }>;
/** A detail of an answer that belongs to it. Progress is a notice instead, and why an answer broke off is its error. */
export type ChatDetail = Exclude<DetailFrame, { readonly type: "failed" | "progress" }>;

/** What the local service adds about a video that a server with a model makes, for which the interface has no field. */
export const videoDetailSchema = z.object({
	/** The name of the server. */
	engine: z.string().check(z.maxLength(200)),
	/** What happens; absent when the video is there or has failed. */
	stage: z.exactOptional(
		z.enum(["preparing", "sending", "queued", "generating", "downloading", "trimming"]),
	),
	/** How much of it is done, 0 to 1. */
	share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	/** What it cost, in US dollars, where the server told. */
	cost: z.exactOptional(count),
	/** Anything else worth telling, in a sentence. */
	note: z.exactOptional(z.string().check(z.maxLength(1000))),
});
export type VideoDetail = z.infer<typeof videoDetailSchema>;
