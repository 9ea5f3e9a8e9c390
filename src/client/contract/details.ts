import * as z from "zod/mini";

/** The header that ties a chat request to whoever listens to its details. Sent to the local service and to nobody else. */
export const detailsHeader = "x-cutaway-details";

/** An id under which details are listened to. */
export const detailsIdPattern = /^[A-Za-z0-9-]{16,64}$/;

const count = z.number().check(z.minimum(0));

/** What a model does before its words: it is loaded into memory, or reads the messages; `working` is everything after. */
const progressStageSchema = z.enum(["loading", "reading", "working"]);
export type ProgressStage = z.infer<typeof progressStageSchema>;

/** Details the local service tells beside an answer, for which the interface's frames have no field. */
export const chatDetailSchema = z.discriminatedUnion("type", [
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
]);
export type ChatDetail = z.infer<typeof chatDetailSchema>;
