import { Worker } from "node:worker_threads";
import type { Clock } from "./async.ts";
import { AbortError, toError } from "./errors.ts";

/** A task for a thread that reads its `workerData`, posts one message and ends. */
export interface ThreadTask<Result> {
	readonly workerFile: URL | string;
	readonly name: string;
	readonly data: unknown;
	readonly result: {
		safeParse(
			message: unknown,
		): { readonly success: true; readonly data: Result } | { readonly success: false };
	};
	/** Milliseconds after which the thread counts as hung. */
	readonly timeoutMs: number;
	/** Heap limit. Exceeding it ends the thread, not the process. */
	readonly maxHeapMb: number;
	/** Environment variables; the process's by default. */
	readonly env?: NodeJS.ProcessEnv;
}

/** Runs a task in its own thread, which has then ended. Rejects with `AbortError`, or with the reason why the thread failed. */
export function runInThread<Result>(
	{ workerFile, name, data, result, timeoutMs, maxHeapMb, env }: ThreadTask<Result>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) {
			reject(new AbortError());
			return;
		}
		const worker = new Worker(workerFile, {
			workerData: data,
			execArgv: [],
			...(env ? { env } : {}),
			name,
			resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
		});
		const settle = (outcome: () => void): void => {
			timer.dispose();
			signal.removeEventListener("abort", onAbort);
			outcome();
			void worker.terminate();
		};
		const fail = (error: Error): void => settle(() => reject(error));
		const onAbort = (): void => fail(new AbortError());
		const timer = clock.setTimer(timeoutMs, () =>
			fail(new Error(`${name} took more than ${timeoutMs / 1000} s`)),
		);
		signal.addEventListener("abort", onAbort, { once: true });
		worker.once("message", (received: unknown) => {
			const parsed = result.safeParse(received);
			if (parsed.success) {
				settle(() => resolve(parsed.data));
			} else {
				fail(new Error(`${name} sent a message that is not understood`));
			}
		});
		worker.once("error", (error: unknown) => fail(toError(error)));
		worker.once("exit", code => fail(new Error(`${name} ended with code ${code}`)));
	});
}
