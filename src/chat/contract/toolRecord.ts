import * as z from "zod/mini";
import type { LedgerEntry } from "../../tools/contract/tool.ts";

/** The latest time that a `Date` supports; formatting a later one throws (ECMAScript, Time Values). */
const maxTime = 8.64e15;

/** A time in milliseconds since 1970 that can be formatted. */
export const timeSchema = z.number().check(z.minimum(-maxTime), z.maximum(maxTime));

const entrySchema = z.object({
	callId: z.string(),
	tool: z.string(),
	fingerprint: z.string(),
}) satisfies z.ZodMiniType<LedgerEntry>;

/** A code block of an answer that the user applied to a file. It isn't part of the turn's messages. */
const blockCallSchema = z.object({
	callId: z.string(),
	name: z.string(),
	/** JSON. */
	arguments: z.string(),
	/** The number of messages of the turn before its card. */
	after: z.int().check(z.minimum(0)),
});
export type BlockCall = z.infer<typeof blockCallSchema>;

const toolEndSchema = z.object({
	callId: z.string(),
	state: z.enum(["done", "denied", "invalid", "refused", "missing", "failed", "cancelled"]),
	/** Run time in milliseconds. Absent if it never ran. */
	durationMs: z.exactOptional(z.int().check(z.minimum(0))),
	/** Its result, for calls without an answer message. */
	content: z.exactOptional(z.string()),
});
export type ToolEnd = z.infer<typeof toolEndSchema>;

/** The records of calls. Each applies to the turn and attempt in the call's id, and is ignored in later attempts. */
export const toolRecordSchemas = [
	/** A call about to run; on disk before it runs. */
	z.object({ type: z.literal("tool-started"), at: timeSchema, entry: entrySchema }),
	z.object({ type: z.literal("block-called"), at: timeSchema, call: blockCallSchema }),
	z.object({ type: z.literal("tool-ended"), at: timeSchema, end: toolEndSchema }),
] as const;
export type ToolRecord = z.infer<(typeof toolRecordSchemas)[number]>;

/** Identifies a call by its turn, attempt, round and the model's id. */
interface CallKey {
	readonly turnId: string;
	/** Counted from 1, as `Turn.attempt`. */
	readonly attempt: number;
	/** Counted from 1; `clickRound` for a call that the user made. */
	readonly round: number;
	/** The model's id, which is also its card's id. */
	readonly cardId: string;
}

/** The round of calls made by a click on a code block instead of an answer. */
export const clickRound = 0;

/** Returns a call's permanent id. A second call with the same id never runs. */
export function toolCallId({ turnId, attempt, round, cardId }: CallKey): string {
	return `${turnId}:${attempt}:${round}:${cardId}`;
}

/** Parses a call's id. The model's id may contain colons. */
export function placeOfCall(callId: string): CallKey {
	const [turnId = "", attempt, round, ...rest] = callId.split(":");
	return { turnId, attempt: Number(attempt), round: Number(round), cardId: rest.join(":") };
}
