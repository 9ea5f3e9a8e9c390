import * as z from "zod/mini";
import { maxPictureCharacters, videoActionSchema, videoToneSchema } from "./video.ts";

/** The largest clip that a card plays, in bytes; of a larger one it shows the picture. */
export const maxCardClipBytes = 4_000_000;

/** A video below the question it belongs to. Made from the job's record, never from the chat's log. */
export const videoCardSchema = z.strictObject({
	jobId: z.string(),
	turnId: z.string(),
	/** The beginning of the prompt, in one line. */
	title: z.string(),
	tone: videoToneSchema,
	/** The job's state, in two or three words. */
	label: z.string(),
	/** Sentence with what happened, what was kept and what to do next; empty when the label says it all. */
	sentence: z.string(),
	/** When the request was last sent, in milliseconds since 1970: what elapsed time counts from. */
	startedAt: z.number(),
	/** Whether something still happens with it, so that the time it has taken is worth showing. */
	isUnfinished: z.boolean(),
	/** The likeliest things to do, the first one first; «Open» and everything else are always offered. */
	actions: z.array(z.strictObject({ action: videoActionSchema, label: z.string() })),
	/** Whether there is a clip that the page may ask for and play in the card. */
	hasClip: z.boolean(),
	/** A picture from the clip as a `data:` address; null when there is none. */
	picture: z.nullable(z.string().check(z.maxLength(maxPictureCharacters))),
});
export type VideoCard = z.infer<typeof videoCardSchema>;
