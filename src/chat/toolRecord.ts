import * as z from "zod/mini";
import type { LedgerEntry } from "../tools/toolLedger.ts";

const entrySchema = z.object({
	callId: z.string(),
	tool: z.string(),
	fingerprint: z.string(),
	files: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
}) satisfies z.ZodMiniType<LedgerEntry>;

/** A call of a tool that was about to run; on disk before it did (class T, U18). */
export const toolStartedSchema = z.object({
	type: z.literal("tool-started"),
	at: z.number(),
	turn: z.int().check(z.minimum(1)),
	entry: entrySchema,
});

/** The record of a call about to run. `at` is in milliseconds since 1970. */
export function toolStartedRecord(
	turn: number,
	at: number,
	entry: LedgerEntry,
): z.infer<typeof toolStartedSchema> {
	return {
		type: "tool-started",
		at,
		turn,
		entry: { ...entry, files: entry.files.map(file => ({ ...file })) },
	};
}
