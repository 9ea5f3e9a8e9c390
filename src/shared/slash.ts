import * as z from "zod/mini";
import { chatSettingNames } from "./chatSettings.ts";

/** Something `/` offers in the composer. */
export const slashOfferSchema = z.strictObject({
	id: z.string(),
	kind: z.enum(["command", "prompt", "skill", "value"]),
	label: z.string(),
	detail: z.string(),
	/** Positions in `label` that the query matched. */
	matches: z.array(z.int()),
	/** Text of the composer once it is taken, such as `/model `. */
	insert: z.string(),
	/** Whether something may still be written behind it before it runs. */
	takesMore: z.boolean(),
});
export type SlashOffer = z.infer<typeof slashOfferSchema>;

/** Outcome of a command, for the composer that held it. */
export const slashOutcomeSchema = z.discriminatedUnion("type", [
	/** It ran. `sentence` says what came of it where nothing else does. */
	z.strictObject({ type: z.literal("done"), sentence: z.nullable(z.string()) }),
	/** It began a chat; `sentence` is for that one, which may be shown before or after this is heard. */
	z.strictObject({ type: z.literal("started"), sentence: z.nullable(z.string()) }),
	/** These words are for the composer, to be read before they are sent. */
	z.strictObject({ type: z.literal("fill"), text: z.string(), sentence: z.nullable(z.string()) }),
	/** Nothing was done, and the words stay; `sentence` says why, unless the user left off. */
	z.strictObject({ type: z.literal("kept"), sentence: z.nullable(z.string()) }),
	/** The list of all commands is wanted. */
	z.strictObject({ type: z.literal("list") }),
	/** The form of the chat's settings is wanted, with the cursor in a field. */
	z.strictObject({ type: z.literal("settings"), field: z.enum(chatSettingNames) }),
]);
export type SlashOutcome = z.infer<typeof slashOutcomeSchema>;

/** Requests of the composer to the host about commands. */
export const slashRequests = {
	/** Offers for a `/` at the beginning of the text; `query` is what follows it up to the cursor. */
	completeCommand: {
		params: z.strictObject({ query: z.string().check(z.maxLength(200)) }),
		result: z.strictObject({ offers: z.array(slashOfferSchema) }),
	},
	/** Runs the command a text begins with. Nothing is sent to the service by it. */
	runCommand: {
		params: z.strictObject({ text: z.string().check(z.minLength(2), z.maxLength(1_000_000)) }),
		result: slashOutcomeSchema,
	},
} as const;
