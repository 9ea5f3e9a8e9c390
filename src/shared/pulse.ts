import * as z from "zod/mini";
import { command, nothing } from "./rpc.ts";

const beat = z.int().check(z.minimum(0));

export const maxErrorCharacters = 1000;

/** The chat page's messages about its condition. */
export const pulseRequests = {
	/** Reply to a `ping`. */
	pong: command({
		beat,
		/** False if the document was emptied. */
		isShown: z.boolean(),
		/** Whether the composer is focused. A page that replaces this one restores the focus. */
		isWriting: z.boolean(),
	}),
	focusMoved: command({ hasFocus: z.boolean(), isWriting: z.boolean() }),
	/** The page's script failed to load, or failed before it showed anything. */
	scriptFailed: { params: nothing, result: nothing },
	/** A message couldn't be formatted and is shown as plain text. `error` is for the log. */
	messageNotFormatted: command({ error: z.string().check(z.maxLength(maxErrorCharacters)) }),
} as const;

/** The host's check that the page is alive. */
export const pulsePushes = {
	/** Must be answered with `pong` at once. `beat` increases by one each time. */
	ping: z.strictObject({ beat }),
} as const;

/** The most characters of a page's memory. Longer memory is kept only by VS Code. */
export const maxPageMemoryCharacters = 4_000_000;

export const pageMemoryRequests = {
	/** Saves the page's memory, such as drafts, at once; VS Code's `setState` may write it seconds later. */
	keepMemory: command({ text: z.string().check(z.maxLength(maxPageMemoryCharacters)) }),
} as const;
