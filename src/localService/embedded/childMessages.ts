import * as z from "zod/mini";
import { maxCalls, toolSchema } from "../openai/writtenCalls.ts";
import type { GgufFault } from "./gguf.ts";

/** Messages between the local service and the process that runs a model, over Node's IPC channel. */

const askSchema = z.object({
	type: z.literal("ask"),
	id: z.int(),
	/** Absolute path of the model's file. */
	file: z.string().check(z.minLength(1)),
	messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
	/** The longest context in tokens; 0 chooses by the machine's memory. */
	contextLength: z.number().check(z.minimum(0)),
	maxTokens: z.optional(z.int().check(z.minimum(0))),
	temperature: z.optional(z.number()),
	topP: z.optional(z.number()),
	/** The tools that the answer may call, in OpenAI's format. */
	tools: z.optional(z.array(toolSchema)),
	mustCall: z.optional(z.boolean()),
});
export type ChildQuestion = z.infer<typeof askSchema>;

/** To the process, which answers one request at a time, in order. */
export const toChildSchema = z.discriminatedUnion("type", [
	askSchema,
	/** Cancels the request with this id, started or not. */
	z.object({ type: z.literal("stop"), id: z.int() }),
]);
export type ToChild = z.infer<typeof toChildSchema>;

const faults = ["missing", "unreadable", "empty", "notGguf", "truncated", "damaged"] as const;

const failureReasons = [
	...(faults satisfies readonly GgufFault[]),
	...(["noBuild", "notLoaded", "noTemplate", "tooLong", "noMemory", "failed"] as const),
] as const;
export type ChildFailureReason = (typeof failureReasons)[number];

/** From the process: any number of others, then one `end` or `failed` for every request. */
export const fromChildSchema = z.discriminatedUnion("type", [
	/** The model is being loaded, or processes the prompt. The share is from 0 to 1. */
	z.object({
		type: z.literal("progress"),
		id: z.int(),
		stage: z.enum(["loading", "reading"]),
		share: z.number(),
	}),
	/** The answer starts. Some templates start with thinking. */
	z.object({
		type: z.literal("started"),
		id: z.int(),
		contextLength: z.int(),
		isInThought: z.boolean(),
	}),
	/** A part of the answer without its calls; empty while a call is written. */
	z.object({ type: z.literal("text"), id: z.int(), text: z.string() }),
	/** Sent every few seconds during a request: the CPU time per thread in milliseconds since the process started. */
	z.object({ type: z.literal("busy"), id: z.int(), computedMs: z.number() }),
	z.object({
		type: z.literal("end"),
		id: z.int(),
		/** Whether the answer was truncated by a length limit. */
		isCut: z.boolean(),
		/** Tokens of the prompt, those of them that were cached, and those of the answer. */
		input: z.int(),
		kept: z.int(),
		output: z.int(),
		perSecond: z.number(),
		/** The calls at the end of the answer, with their arguments as JSON. The name of a truncated one is empty. */
		calls: z
			.array(z.object({ name: z.string(), arguments: z.string() }))
			.check(z.maxLength(maxCalls)),
	}),
	z.object({
		type: z.literal("failed"),
		id: z.int(),
		reason: z.enum(failureReasons),
		/** The error message in English; may be empty. */
		words: z.string(),
	}),
]);
export type FromChild = z.infer<typeof fromChildSchema>;
export type ChildEnd = Extract<FromChild, { type: "end" }>;
