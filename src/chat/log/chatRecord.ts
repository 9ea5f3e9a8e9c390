import * as z from "zod/mini";
import {
	type TurnAttachment,
	turnAttachmentSchema,
} from "../../attachments/attachment/turnAttachment.ts";
import { serviceErrorKinds } from "../../client/contract/errors.ts";
import { failureSchema } from "../../client/contract/failureRecord.ts";
import { chatMessageSchema, serverTools } from "../../client/contract/schemas.ts";
import { timeSchema as time, toolRecordSchemas } from "../turn/toolRecord.ts";
import type { AnswerMessage, TurnOptions, TurnProgress, TurnUsage } from "../turn/turn.ts";
import type { TurnFailure } from "../turn/toFailure.ts";

/** Turns of a chat are numbered from 1 in the order they were asked. */
const turnNumber = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(0));

/** Options of a question, as they are kept. */
export const turnOptionsSchema = z.object({
	model: z.string(),
	serverTools: z.array(z.enum(serverTools)),
	parameters: z.record(z.string(), z.unknown()),
	systemPrompt: z.exactOptional(z.string()),
	instructions: z.exactOptional(z.array(z.object({ name: z.string(), text: z.string() }))),
	mayBrowse: z.exactOptional(z.literal(true)),
	isDemo: z.exactOptional(z.literal(true)),
	isClaimed: z.exactOptional(z.literal(true)),
}) satisfies z.ZodMiniType<TurnOptions>;

const endingFailureSchema = z.extend(z.omit(failureSchema, { charge: true }), {
	kind: z.enum([...serviceErrorKinds, "reload"]),
}) satisfies z.ZodMiniType<TurnFailure>;

/** An ending, as it is kept; a turn without one was cut off by a reload (L1, L2). */
const endingSchema = z.discriminatedUnion("state", [
	z.object({ state: z.enum(["complete", "stopped"]) }),
	z.object({
		state: z.literal("partlyUnreadable"),
		unreadableParts: count,
		hasReplacedBytes: z.boolean(),
	}),
	z.object({
		state: z.enum(["interrupted", "endedEarly", "empty", "refused", "notSent", "chargeUnknown"]),
		failure: endingFailureSchema,
	}),
]) satisfies z.ZodMiniType<TurnProgress>;

const answerMessageSchema = z.object({
	role: z.string(),
	text: z.string(),
	isFinished: z.boolean(),
	raw: z.exactOptional(chatMessageSchema),
	toolNames: z.array(z.string()),
	unreadableFrames: z.exactOptional(count),
	hasReplacedBytes: z.exactOptional(z.literal(true)),
	hasUnusableCall: z.exactOptional(z.literal(true)),
}) satisfies z.ZodMiniType<AnswerMessage>;

const tokens = z.number().check(z.minimum(0));
const usageSchema = z.object({
	input: z.exactOptional(tokens),
	output: z.exactOptional(tokens),
	perSecond: z.exactOptional(tokens),
	taken: z.exactOptional(tokens),
	contextLength: z.exactOptional(tokens),
}) satisfies z.ZodMiniType<TurnUsage>;

/** The workspace a chat was started in, as it is kept. */
export const workspaceSchema = z.object({
	/** The addresses of its folders, as texts of URIs, in their order. */
	folders: z.array(z.string()),
	/** Name in the editor. */
	name: z.string(),
});

/** The workspace a chat was started in. */
export interface ChatWorkspace {
	/** The addresses of its folders, as texts of URIs, in their order. */
	readonly folders: readonly string[];
	/** Name in the editor. */
	readonly name: string;
}

/** One thing that happened in a chat; a chat is the sum of its records in their order. */
export const chatRecordSchema = z.discriminatedUnion("type", [
	/** First of every log; `id` is the file's name. */
	z.object({
		type: z.literal("chat-created"),
		at: time,
		id: z.string(),
		/** Left out of a chat that was started in no workspace. */
		workspace: z.exactOptional(workspaceSchema),
	}),
	z.object({ type: z.literal("title"), at: time, title: z.string() }),
	/** On disk before the request leaves (docs/architecture.md). */
	z.object({
		type: z.literal("turn-started"),
		at: time,
		turn: turnNumber,
		id: z.string(),
		prompt: z.string(),
		options: turnOptionsSchema,
		/** Attachments; left out when there are none. */
		attachments: z.exactOptional(z.array(turnAttachmentSchema)),
		/** The number of the turn it follows, 0 for none; left out when that is the one asked before it. */
		after: z.exactOptional(count),
	}),
	/** From here on the turns are shown that lead to this one, and those that were shown behind it. */
	z.object({ type: z.literal("branch-shown"), at: time, shown: turnNumber }),
	/** Another attempt at the same question, on disk before its request leaves. */
	z.object({
		type: z.literal("attempt-started"),
		at: time,
		turn: turnNumber,
		isStreamed: z.boolean(),
		options: turnOptionsSchema,
		/** Attachments of the question from this attempt on; left out when they are the same as before. */
		attachments: z.exactOptional(z.array(turnAttachmentSchema)),
	}),
	/** A save point: the text that came since the one before it. The first of an `index` opens its message. */
	z.object({
		type: z.literal("text"),
		turn: turnNumber,
		index: count,
		role: z.string(),
		text: z.string(),
	}),
	/** More of what the model thought behind so many messages, how long that took, or that it was the answer itself. */
	z.object({
		type: z.literal("thought"),
		turn: turnNumber,
		after: count,
		text: z.string(),
		durationMs: z.exactOptional(count),
		isDropped: z.exactOptional(z.literal(true)),
	}),
	/** Facts about a message once nothing more comes for it, without the text that save points hold. */
	z.object({
		type: z.literal("message-finished"),
		turn: turnNumber,
		index: count,
		message: z.omit(answerMessageSchema, { text: true, isFinished: true }),
		/** Whether `content` of the raw message is the saved text and was therefore left empty here. */
		isContentSaved: z.boolean(),
	}),
	/** An answer that came whole and takes the place of what was there (S28). */
	z.object({
		type: z.literal("answer-replaced"),
		turn: turnNumber,
		messages: z.array(answerMessageSchema),
	}),
	/**
	 * The attempt under way goes on where its last request failed: it keeps this many messages, on disk before its request
	 * leaves.
	 */
	z.object({
		type: z.literal("attempt-resumed"),
		at: time,
		turn: turnNumber,
		keptMessages: count,
		options: turnOptionsSchema,
		attachments: z.exactOptional(z.array(turnAttachmentSchema)),
	}),
	/** The answer goes on where it was cut off, behind the messages it has; on disk before its request leaves. */
	z.object({
		type: z.literal("attempt-continued"),
		at: time,
		turn: turnNumber,
		options: turnOptionsSchema,
	}),
	...toolRecordSchemas,
	z.object({
		type: z.literal("turn-ended"),
		at: time,
		turn: turnNumber,
		progress: endingSchema,
		/** Left out when no tokens were reported. */
		usage: z.exactOptional(usageSchema),
	}),
	/** Lines that could not be read were here (L8). */
	z.object({ type: z.literal("gap") }),
]);
export type ChatRecord = z.infer<typeof chatRecordSchema>;

/** The number of the turn a record is about; undefined for those about the chat itself. */
export function turnNumberOf(record: ChatRecord): number | undefined {
	return "turn" in record ? record.turn : undefined;
}

/** A message as a record holds it. */
export function recordedMessage(message: AnswerMessage): z.infer<typeof answerMessageSchema> {
	return { ...message, toolNames: [...message.toolNames] };
}

/** A question's options as a record holds them. */
export function recordedOptions(options: TurnOptions): z.infer<typeof turnOptionsSchema> {
	return {
		model: options.model,
		serverTools: [...options.serverTools],
		parameters: { ...options.parameters },
		...(options.systemPrompt === undefined ? {} : { systemPrompt: options.systemPrompt }),
		...(options.instructions
			? { instructions: options.instructions.map(({ name, text }) => ({ name, text })) }
			: {}),
		...(options.mayBrowse ? { mayBrowse: true } : {}),
		...(options.isDemo ? { isDemo: true } : {}),
		...(options.isClaimed ? { isClaimed: true } : {}),
	};
}

/** A question's attachments as a field of its records. */
export function recordedAttachments(attachments: readonly TurnAttachment[] | undefined): {
	attachments?: TurnAttachment[];
} {
	return attachments === undefined ? {} : { attachments: [...attachments] };
}

/** The record of a message that has closed; its text is in the save points before, and not repeated. */
export function finishedRecord(turn: number, index: number, message: AnswerMessage): ChatRecord {
	const { role, text, raw, toolNames, unreadableFrames, hasReplacedBytes, hasUnusableCall } =
		message;
	const isContentSaved = raw?.content === text;
	return {
		type: "message-finished",
		turn,
		index,
		isContentSaved,
		message: {
			role,
			toolNames: [...toolNames],
			...(raw ? { raw: isContentSaved ? { ...raw, content: "" } : raw } : {}),
			...(unreadableFrames === undefined ? {} : { unreadableFrames }),
			...(hasReplacedBytes ? { hasReplacedBytes } : {}),
			...(hasUnusableCall ? { hasUnusableCall } : {}),
		},
	};
}
