import * as z from "zod/mini";

/** A page that the reading thread is started with. */
export const pageSourceSchema = z.object({ html: z.string() });
export type PageSource = z.infer<typeof pageSourceSchema>;

/** Result of the reading thread before it ends; Markdown in which nothing of the page is active. */
export const pageTextSchema = z.object({ title: z.string(), text: z.string() });
export type PageText = z.infer<typeof pageTextSchema>;
