import * as z from "zod/mini";
import type { LedgerEntry } from "../../tools/tool/toolLedger.ts";

/** The latest time that a `Date` holds; formatting a later one throws (ECMAScript, Time Values). */
const maxTime = 8.64e15;

/** A time as it is kept: milliseconds since 1970 that can be shown. */
export const timeSchema = z.number().check(z.minimum(-maxTime), z.maximum(maxTime));

const entrySchema = z.object({
	callId: z.string(),
	tool: z.string(),
	fingerprint: z.string(),
	files: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
}) satisfies z.ZodMiniType<LedgerEntry>;

/** A code block of an answer that a user had put into a file; no message of the turn tells of it. */
const blockCallSchema = z.object({
	callId: z.string(),
	name: z.string(),
	/** JSON. */
	arguments: z.string(),
	/** How many messages of the turn are before its card. */
	after: z.int().check(z.minimum(0)),
});
export type BlockCall = z.infer<typeof blockCallSchema>;

/** How a call ended. */
const toolEndSchema = z.object({
	callId: z.string(),
	state: z.enum(["done", "denied", "invalid", "refused", "missing", "failed", "cancelled"]),
	/** How long it ran, in milliseconds; left out of calls that never ran. */
	durationMs: z.exactOptional(z.int().check(z.minimum(0))),
	/** Its result, of calls that no message answers. */
	content: z.exactOptional(z.string()),
});
export type ToolEnd = z.infer<typeof toolEndSchema>;

/** The records of calls. Each is about the turn that the call's id names, and is passed over in any later attempt. */
export const toolRecordSchemas = [
	/** A call that was about to run; on disk before it did (class T, U18). */
	z.object({ type: z.literal("tool-started"), at: timeSchema, entry: entrySchema }),
	z.object({ type: z.literal("block-called"), at: timeSchema, call: blockCallSchema }),
	z.object({ type: z.literal("tool-ended"), at: timeSchema, end: toolEndSchema }),
] as const;
export type ToolRecord = z.infer<(typeof toolRecordSchemas)[number]>;

/** The record of a call about to run. `at` is in milliseconds since 1970. */
export function toolStartedRecord(at: number, entry: LedgerEntry): ToolRecord {
	const files = entry.files.map(file => ({ ...file }));
	return { type: "tool-started", at, entry: { ...entry, files } };
}

/** Where a call is: of which turn, in which attempt and round, under which id of the model. */
interface CallKey {
	readonly turnId: string;
	/** Counted from 1, as `Turn.attempt`. */
	readonly attempt: number;
	/** Counted from 1; `clickRound` of a call that a user made. */
	readonly round: number;
	/** The model's id for it, which is its card's id as well. */
	readonly cardId: string;
}

/** The round of calls that no answer made, but a click on one of its code blocks. */
export const clickRound = 0;

/** A call's id for all time: a second call with it never runs. */
export function toolCallId({ turnId, attempt, round, cardId }: CallKey): string {
	return `${turnId}:${attempt}:${round}:${cardId}`;
}

/** The place a call's id was made of; whatever the model's id holds, even colons, comes back. */
export function placeOfCall(callId: string): CallKey {
	const [turnId = "", attempt, round, ...rest] = callId.split(":");
	return { turnId, attempt: Number(attempt), round: Number(round), cardId: rest.join(":") };
}
