import { Worker } from "node:worker_threads";
import { type Clock, throwIfAborted, untilAborted } from "./async.ts";
import { toError } from "./errors.ts";

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
export async function runInThread<Result>(
	{ workerFile, name, data, result, timeoutMs, maxHeapMb, env }: ThreadTask<Result>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Result> {
	throwIfAborted(signal);
	const worker = new Worker(workerFile, {
		workerData: data,
		execArgv: [],
		...(env ? { env } : {}),
		name,
		resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
	});
	const { promise, resolve, reject } = Promise.withResolvers<Result>();
	const fail = (what: string): void => reject(new Error(`${name} ${what}`));
	const timer = clock.setTimer(timeoutMs, () => fail(`took more than ${timeoutMs / 1000} s`));
	worker.once("message", (received: unknown) => {
		const parsed = result.safeParse(received);
		if (parsed.success) {
			resolve(parsed.data);
		} else {
			fail("sent a message that is not understood");
		}
	});
	worker.once("error", (error: unknown) => reject(toError(error)));
	worker.once("exit", code => fail(`ended with code ${code}`));
	return untilAborted(promise, signal).finally(() => {
		timer.dispose();
		void worker.terminate();
	});
}
