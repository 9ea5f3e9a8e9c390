import * as z from "zod/mini";
import {
	chargeStates,
	type FailureFacts,
	failureReasons,
	serviceErrorKinds,
} from "./serviceError.ts";
import { maxPromptCharacters, sceneMarks } from "../../common/videoEngines.ts";

/**
 * Header that requests details, which the interface has no fields for: in separate frames of a streamed answer, and in a separate field of a
 * generation. The value is the URI-encoded id of the request's conversation, or empty. Sent to the local service only.
 */
export const detailsHeader = "x-cutaway-details";

const count = z.number().check(z.minimum(0));

/** What a model does before its answer: it is loaded into memory, or processes the prompt. `working` is everything afterwards. `packages`: Python's packages are downloaded. */
const progressStageSchema = z.enum(["loading", "reading", "working", "packages"]);
export type ProgressStage = z.infer<typeof progressStageSchema>;

/** What a model was asked without, or what of its answer isn't shown. */
export const answerNoteSchema = z.object({
	/**
	 * `fewerTools`: the others don't fit into the model's context, or its server refuses so many. `refusedTools`: the model's server doesn't accept their descriptions. `unreadCall`: the
	 * server passed a call on as text that can't be read.
	 */
	kind: z.enum([
		"noTools",
		"noImages",
		"noThinking",
		"withoutParameter",
		"fewerTools",
		"refusedTools",
		"unreadCall",
	]),
	/** The refused parameter, or the tools that were left out; otherwise empty. */
	names: z.readonly(z.array(z.string().check(z.regex(/^[\w.-]{1,200}$/))).check(z.maxLength(1000))),
	/** The text of an `unreadCall`. */
	text: z.exactOptional(z.string()),
});
export type AnswerNote = Readonly<z.infer<typeof answerNoteSchema>>;

/** The field `cutaway` of a separate frame. */
export const detailSchema = z.discriminatedUnion("type", [
	/** Thinking before the next message or within the current one. */
	z.object({ type: z.literal("thinking"), text: z.string() }),
	/** Duration of thinking, in milliseconds. */
	z.object({ type: z.literal("thought"), ms: count }),
	/** The thinking so far is the answer itself, and is repeated as text. */
	z.object({ type: z.literal("not-thinking") }),
	/** The text of the open message so far was thinking. */
	z.object({ type: z.literal("was-thinking") }),
	/** Tokens of one request to a model, as its server reported them. */
	z.object({
		type: z.literal("usage"),
		input: z.exactOptional(count),
		output: z.exactOptional(count),
		perSecond: z.exactOptional(count),
	}),
	/** The model's effective context, in tokens. */
	z.object({ type: z.literal("context"), tokens: count }),
	/** The model's stage and, if known, its progress from 0 to 1. Repeated every 10 seconds while the answer runs. */
	z.object({
		type: z.literal("progress"),
		stage: progressStageSchema,
		share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	}),
	/** The model's server asked for a wait before the request is repeated. Repeated every 10 seconds with the rest of it. */
	z.object({ type: z.literal("waiting"), ms: count, attempt: z.int() }),
	/** Python's code needs packages, and waits for the user's decision about their download. Repeated every 10 seconds. */
	z.object({
		type: z.literal("packages"),
		id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
		/** Those that the code imports. */
		names: z.array(z.string().check(z.regex(/^[\w.-]{1,100}$/))).check(z.maxLength(100)),
		/** The number of files to download, with what the packages depend on. */
		count: z.int().check(z.minimum(1)),
		host: z.string().check(z.maxLength(300)),
	}),
	/** The answer ended at the model's limit. */
	z.object({ type: z.literal("finish"), reason: z.literal("length") }),
	/** May be repeated; the chat shows each once. */
	z.extend(answerNoteSchema, { type: z.literal("note") }),
	/** The last frame of a failed answer: the status and the error body, which a stream can't contain (docs/interface.md §6, rule 8). */
	z.object({
		type: z.literal("failed"),
		status: z.int(),
		error: z.looseObject({ message: z.string() }),
		retryAfter: z.exactOptional(z.string()),
	}),
]);
export type DetailFrame = z.infer<typeof detailSchema>;
export type FailedFrame = Extract<DetailFrame, { readonly type: "failed" }>;
/** A detail that is part of an answer. Progress and waits are notices instead, and a failure is an error. */
export type ChatDetail = Exclude<
	DetailFrame,
	{ readonly type: "failed" | "progress" | "waiting" | "packages" }
>;
/** A question about downloading Python's packages. */
export type PackageQuestion = Extract<DetailFrame, { readonly type: "packages" }>;

/** Additional information by the local service about a video made by a server with a model. */
export const videoDetailSchema = z.object({
	/** Name of the server. */
	engine: z.string().check(z.maxLength(200)),
	/** Absent if the video is complete or has failed. */
	stage: z.exactOptional(
		z.enum(["preparing", "sending", "queued", "generating", "downloading", "trimming"]),
	),
	/** Progress, 0 to 1. */
	share: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
	/** Reported cost in US dollars. */
	cost: z.exactOptional(count),
	/** Further information, as a sentence. */
	note: z.exactOptional(z.string().check(z.maxLength(1000))),
});
export type VideoDetail = z.infer<typeof videoDetailSchema>;

/** All defaults for what the interface doesn't specify. docs/interface.md. Overriding settings are in the `Connection`. */
export const assumptions = {
	/** Header and scheme of the key. Not specified in docs/interface.md §5. */
	auth: { header: "Authorization", scheme: "Bearer" },
	/** Path for uploads, and the multipart field of the file. Not specified in docs/interface.md §4.4. */
	files: { path: "/v1/files", field: "file" },
	/** Where an upload's response has the file id: in `named` anywhere, else in `bare` of one of `places`, else at the top. */
	fileId: { named: "file_id", bare: "id", places: ["file", "data"] },
	/** Role of a streamed message whose frames have none. docs/interface.md §6 rule 2. */
	answerRole: "assistant",
	/** Fields of an error body that may contain the message, in order of precedence. Not specified in docs/interface.md §7. */
	errorFields: ["message", "error", "detail", "errors"],
	/** Base of a `video_url` without scheme and host, on the endpoint's origin. Not specified in docs/interface.md §4.3. */
	videoUrlBase: "/",
} as const;

/**
 * Time limits of exchanges without streaming, in milliseconds; otherwise a response that trickles in would never time out. Uploads and downloads
 * allow for the largest file on a slow connection, answers for a slow model.
 */
export const totalMs = {
	lookup: 60_000,
	creation: 600_000,
	upload: 1_800_000,
	answer: 1_800_000,
	download: 3_600_000,
} as const;

/** An integer from `min` to `max`, as required in docs/interface.md §8 for duration and motion strength. */
const wholeNumber = (min: number, max: number) => {
	const error = `must be a whole number from ${min} to ${max}`;
	return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
};

/** Counts Unicode code points, as the interface counts characters. docs/interface.md. */
function countCharacters(text: string): number {
	const surrogatePairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	return text.length - surrogatePairs;
}

/** Length of a video in seconds, 1 to 4. docs/interface.md §4.1, §4.2, §8. */
export const durationSchema = wholeNumber(1, 4);

/** Amount of motion in a video, 1 to 5. docs/interface.md §4.1, §4.2, §8. */
export const motionStrengthSchema = wholeNumber(1, 5);

/** Body of `POST /v1/videos/text-to-video`. docs/interface.md §4.1. */
export const textToVideoRequestSchema = z.object({
	prompt: z.string({ error: "must be text" }).check(
		z.refine(prompt => countCharacters(prompt.replace(sceneMarks, "")) <= maxPromptCharacters, {
			error: `must have at most ${maxPromptCharacters} characters`,
		}),
	),
	duration: z.optional(durationSchema),
	motion_strength: z.optional(motionStrengthSchema),
});
export type TextToVideoRequest = z.infer<typeof textToVideoRequestSchema>;

/** Body of `POST /v1/videos/image-to-video`. The service must be able to reach the URL. docs/interface.md §4.2. */
export const imageToVideoRequestSchema = z.object({
	image_url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
	duration: z.optional(durationSchema),
	motion_strength: z.optional(motionStrengthSchema),
});
export type ImageToVideoRequest = z.infer<typeof imageToVideoRequestSchema>;

/** Response to both creation requests. `success` isn't required: an id may have been charged. docs/interface.md §4.1, §4.2. */
export const createGenerationResponseSchema = z.object({
	generation_id: z.string().check(z.minLength(1)),
});

/** An optional field. Treats a value of another type as missing. */
const unneeded = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.optional(schema), undefined);

/**
 * A generation. Only `status` is required, so other fields may be missing or of another type; a `status` other than `in_progress` and `complete` is
 * kept unchanged. docs/interface.md §2.1.
 */
const generationSchema = z.object({
	org_id: unneeded(z.string()),
	created_at: unneeded(z.string()),
	type: unneeded(z.string()),
	params: unneeded(z.record(z.string(), z.unknown())),
	status: z.optional(z.unknown()),
	output: unneeded(z.nullable(z.looseObject({ video_url: z.optional(z.unknown()) }))),
	/** Why it failed, as reported by the local service; not part of the interface. */
	message: unneeded(z.string()),
});
export type Generation = z.infer<typeof generationSchema>;

/** Response to `GET /v1/generations/{id}`. A generation is used with any `success` other than `false`. docs/interface.md §4.3. */
export const generationResponseSchema = z.object({
	generation: generationSchema,
	/** Sent by the local service on request. */
	details: unneeded(videoDetailSchema),
});

/** A model's call of a custom tool. `arguments` is JSON text, not parsed. docs/interface.md §2.2. */
export const toolCallSchema = z.object({
	id: z.string(),
	type: z.literal("function"),
	function: z.object({ name: z.string(), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** The deprecated single call of an assistant message. docs/interface.md §2.2. */
const functionCallSchema = z.object({ name: z.string(), arguments: z.string() });
export type FunctionCall = z.infer<typeof functionCallSchema>;

/** A chat message. Keeps unknown fields, since assistant messages are sent back unchanged. docs/interface.md §2.2. */
export const chatMessageSchema = z.looseObject({
	role: z.string(),
	content: z.string(),
	name: z.optional(z.string()),
	function_call: z.optional(functionCallSchema),
	tool_call_id: z.optional(z.string()),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** An uploaded file for `code_interpreter`. docs/interface.md §2.3. */
const fileReferenceSchema = z.object({
	file_id: z.string().check(z.minLength(1)),
	name: z.string(),
	type: z.string(),
});
export type FileReference = z.infer<typeof fileReferenceSchema>;

/** Response to an upload. `assumptions` defines where the file id is. docs/interface.md §4.4. */
export const uploadResponseSchema = z.record(z.string(), z.unknown());

/** A function that the model may call on the client. docs/interface.md §2.4. */
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

/** The tools that run on the server. docs/interface.md §4.4, field `tools`. */
export const serverTools = ["code_interpreter", "browsing"] as const;

/** Whether a model belongs to a model server behind the local service: its id is SERVER/MODEL. */
export function isServerModel(model: string): boolean {
	return /^[\w.-]{1,40}\/./.test(model);
}

/** Whether a model can use server tools: its id contains `tools` (docs/interface.md §4.4), or the local service runs them. */
export function canUseServerTools(model: string): boolean {
	return model.includes("tools") || isServerModel(model);
}

const anyNumber = z.optional(z.number({ error: "must be a number" }));

/** Body of `POST /v1/chat/messages`. Other fields are the standard chat-completion parameters, passed through unchanged. docs/interface.md §4.4. */
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

/** Response to a chat request without streaming. Its messages are parsed one by one, as far as possible. docs/interface.md §4.4. */
export const chatResponseSchema = z.object({ messages: z.array(z.unknown()) });

const text = z.optional(z.string());

/** An optional field of a failure. Values unknown to this version are dropped. */
const further = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.optional(schema), undefined);

const tokensSchema = z.object({ has: z.number(), room: z.number() });

/** The record of a failed exchange. A kind of a newer version is read as `unreadable`. */
export const failureSchema = z.object({
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	kind: z.catch(z.enum(serviceErrorKinds), "unreadable"),
	charge: z.enum(chargeStates),
	status: z.optional(z.number()),
	serviceMessage: text,
	host: text,
	retryAfterMs: z.optional(z.number().check(z.minimum(0))),
	detail: text,
	reason: further(z.enum(failureReasons)),
	tokens: further(tokensSchema),
}) satisfies z.ZodMiniType<FailureFacts>;

/** The local service's error body. Known codes are failure reasons. */
export const localErrorSchema = z.object({
	message: z.string(),
	code: further(z.enum(failureReasons)),
	tokens: further(tokensSchema),
});
