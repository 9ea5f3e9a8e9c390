import * as z from "zod/mini";
import { type ClipLooks, clipShapes, codeTokenKinds } from "../../common/clipLooks.ts";

const color = z.string().check(z.regex(/^#[\da-f]{6}$/));

/** The looks of a clip, as the extension host sends them and a record keeps them. */
export const clipLooksSchema = z.object({
	shape: z.enum(clipShapes),
	tabSize: z.int().check(z.minimum(1), z.maximum(16)),
	theme: z.optional(
		z.object({
			background: color,
			foreground: color,
			accent: color,
			lineNumber: color,
			added: color,
			removed: color,
			tokens: z.record(z.enum(codeTokenKinds), color),
		}),
	),
}) satisfies z.ZodMiniType<ClipLooks>;
