import * as z from "zod/mini";

/**
 * Actions on the banner of the whole view; `takeOverNow` stops an answer that runs in another window, `restore` takes
 * a deletion back.
 */
export const bannerActionSchema = z.enum(["takeOver", "takeOverNow", "restore"]);
export type BannerAction = z.infer<typeof bannerActionSchema>;

/** Something the whole view should say above the composer, such as that history cannot be saved (fault L6). */
export const bannerSchema = z.strictObject({
	kind: z.enum(["info", "warning"]),
	text: z.string(),
	/** Action offered for it: a button beside the text. */
	action: z.optional(bannerActionSchema),
	/** Why nothing can be written in the chat: what the message box says in place of words. Left out while it can. */
	readOnly: z.optional(z.string()),
});
export type Banner = z.infer<typeof bannerSchema>;

/** Actions on the banner. */
export const bannerRequests = {
	/** Does what the banner offers. */
	runBannerAction: {
		params: z.strictObject({ action: bannerActionSchema }),
		result: z.strictObject({}),
	},
} as const;
