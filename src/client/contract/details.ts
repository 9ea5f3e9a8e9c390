import * as z from "zod/mini";

/** The header that ties a chat request to whoever listens to its details. Sent to the local service and to nobody else. */
export const detailsHeader = "x-cutaway-details";

/** An id under which details are listened to. */
export const detailsIdPattern = /^[A-Za-z0-9-]{16,64}$/;

const count = z.number().check(z.minimum(0));

/** What a model does before its words: it is loaded into memory, or reads the messages; `working` is everything after. */
const progressStageSchema = z.enum(["loading", "reading", "working"]);
export type ProgressStage = z.infer<typeof progressStageSchema>;

/** A frame of what the local service tells beside an answer, for which the interface's frames have no field. */
export const detailFrameSchema = z.discriminatedUnion("type", [
	/** The model thinks: more of what it thought before message `index` of the answer, or inside it. */
	z.object({ type: z.literal("thinking"), index: z.int().check(z.minimum(0)), text: z.string() }),
	/** It thought for so long, in milliseconds. */
	z.object({ type: z.literal("thought"), index: z.int().check(z.minimum(0)), ms: count }),
	/** What came as thinking there is the answer itself, and comes again as its text. */
	z.object({ type: z.literal("not-thinking"), index: z.int().check(z.minimum(0)) }),
	/** Tokens as the model's server reported them. */
	z.object({
		type: z.literal("usage"),
		input: z.exactOptional(count),
		output: z.exactOptional(count),
		perSecond: z.exactOptional(count),
	}),
	/** The model's context in effect, in tokens. */
	z.object({ type: z.literal("context"), tokens: count }),
	/** What the model does, told again every 10 seconds for as long as the answer runs. */
	z.object({ type: z.literal("progress"), stage: progressStageSchema }),
	/** Why the answer ended, where it is not simply over: at the model's limit. */
	z.object({ type: z.literal("finish"), reason: z.literal("length") }),
	/** Why the answer broke off, as an error body says it: a stream has no words for that (interface §6, rule 8). */
	z.object({
		type: z.literal("failed"),
		error: z.object({ message: z.string(), code: z.string() }),
	}),
]);
export type DetailFrame = z.infer<typeof detailFrameSchema>;
/** A detail of an answer; why it broke off is part of its error instead. */
export type ChatDetail = Exclude<DetailFrame, { readonly type: "failed" }>;

/** What the local service tells about a video that a server with a model makes, for which the interface has no field. */
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

/** The answer about a video's details. */
export const videoDetailResponseSchema = z.object({
	success: z.literal(true),
	details: videoDetailSchema,
});
