import * as z from "zod/mini";
import { type ClipLooks, clipShapes } from "../../common/clipLooks.ts";

/** The looks of a clip, as the extension host sends them and a record keeps them. */
export const clipLooksSchema = z.object({
	shape: z.enum(clipShapes),
	tabSize: z.int().check(z.minimum(1), z.maximum(16)),
}) satisfies z.ZodMiniType<ClipLooks>;
