import * as z from "zod/mini";
import { durationSchema, motionStrengthSchema } from "../../client/contract/schemas.ts";
import { clipLooksSchema } from "../base/clipLooks.ts";
import { videoAssetsSchema } from "./assets.ts";

const common = {
	duration: durationSchema,
	motionStrength: motionStrengthSchema,
	/** Plain where they are left out. */
	looks: z.optional(clipLooksSchema),
};

/** The source of one clip. */
export const clipJobSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), prompt: z.string(), ...common }),
	z.object({
		type: z.literal("image"),
		/** The image's file. */
		bytes: z.instanceof(Uint8Array),
		/** Its address, which decides colors and direction. */
		source: z.string(),
		...common,
	}),
]);
export type ClipJob = z.infer<typeof clipJobSchema>;

/** The data that a rendering thread starts with. */
export const renderDataSchema = z.object({ job: clipJobSchema, assets: videoAssetsSchema });
export type RenderData = z.infer<typeof renderDataSchema>;

/** The only message of a rendering thread, which then ends. */
export const renderResultSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("clip"), bytes: z.instanceof(Uint8Array) }),
	/** The job cannot be done; `message` is a sentence for the user who asked. */
	z.object({ type: z.literal("refused"), message: z.string() }),
]);
export type RenderResult = z.infer<typeof renderResultSchema>;
