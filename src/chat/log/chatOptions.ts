import * as z from "zod/mini";
import { serverTools } from "../../client/contract/schemas.ts";

/** The longest system prompt, in UTF-16 units: it is sent with every request and is kept with every question. */
export const maxSystemPromptLength = 32_000;

/** A model's id, which is at most 200 characters long. */
export const modelIdSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** How freely words are chosen, 0 to 2; nothing leaves it to the service. Interface §4.4, standard parameters. */
export const temperatureSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(2)));

/** Share of the likeliest words, 0 to 1; nothing leaves it to the service. Interface §4.4, standard parameters. */
export const topPSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(1)));

/** Most tokens of an answer, at least 1; nothing leaves it to the service. Interface §4.4, standard parameters. */
export const maxTokensSchema = z.nullable(z.int().check(z.minimum(1)));

/** A system prompt: the first message of every request of a chat; empty for none. Interface §2.2, role `system`. */
export const systemPromptSchema = z.string().check(z.maxLength(maxSystemPromptLength));

/**
 * Choices of a user for one chat. A field that is left out follows the settings, whatever they say by then; null leaves a
 * parameter to the service although the settings name a value.
 */
export const chatOptionsSchema = z.object({
	model: z.exactOptional(modelIdSchema),
	serverTools: z.exactOptional(z.array(z.enum(serverTools))),
	temperature: z.exactOptional(temperatureSchema),
	topP: z.exactOptional(topPSchema),
	maxTokens: z.exactOptional(maxTokensSchema),
	extraParameters: z.exactOptional(z.record(z.string(), z.unknown())),
	systemPrompt: z.exactOptional(systemPromptSchema),
	projectInstructions: z.exactOptional(z.boolean()),
});
export type ChatOptions = z.infer<typeof chatOptionsSchema>;
