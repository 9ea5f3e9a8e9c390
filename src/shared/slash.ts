import * as z from "zod/mini";

/** The fields of a chat's settings, in display order. */
const chatSettingNames = [
	"systemPrompt",
	"model",
	"temperature",
	"topP",
	"maxTokens",
	"extraParameters",
] as const;
export type ChatSettingName = (typeof chatSettingNames)[number];

const text = z.string().check(z.maxLength(100_000));

/** The fields' text; empty if not set. */
export const chatSettingValuesSchema = z.strictObject({
	systemPrompt: text,
	model: text,
	temperature: text,
	topP: text,
	maxTokens: text,
	extraParameters: text,
});
export type ChatSettingValues = z.infer<typeof chatSettingValuesSchema>;

const chatSettingsViewSchema = z.strictObject({
	chatId: z.string(),
	values: chatSettingValuesSchema,
	/** The values used for fields that are not set. */
	defaults: chatSettingValuesSchema,
	/** The suggested models; any other id can be entered. */
	models: z.array(z.string()),
	library: z.array(z.strictObject({ name: z.string(), text: z.string() })),
	/** The longest system prompt, in UTF-16 units. */
	maxSystemPrompt: z.int(),
});
export type ChatSettingsView = z.infer<typeof chatSettingsViewSchema>;

const chatSettingFaultSchema = z.strictObject({
	name: z.enum(chatSettingNames),
	sentence: z.string(),
});
export type ChatSettingFault = z.infer<typeof chatSettingFaultSchema>;

export const chatSettingsRequests = {
	chatSettings: { params: z.strictObject({}), result: chatSettingsViewSchema },
	/** Saves the fields for that chat. If any is invalid, saves none. */
	saveChatSettings: {
		params: z.strictObject({
			chatId: z.string().check(z.maxLength(64)),
			values: chatSettingValuesSchema,
		}),
		result: z.strictObject({ faults: z.array(chatSettingFaultSchema) }),
	},
} as const;

/** A completion for `/` in the composer. */
const slashOfferSchema = z.strictObject({
	id: z.string(),
	kind: z.enum(["command", "prompt", "skill", "value"]),
	label: z.string(),
	detail: z.string(),
	/** Positions in `label` that match the query. */
	matches: z.array(z.int()),
	/** Text of the composer after accepting it, such as `/model `. */
	insert: z.string(),
	/** Whether an argument may follow before it runs. */
	takesMore: z.boolean(),
});
export type SlashOffer = z.infer<typeof slashOfferSchema>;

const slashOutcomeSchema = z.discriminatedUnion("type", [
	/** It ran. `sentence` reports the result if nothing else shows it. */
	z.strictObject({ type: z.literal("done"), sentence: z.nullable(z.string()) }),
	/** It started a chat. `sentence` belongs to that chat, which may be shown before or after this reply. */
	z.strictObject({ type: z.literal("started"), sentence: z.nullable(z.string()) }),
	/** Puts `text` into the composer for review. */
	z.strictObject({ type: z.literal("fill"), text: z.string(), sentence: z.nullable(z.string()) }),
	/** Nothing was done, and the composer keeps its text. `sentence` is the reason, or null if the user canceled. */
	z.strictObject({ type: z.literal("kept"), sentence: z.nullable(z.string()) }),
	z.strictObject({ type: z.literal("list") }),
	z.strictObject({ type: z.literal("settings"), field: z.enum(chatSettingNames) }),
]);
export type SlashOutcome = z.infer<typeof slashOutcomeSchema>;

/** The composer's requests about commands. */
export const slashRequests = {
	/** Returns completions for a `/` at the start of the text. `query` is the text after it, up to the cursor. */
	completeCommand: {
		params: z.strictObject({ query: z.string().check(z.maxLength(200)) }),
		result: z.strictObject({ offers: z.array(slashOfferSchema) }),
	},
	/** Runs the command at the start of a text. Doesn't send anything to the service. */
	runCommand: {
		params: z.strictObject({ text: z.string().check(z.minLength(2), z.maxLength(1_000_000)) }),
		result: slashOutcomeSchema,
	},
} as const;
