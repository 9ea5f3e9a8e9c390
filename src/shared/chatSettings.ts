import * as z from "zod/mini";

/** The fields of a chat's settings, in the order they are shown. */
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

/** Content of the fields, as text; empty where nothing is chosen. */
export const chatSettingValuesSchema = z.strictObject({
	systemPrompt: text,
	model: text,
	temperature: text,
	topP: text,
	maxTokens: text,
	extraParameters: text,
});
export type ChatSettingValues = z.infer<typeof chatSettingValuesSchema>;

/** View of the form of a chat's settings. */
export const chatSettingsViewSchema = z.strictObject({
	chatId: z.string(),
	values: chatSettingValuesSchema,
	/** Values that a chat without choices of its own is asked with. */
	defaults: chatSettingValuesSchema,
	/** The models that are offered beside any other id. */
	models: z.array(z.string()),
	/** The user's own library of system prompts. */
	library: z.array(z.strictObject({ name: z.string(), text: z.string() })),
	/** The longest system prompt, in UTF-16 units. */
	maxSystemPrompt: z.int(),
});
export type ChatSettingsView = z.infer<typeof chatSettingsViewSchema>;

/** Why a field cannot be taken, as a sentence. */
export const chatSettingFaultSchema = z.strictObject({
	name: z.enum(chatSettingNames),
	sentence: z.string(),
});
export type ChatSettingFault = z.infer<typeof chatSettingFaultSchema>;

/** Requests of the form to the host. */
export const chatSettingsRequests = {
	/** The settings of the chat that is shown. */
	chatSettings: { params: z.strictObject({}), result: chatSettingsViewSchema },
	/** Takes what was entered for that chat; with any fault nothing of it is taken. */
	saveChatSettings: {
		params: z.strictObject({
			chatId: z.string().check(z.maxLength(64)),
			values: chatSettingValuesSchema,
		}),
		result: z.strictObject({ faults: z.array(chatSettingFaultSchema) }),
	},
} as const;
