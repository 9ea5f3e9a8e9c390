import * as z from "zod/mini";
import {
	imageToVideoRequestSchema,
	textToVideoRequestSchema,
} from "../../client/contract/schemas.ts";

/** Who renders a generation. */
const ownerSchema = z.object({
	machine: z.string(),
	pid: z.int(),
	/** One run of the service; a process can have several, one after the other. */
	run: z.string(),
});
export type GenerationOwner = z.infer<typeof ownerSchema>;

const outcomeSchema = z.discriminatedUnion("status", [
	z.object({
		status: z.literal("complete"),
		/** Bytes of the clip. */
		size: z.int(),
		/** Strong entity tag, with its quotes. RFC 9110 §8.8.3. */
		etag: z.string(),
	}),
	/** The interface knows no such status (§3); docs/interface.md has clients take it as an end without success. */
	z.object({ status: z.literal("failed"), message: z.string() }),
]);
export type GenerationOutcome = z.infer<typeof outcomeSchema>;

const common = {
	id: z.string(),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
	owner: ownerSchema,
	/** A way to fail that the prompt asked for. */
	failure: z.optional(z.string()),
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
export type GenerationRequest = Pick<GenerationRecord, "failure"> &
	(
		| Pick<Extract<GenerationRecord, { type: "text-to-video" }>, "type" | "params">
		| Pick<Extract<GenerationRecord, { type: "image-to-video" }>, "type" | "params">
	);
