import { Worker } from "node:worker_threads";
import type { Clock } from "../../../common/async.ts";
import { AbortError } from "../../../common/errors.ts";
import { type TrimOutcome, trimOutcomeSchema, type TrimRequest } from "./trimMessages.ts";

/** Cuts a clip back in place; rejects with `AbortError` alone, when the signal fires. */
export type TrimClip = (request: TrimRequest, signal: AbortSignal) => Promise<TrimOutcome>;

/** Copying packets takes a moment; a thread that takes this long hangs, and is ended. */
const timeoutMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 512 } as const;

/** Makes a function that cuts each clip in a thread of its own, the bundle of `trimWorker.ts`. */
export function createThreadTrim(workerFile: URL | string, clock: Clock): TrimClip {
	return (request, signal) =>
		new Promise((resolve, reject) => {
			if (signal.aborted) {
				reject(new AbortError());
				return;
			}
			const worker = new Worker(workerFile, {
				workerData: request,
				execArgv: [],
				name: "cutaway-trim",
				resourceLimits,
			});
			const settle = (settled: () => void): void => {
				timer.dispose();
				signal.removeEventListener("abort", onAbort);
				settled();
				void worker.terminate();
			};
			const keep = (reason: string): void => settle(() => resolve({ type: "kept", reason }));
			const onAbort = (): void => settle(() => reject(new AbortError()));
			const timer = clock.setTimer(timeoutMs, () => keep("cutting it took too long"));
			signal.addEventListener("abort", onAbort, { once: true });
			worker.once("message", (received: unknown) => {
				const outcome = trimOutcomeSchema.safeParse(received);
				settle(() =>
					resolve(outcome.success ? outcome.data : { type: "kept", reason: "cutting it failed" }),
				);
			});
			worker.once("error", () => keep("cutting it failed"));
			worker.once("exit", () => keep("cutting it failed"));
		});
}
