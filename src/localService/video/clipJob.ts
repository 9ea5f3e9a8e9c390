import * as z from "zod/mini";
import { durationSchema, motionStrengthSchema } from "../../client/contract/schemas.ts";
import { clipLooksSchema } from "../base/clipLooks.ts";
import { videoAssetsSchema } from "./assets.ts";

const common = {
	duration: durationSchema,
	motionStrength: motionStrengthSchema,
	/** Defaults to `plainLooks`. */
	looks: z.optional(clipLooksSchema),
};

export const clipJobSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), prompt: z.string(), ...common }),
	z.object({
		type: z.literal("image"),
		bytes: z.instanceof(Uint8Array),
		/** URL of the image, which determines colors and direction. */
		source: z.string(),
		...common,
	}),
]);
export type ClipJob = z.infer<typeof clipJobSchema>;

/** Input of a rendering thread. */
export const renderDataSchema = z.object({ job: clipJobSchema, assets: videoAssetsSchema });
export type RenderData = z.infer<typeof renderDataSchema>;

/** The single message of a rendering thread. */
export const renderResultSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("clip"), bytes: z.instanceof(Uint8Array) }),
	/** The job can't be done; `message` is for the user. */
	z.object({ type: z.literal("refused"), message: z.string() }),
]);
export type RenderResult = z.infer<typeof renderResultSchema>;
