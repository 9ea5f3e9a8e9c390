import * as z from "zod/mini";
import { turnAttachmentSchema } from "../../attachments/contract/turnAttachment.ts";
import { serviceErrorKinds } from "../../client/contract/serviceError.ts";
import {
	answerNoteSchema,
	chatMessageSchema,
	failureSchema,
	serverTools,
} from "../../client/contract/schemas.ts";
import { timeSchema as time, toolRecordSchemas } from "../contract/toolRecord.ts";
import type { AnswerMessage, TurnOptions, TurnProgress, TurnUsage } from "../contract/turn.ts";
import type { TurnFailure } from "../contract/turnFailure.ts";

/** Turn number, counted from 1 in the order they were sent. */
const turnNumber = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(0));

export const turnOptionsSchema = z.object({
	model: z.string(),
	serverTools: z.array(z.enum(serverTools)),
	parameters: z.record(z.string(), z.unknown()),
	systemPrompt: z.exactOptional(z.string()),
	instructions: z.exactOptional(
		z.readonly(z.array(z.object({ name: z.string(), text: z.string() }))),
	),
	mayBrowse: z.exactOptional(z.literal(true)),
	isDemo: z.exactOptional(z.literal(true)),
	isClaimed: z.exactOptional(z.literal(true)),
}) satisfies z.ZodMiniType<TurnOptions>;

const endingFailureSchema = z.extend(z.omit(failureSchema, { charge: true }), {
	kind: z.enum([...serviceErrorKinds, "reload"]),
}) satisfies z.ZodMiniType<TurnFailure>;

/** Stored ending. A turn without one was interrupted by a reload. */
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

const attachmentsSchema = z.readonly(z.array(turnAttachmentSchema));

const answerMessageSchema = z.object({
	role: z.string(),
	text: z.string(),
	isFinished: z.boolean(),
	raw: z.exactOptional(chatMessageSchema),
	toolNames: z.readonly(z.array(z.string())),
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

export const workspaceSchema = z.object({
	/** URIs of its folders, in order. */
	folders: z.readonly(z.array(z.string())),
	name: z.string(),
});
export type ChatWorkspace = Readonly<z.infer<typeof workspaceSchema>>;

/** An event in a chat. The records in order make up the chat. */
export const chatRecordSchema = z.discriminatedUnion("type", [
	/** First record of every log; `id` is the file's name. */
	z.object({
		type: z.literal("chat-created"),
		at: time,
		id: z.string(),
		/** Absent if the chat was started without a workspace. */
		workspace: z.exactOptional(workspaceSchema),
	}),
	z.object({ type: z.literal("title"), at: time, title: z.string() }),
	/** Written before the request is sent (docs/architecture.md). */
	z.object({
		type: z.literal("turn-started"),
		at: time,
		turn: turnNumber,
		id: z.string(),
		prompt: z.string(),
		options: turnOptionsSchema,
		/** Absent if there are none. */
		attachments: z.exactOptional(attachmentsSchema),
		/** The number of the turn it follows, 0 for none; absent if it follows the previous one. */
		after: z.exactOptional(count),
	}),
	/** Shows the turns that lead to this one, and those last shown after it. */
	z.object({ type: z.literal("branch-shown"), at: time, shown: turnNumber }),
	/** Another attempt at the same turn, written before its request is sent. */
	z.object({
		type: z.literal("attempt-started"),
		at: time,
		turn: turnNumber,
		isStreamed: z.boolean(),
		options: turnOptionsSchema,
		/** Attachments from this attempt on; absent if unchanged. */
		attachments: z.exactOptional(attachmentsSchema),
	}),
	/** A save point: the text since the previous one. The first one with an `index` starts its message. */
	z.object({
		type: z.literal("text"),
		turn: turnNumber,
		index: count,
		role: z.string(),
		text: z.string(),
	}),
	/** Further thinking after this number of messages, its duration, or that it was the answer itself. */
	z.object({
		type: z.literal("thought"),
		turn: turnNumber,
		after: count,
		text: z.string(),
		durationMs: z.exactOptional(count),
		isDropped: z.exactOptional(z.literal(true)),
	}),
	/** A finished message without its text, which the save points contain. */
	z.object({
		type: z.literal("message-finished"),
		turn: turnNumber,
		index: count,
		message: z.omit(answerMessageSchema, { text: true, isFinished: true }),
		/** Whether `content` of the raw message equals the saved text and was omitted here. */
		isContentSaved: z.boolean(),
	}),
	/** A complete answer that replaces the existing one. */
	z.object({
		type: z.literal("answer-replaced"),
		turn: turnNumber,
		messages: z.readonly(z.array(answerMessageSchema)),
	}),
	/** The current attempt continues after a failed request and keeps this number of messages. Written before its request is sent. */
	z.object({
		type: z.literal("attempt-resumed"),
		at: time,
		turn: turnNumber,
		keptMessages: count,
		options: turnOptionsSchema,
		attachments: z.exactOptional(attachmentsSchema),
	}),
	/** A truncated answer continues after its messages. Written before its request is sent. */
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
		/** Absent if no tokens were reported. */
		usage: z.exactOptional(usageSchema),
		/** What the model was asked without. Absent if nothing, or only what the chat says already. */
		notes: z.exactOptional(z.readonly(z.array(answerNoteSchema))),
	}),
	/** Unreadable lines were here. */
	z.object({ type: z.literal("gap") }),
]);
export type ChatRecord = z.infer<typeof chatRecordSchema>;

/** Returns a record's turn number, or undefined for records about the chat itself. */
export function turnNumberOf(record: ChatRecord): number | undefined {
	return "turn" in record ? record.turn : undefined;
}

/** Creates the record of a finished message. Its text is in earlier save points and not repeated. */
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
			toolNames,
			...(raw ? { raw: isContentSaved ? { ...raw, content: "" } : raw } : {}),
			...(unreadableFrames === undefined ? {} : { unreadableFrames }),
			...(hasReplacedBytes ? { hasReplacedBytes } : {}),
			...(hasUnusableCall ? { hasUnusableCall } : {}),
		},
	};
}
