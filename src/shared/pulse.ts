import * as z from "zod/mini";

const nothing = z.strictObject({});
const beat = z.int().check(z.minimum(0));

/** The most that is told of an error, in characters. */
export const maxErrorCharacters = 1000;

/** Reports of the chat view's page about itself. */
export const pulseRequests = {
	/** Answers a `ping`: the page runs, and whether it still shows what it was made of. */
	pong: {
		params: z.strictObject({
			beat,
			/** False when the document was emptied. */
			isShown: z.boolean(),
			/** Whether the cursor is in the message box; the page that replaces a dead one puts it there again. */
			isWriting: z.boolean(),
		}),
		result: nothing,
	},
	/** The keys go to the page from now on, or no longer do. */
	focusMoved: {
		params: z.strictObject({ hasFocus: z.boolean(), isWriting: z.boolean() }),
		result: nothing,
	},
	/** The page's script could not be loaded or failed before it showed anything. */
	scriptFailed: { params: nothing, result: nothing },
	/** A message could not be formatted and is shown as plain text; why, for the log. */
	messageNotFormatted: {
		params: z.strictObject({ error: z.string().check(z.maxLength(maxErrorCharacters)) }),
		result: nothing,
	},
} as const;

/** Question of the host whether the page still runs. */
export const pulsePushes = {
	/** To be answered with `pong` at once. `beat` grows by one each time. */
	ping: z.strictObject({ beat }),
} as const;
