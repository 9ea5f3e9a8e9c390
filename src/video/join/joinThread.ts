import { Worker } from "node:worker_threads";
import type { Clock } from "../../common/async.ts";
import { AbortError, toError } from "../../common/errors.ts";
import { type JoinJob, type JoinResult, joinResultSchema } from "./joinJob.ts";

/** Joins clips into one file; rejects with `AbortError` when the signal fires and with the reason when the thread fails. */
export type JoinClips = (job: JoinJob, signal: AbortSignal) => Promise<JoinResult>;

/** Copying takes seconds; a thread that takes this long hangs, and is ended. */
const joinTimeoutMs = 10 * 60_000;

/** Clips are copied packet by packet, so large ones need no more. */
const resourceLimits = { maxOldGenerationSizeMb: 512 } as const;

/** Makes a function that joins clips in a thread of its own, whose bundle is `workerFile`. */
export function createThreadJoiner(workerFile: URL | string, clock: Clock): JoinClips {
	return (job, signal) =>
		new Promise((resolve, reject) => {
			if (signal.aborted) {
				reject(new AbortError());
				return;
			}
			const worker = new Worker(workerFile, {
				workerData: job,
				execArgv: [],
				name: "cutaway-join",
				resourceLimits,
			});
			const settle = (outcome: () => void): void => {
				timer.dispose();
				signal.removeEventListener("abort", onAbort);
				outcome();
				void worker.terminate();
			};
			const onAbort = (): void => settle(() => reject(new AbortError()));
			const timer = clock.setTimer(joinTimeoutMs, () =>
				settle(() => reject(new Error("joinTimeout"))),
			);
			signal.addEventListener("abort", onAbort, { once: true });
			worker.once("message", (received: unknown) => {
				const result = joinResultSchema.safeParse(received);
				settle(() => (result.success ? resolve(result.data) : reject(new Error("joinAnswer"))));
			});
			worker.once("error", (error: unknown) => settle(() => reject(toError(error))));
			worker.once("exit", code => settle(() => reject(new Error(`joinExit${code}`))));
		});
}
