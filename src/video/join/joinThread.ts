import type { Clock } from "../../common/async.ts";
import { runInThread } from "../../common/threadTask.ts";
import * as z from "zod/mini";

/** Clips to join in order, and the target file, which is replaced. Absolute paths. */
export const joinJobSchema = z.object({ files: z.array(z.string()), target: z.string() });
export type JoinJob = z.infer<typeof joinJobSchema>;

/** The single message of a joining thread. `detail` is for diagnosis. */
export const joinResultSchema = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("joined"),
		format: z.enum(["mp4", "webm"]),
		/** In bytes. */
		size: z.number(),
	}),
	z.object({
		type: z.literal("refused"),
		reason: z.enum(["differ", "unreadable"]),
		detail: z.string(),
	}),
]);
export type JoinResult = z.infer<typeof joinResultSchema>;

/** Thrown if clips can't be joined without encoding. */
export class JoinRefusal extends Error {
	override readonly name = "JoinRefusal";
	readonly reason: "differ" | "unreadable";

	constructor(reason: JoinRefusal["reason"], detail: string) {
		super(detail);
		this.reason = reason;
	}
}

/** Joins clips into one file. Rejects with `AbortError` if aborted, or with the reason if the thread fails. */
export type JoinClips = (job: JoinJob, signal: AbortSignal) => Promise<JoinResult>;

/** Copying takes seconds, so a thread that runs this long is hung. */
const timeoutMs = 10 * 60_000;

/** Enough for clips of any size, because they are copied packet by packet. */
const maxHeapMb = 512;

/** Creates a function that joins clips in a thread with the bundle `workerFile`. */
export function createThreadJoiner(workerFile: URL | string, clock: Clock): JoinClips {
	const task = { workerFile, name: "cutaway-join", result: joinResultSchema, timeoutMs, maxHeapMb };
	return (job, signal) => runInThread({ ...task, data: job }, clock, signal);
}
