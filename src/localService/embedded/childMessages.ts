import * as z from "zod/mini";
import type { GgufFault } from "./gguf.ts";

/** Messages between the local service and the process that runs a model, over Node's channel of a forked process. */

/** A question to a model in a file. */
const askSchema = z.object({
	type: z.literal("ask"),
	id: z.int(),
	/** The model's file, an absolute path. */
	file: z.string().check(z.minLength(1)),
	messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
	/** The longest context in tokens; 0 leaves it to the memory of this machine. */
	contextLength: z.number().check(z.minimum(0)),
	maxTokens: z.optional(z.int().check(z.minimum(0))),
	temperature: z.optional(z.number()),
	topP: z.optional(z.number()),
	/** Names of the tools that the messages describe; a call is written as JSON that names one of them. */
	tools: z.optional(z.array(z.string())),
});
export type ChildQuestion = z.infer<typeof askSchema>;

/** To the process. It answers one question at a time, in their order. */
export const toChildSchema = z.discriminatedUnion("type", [
	askSchema,
	/** Ends the answer to the question with this id, begun or not. */
	z.object({ type: z.literal("stop"), id: z.int() }),
]);
export type ToChild = z.infer<typeof toChildSchema>;

const faults = ["missing", "unreadable", "empty", "notGguf", "truncated", "damaged"] as const;

const failureReasons = [
	...(faults satisfies readonly GgufFault[]),
	...(["noBuild", "notLoaded", "noTemplate", "tooLong", "noMemory", "failed"] as const),
] as const;
/** Why a question got no answer. */
export type ChildFailureReason = (typeof failureReasons)[number];

/** From the process: any number of the others, then one `end` or `failed` for every question. */
export const fromChildSchema = z.discriminatedUnion("type", [
	/** The model is loaded, or reads the messages; the share is from 0 to 1. */
	z.object({
		type: z.literal("progress"),
		id: z.int(),
		stage: z.enum(["loading", "reading"]),
		share: z.number(),
	}),
	/** The answer begins; some templates open a thought before it. */
	z.object({
		type: z.literal("started"),
		id: z.int(),
		contextLength: z.int(),
		isInThought: z.boolean(),
	}),
	z.object({ type: z.literal("text"), id: z.int(), text: z.string() }),
	/** Every few seconds while a question is worked at: the time in milliseconds that each thread has computed since the process began. */
	z.object({ type: z.literal("busy"), id: z.int(), computedMs: z.number() }),
	z.object({
		type: z.literal("end"),
		id: z.int(),
		/** The answer ended at a limit of length. */
		isCut: z.boolean(),
		/** Tokens of the messages, those of them that were read already, and those written. */
		input: z.int(),
		kept: z.int(),
		output: z.int(),
		perSecond: z.number(),
	}),
	z.object({
		type: z.literal("failed"),
		id: z.int(),
		reason: z.enum(failureReasons),
		/** The words of whoever failed, in English; may be empty. */
		words: z.string(),
	}),
]);
export type FromChild = z.infer<typeof fromChildSchema>;
export type ChildEnd = Extract<FromChild, { type: "end" }>;
