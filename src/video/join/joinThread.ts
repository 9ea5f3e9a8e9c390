import type { Clock } from "../../common/async.ts";
import { runInThread } from "../../common/threadTask.ts";
import * as z from "zod/mini";

/** Clips to join: absolute paths in their order, and the file to write, which is replaced. */
export const joinJobSchema = z.object({ files: z.array(z.string()), target: z.string() });
export type JoinJob = z.infer<typeof joinJobSchema>;

/** The only message of a joining thread, which then ends. `detail` is for a maintainer. */
export const joinResultSchema = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("joined"),
		format: z.enum(["mp4", "webm"]),
		/** Bytes of the file. */
		size: z.number(),
	}),
	z.object({
		type: z.literal("refused"),
		reason: z.enum(["differ", "unreadable"]),
		detail: z.string(),
	}),
]);
export type JoinResult = z.infer<typeof joinResultSchema>;

/** Clips that cannot be joined as they are. */
export class JoinRefusal extends Error {
	override readonly name = "JoinRefusal";
	readonly reason: "differ" | "unreadable";

	constructor(reason: JoinRefusal["reason"], detail: string) {
		super(detail);
		this.reason = reason;
	}
}

/** Joins clips into one file; rejects with `AbortError` when the signal fires and with the reason when the thread fails. */
export type JoinClips = (job: JoinJob, signal: AbortSignal) => Promise<JoinResult>;

/** Copying takes seconds; a thread that takes this long hangs. */
const timeoutMs = 10 * 60_000;

/** Clips are copied packet by packet, so large ones need no more. */
const maxHeapMb = 512;

/** Makes a function that joins clips in a thread of its own, whose bundle is `workerFile`. */
export function createThreadJoiner(workerFile: URL | string, clock: Clock): JoinClips {
	const task = { workerFile, name: "cutaway-join", result: joinResultSchema, timeoutMs, maxHeapMb };
	return (job, signal) => runInThread({ ...task, data: job }, clock, signal);
}
