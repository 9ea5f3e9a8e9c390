import * as z from "zod/mini";
import type { LedgerEntry } from "../../tools/tool/toolLedger.ts";
import { timeSchema } from "./recordTime.ts";

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
