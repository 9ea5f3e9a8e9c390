import * as z from "zod/mini";
import { videoDetailSchema } from "./details.ts";

/** The most characters (Unicode code points) a text-to-video prompt may have. Interface §4.1 and §8. */
export const maxPromptCharacters = 4000;

/** A whole number from `min` to `max`, as the interface's §8 asks of duration and motion strength. */
const wholeNumber = (min: number, max: number) => {
	const error = `must be a whole number from ${min} to ${max}`;
	return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
};

/** Length in Unicode code points, as the interface counts characters. docs/interface.md. */
function countCharacters(text: string): number {
	const surrogatePairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	return text.length - surrogatePairs;
}

/** Length of a video in seconds, 1 to 4. Interface §4.1, §4.2, §8. */
export const durationSchema = wholeNumber(1, 4);

/** Amount of motion in a video, 1 to 5. Interface §4.1, §4.2, §8. */
export const motionStrengthSchema = wholeNumber(1, 5);

/** Body of `POST /v1/videos/text-to-video`. Interface §4.1. */
export const textToVideoRequestSchema = z.object({
	prompt: z.string({ error: "must be text" }).check(
		z.refine(prompt => countCharacters(prompt) <= maxPromptCharacters, {
			error: `must have at most ${maxPromptCharacters} characters`,
		}),
	),
	duration: z.optional(durationSchema),
	motion_strength: z.optional(motionStrengthSchema),
});
export type TextToVideoRequest = z.infer<typeof textToVideoRequestSchema>;

/** Body of `POST /v1/videos/image-to-video`; the URL must be one the service can reach. Interface §4.2. */
export const imageToVideoRequestSchema = z.object({
	image_url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
	duration: z.optional(durationSchema),
	motion_strength: z.optional(motionStrengthSchema),
});
export type ImageToVideoRequest = z.infer<typeof imageToVideoRequestSchema>;

/**
 * Reply to both creation calls. Its `success` is not asked for: an id that came counts, because the video it names may have
 * been paid for. Interface §4.1, §4.2.
 */
export const createGenerationResponseSchema = z.object({
	generation_id: z.string().check(z.minLength(1)),
});

/** A field nothing depends on: a value of another type counts as missing. */
const unneeded = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.optional(schema), undefined);

/**
 * A generation. Only `status` is needed to follow a job, so everything else may be missing or of another type; a `status`
 * other than `in_progress` and `complete` is kept as it came. Interface §2.1, rows J7, J8.
 */
export const generationSchema = z.object({
	org_id: unneeded(z.string()),
	created_at: unneeded(z.string()),
	type: unneeded(z.string()),
	params: unneeded(z.record(z.string(), z.unknown())),
	status: z.optional(z.unknown()),
	output: unneeded(z.nullable(z.looseObject({ video_url: z.optional(z.unknown()) }))),
	/** Why it failed, in the service's words; not in the interface, sent by the local service. */
	message: unneeded(z.string()),
});
export type Generation = z.infer<typeof generationSchema>;

/** Reply to `GET /v1/generations/{id}`; a generation that came counts whatever `success` is, but for `false`. Interface §4.3. */
export const generationResponseSchema = z.object({
	generation: generationSchema,
	/** Of the local service, where it was asked. */
	details: unneeded(videoDetailSchema),
});

/** One call of a custom tool, asked for by the model; `arguments` is JSON in a string, unread. Interface §2.2. */
export const toolCallSchema = z.object({
	id: z.string(),
	type: z.literal("function"),
	function: z.object({ name: z.string(), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** The deprecated single call of an assistant message. Interface §2.2. */
export const functionCallSchema = z.object({ name: z.string(), arguments: z.string() });
export type FunctionCall = z.infer<typeof functionCallSchema>;

/**
 * A chat message. Unknown fields are kept, because the field that holds tool calls has no stated name and an
 * assistant message goes back as it came. Interface §2.2.
 */
export const chatMessageSchema = z.looseObject({
	role: z.string(),
	content: z.string(),
	name: z.optional(z.string()),
	function_call: z.optional(functionCallSchema),
	tool_call_id: z.optional(z.string()),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** An uploaded file made available to `code_interpreter`. Interface §2.3. */
export const fileReferenceSchema = z.object({
	file_id: z.string().check(z.minLength(1)),
	name: z.string(),
	type: z.string(),
});
export type FileReference = z.infer<typeof fileReferenceSchema>;

/** Reply to an upload; where the file's id is in it is settled in `assumptions`. Interface §4.4, docs/interface.md. */
export const uploadResponseSchema = z.record(z.string(), z.unknown());

/** A function the model may ask the client to run. Interface §2.4. */
export const customToolSchema = z.object({
	type: z.literal("function"),
	function: z.object({
		name: z.string().check(z.minLength(1)),
		description: z.optional(z.string()),
		parameters: z.optional(
			z.looseObject({
				type: z.literal("object"),
				properties: z.record(z.string(), z.looseObject({})),
				required: z.optional(z.array(z.string())),
			}),
		),
	}),
});

/** The tools that run on the server. Interface §4.4, field `tools`. */
export const serverTools = ["code_interpreter", "browsing"] as const;

/** Whether a model belongs to a server of models behind the local service: its id is SERVER/MODEL. */
export function isServerModel(model: string): boolean {
	return /^[\w.-]{1,40}\/./.test(model);
}

/**
 * Whether a model may be given server tools: its id contains `tools`, interface §4.4, field `tools`; or the local service runs them
 * for a model of a server behind it.
 */
export function canUseServerTools(model: string): boolean {
	return model.includes("tools") || isServerModel(model);
}

const anyNumber = z.optional(z.number({ error: "must be a number" }));

/**
 * Body of `POST /v1/chat/messages`. Further fields are the standard chat-completion parameters, passed through
 * unread. Interface §4.4.
 */
export const chatRequestSchema = z
	.looseObject({
		messages: z
			.array(chatMessageSchema, { error: "must be a list of messages" })
			.check(z.minLength(1, { error: "must hold at least one message" })),
		model: z
			.string({ error: "must be the id of a model" })
			.check(z.minLength(1, { error: "must be the id of a model" })),
		stream: z.optional(z.boolean({ error: "must be true or false" })),
		tools: z.optional(
			z.array(z.enum(serverTools, { error: `must be ${serverTools.join(" or ")}` }), {
				error: "must be a list",
			}),
		),
		custom_tools: z.optional(z.array(customToolSchema, { error: "must be a list" })),
		functions: z.optional(z.array(z.looseObject({}), { error: "must be a list" })),
		files: z.optional(z.array(fileReferenceSchema, { error: "must be a list" })),
		temperature: anyNumber,
		top_p: anyNumber,
		max_tokens: anyNumber,
	})
	.check(
		z.refine(({ tools, model }) => !tools?.length || canUseServerTools(model), {
			path: ["tools"],
			error: 'need a model whose id contains "tools"',
		}),
	);
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** Reply to a chat request without streaming; its messages are read one by one, as far as each can be. Interface §4.4. */
export const chatResponseSchema = z.object({ messages: z.array(z.unknown()) });
