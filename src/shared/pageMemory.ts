import * as z from "zod/mini";

/** The most that a page may have kept for it, in characters. What is longer is kept by VS Code alone. */
export const maxPageMemoryCharacters = 4_000_000;

/** Requests of the chat view to keep its memory. */
export const pageMemoryRequests = {
	/**
	 * Keeps what the page remembers, drafts above all, where a window that is reloaded or dies at this moment finds it: VS Code
	 * itself may write it seconds later. Only the page reads the text.
	 */
	keepMemory: {
		params: z.strictObject({ text: z.string().check(z.maxLength(maxPageMemoryCharacters)) }),
		result: z.strictObject({}),
	},
} as const;
