import type { Clock } from "../../../common/async.ts";
import { isAbortError } from "../../../common/errors.ts";
import { runInThread } from "../../../common/threadTask.ts";
import * as z from "zod/mini";
import { clipFormats } from "../../video/generationRecord.ts";

/** A file to be cut back, in place. */
export const trimRequestSchema = z.object({
	file: z.string(),
	format: z.enum(clipFormats),
	/** How long it should be. */
	seconds: z.number().check(z.positive()),
});
export type TrimRequest = z.infer<typeof trimRequestSchema>;

/** What became of it; `seconds` are those that it had. */
export const trimOutcomeSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("trimmed"), seconds: z.number() }),
	z.object({ type: z.literal("fits"), seconds: z.number() }),
	/** It is as long as it came; `reason` is half a sentence. */
	z.object({ type: z.literal("kept"), reason: z.string() }),
]);
export type TrimOutcome = z.infer<typeof trimOutcomeSchema>;

/** Cuts a clip back in place; rejects with `AbortError` alone, when the signal fires. */
export type TrimClip = (request: TrimRequest, signal: AbortSignal) => Promise<TrimOutcome>;

/** Copying packets takes a moment; a thread that takes this long hangs. */
const timeoutMs = 60_000;
const maxHeapMb = 512;

/** Makes a function that cuts each clip in a thread of its own, whose bundle is `workerFile`. */
export function createThreadTrim(workerFile: URL | string, clock: Clock): TrimClip {
	const task = {
		workerFile,
		name: "cutaway-trim",
		result: trimOutcomeSchema,
		timeoutMs,
		maxHeapMb,
	};
	return async (request, signal) => {
		try {
			return await runInThread({ ...task, data: request }, clock, signal);
		} catch (error) {
			if (isAbortError(error)) {
				throw error;
			}
			return { type: "kept", reason: "cutting it failed" };
		}
	};
}
