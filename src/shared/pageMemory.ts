import * as z from "zod/mini";

/** The most characters of a page's memory. Longer memory is kept by VS Code alone. */
export const maxPageMemoryCharacters = 4_000_000;

export const pageMemoryRequests = {
	/**
	 * Saves the page's memory, such as drafts, to disk at once, because VS Code's `setState` may write it seconds later. Only the page interprets the
	 * text.
	 */
	keepMemory: {
		params: z.strictObject({ text: z.string().check(z.maxLength(maxPageMemoryCharacters)) }),
		result: z.strictObject({}),
	},
} as const;
