import * as z from "zod/mini";

/** Input of the reading thread. */
export const pageSourceSchema = z.object({
	html: z.string(),
	/** Whether to read the whole main element instead of the main article. */
	isThread: z.boolean(),
});
export type PageSource = z.infer<typeof pageSourceSchema>;

/** Result of the reading thread: Markdown without active content. */
export const pageTextSchema = z.object({ title: z.string(), text: z.string() });
export type PageText = z.infer<typeof pageTextSchema>;
