import * as z from "zod/mini";

/** The fields of a chat's settings, in display order. */
export const chatSettingNames = [
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

/** State of the form of a chat's settings. */
export const chatSettingsViewSchema = z.strictObject({
	chatId: z.string(),
	values: chatSettingValuesSchema,
	/** The values used for fields that are not set. */
	defaults: chatSettingValuesSchema,
	/** The suggested models; any other id can be entered. */
	models: z.array(z.string()),
	/** The user's library of system prompts. */
	library: z.array(z.strictObject({ name: z.string(), text: z.string() })),
	/** The longest system prompt, in UTF-16 units. */
	maxSystemPrompt: z.int(),
});
export type ChatSettingsView = z.infer<typeof chatSettingsViewSchema>;

/** Why a field's value is invalid, as a sentence. */
export const chatSettingFaultSchema = z.strictObject({
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
