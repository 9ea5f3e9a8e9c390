import * as z from "zod/mini";
import { clipFormats } from "../../video/generationRecord.ts";

/** A file to be cut back, in place. */
export const trimRequestSchema = z.object({
	file: z.string(),
	format: z.enum(clipFormats),
	/** How long it should be. */
	seconds: z.number().check(z.positive()),
});
export type TrimRequest = z.infer<typeof trimRequestSchema>;

/** What became of it; `seconds` are those that it had. */
export const trimOutcomeSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("trimmed"), seconds: z.number() }),
	z.object({ type: z.literal("fits"), seconds: z.number() }),
	/** It is as long as it came; `reason` is half a sentence. */
	z.object({ type: z.literal("kept"), reason: z.string() }),
]);
export type TrimOutcome = z.infer<typeof trimOutcomeSchema>;
