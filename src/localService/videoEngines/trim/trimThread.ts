import type { Clock } from "../../../common/async.ts";
import { isAbortError } from "../../../common/errors.ts";
import { runInThread } from "../../../common/threadTask.ts";
import * as z from "zod/mini";
import { clipFormats, type StoredFormat } from "../../video/generationRecord.ts";
import { open } from "node:fs/promises";

/** A file to trim in place. */
export const trimRequestSchema = z.object({
	file: z.string(),
	format: z.enum(clipFormats),
	seconds: z.number().check(z.positive()),
});
export type TrimRequest = z.infer<typeof trimRequestSchema>;

/** Result of trimming. `seconds` is the original length. */
const trimOutcomeSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("trimmed"), seconds: z.number() }),
	z.object({ type: z.literal("fits"), seconds: z.number() }),
	/** Not trimmed; `reason` is half a sentence. */
	z.object({ type: z.literal("kept"), reason: z.string() }),
]);
export type TrimOutcome = z.infer<typeof trimOutcomeSchema>;

/** Trims a clip in place. Rejects only with `AbortError`. */
export type TrimClip = (request: TrimRequest, signal: AbortSignal) => Promise<TrimOutcome>;

/** Copying packets takes a moment, so a thread that runs this long is hung. */
const timeoutMs = 60_000;
const maxHeapMb = 512;

/** Creates a function that trims each clip in a thread with the bundle `workerFile`. */
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

/**
 * Detects a video format by a file's first bytes, regardless of name and type. Returns undefined for anything else. @see
 * https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern
 */
export async function clipKind(file: string): Promise<StoredFormat | undefined> {
	const handle = await open(file);
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
		return kindOf(buffer.subarray(0, bytesRead));
	} finally {
		await handle.close();
	}
}

function kindOf(head: Buffer): StoredFormat | undefined {
	const text = head.toString("latin1");
	if (text.slice(4, 8) === "ftyp") {
		return text.slice(8, 12) === "qt  " ? "mov" : "mp4";
	}
	if (text.startsWith("\u001aE\u00df\u00a3")) {
		return text.includes("webm") ? "webm" : "mkv";
	}
	return /^GIF8[79]a/.test(text) ? "gif" : undefined;
}
