import * as z from "zod/mini";
import { serverTools } from "../../client/contract/schemas.ts";

/** The longest system prompt in UTF-16 units. It is sent with every request and stored with every turn. */
export const maxSystemPromptLength = 32_000;

/** A model id of at most 200 characters. */
export const modelIdSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** Sampling temperature, 0 to 2; null uses the service's default. docs/interface.md §4.4. */
export const temperatureSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(2)));

/** Nucleus sampling, 0 to 1; null uses the service's default. docs/interface.md §4.4. */
export const topPSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(1)));

/** The most tokens of an answer, at least 1; null uses the service's default. docs/interface.md §4.4. */
export const maxTokensSchema = z.nullable(z.int().check(z.minimum(1)));

/** The first message of every request in a chat; empty for none. Role `system`, docs/interface.md §2.2. */
export const systemPromptSchema = z.string().check(z.maxLength(maxSystemPromptLength));

/** A user's options for a chat. Missing fields follow the current settings; null uses the service's default even if the settings have a value. */
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
