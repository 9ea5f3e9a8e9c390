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
	/** Limit of heap and buffers together, which the heap's limit doesn't cover. None by default. */
	readonly maxMemoryMb?: number;
	/** Environment variables; the process's by default. */
	readonly env?: NodeJS.ProcessEnv;
}

/** Runs a task in its own thread, which has then ended. Rejects with `AbortError`, or with the reason why the thread failed. */
export async function runInThread<Result>(
	task: ThreadTask<Result>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Result> {
	const { workerFile, name, data, result, timeoutMs, maxHeapMb, env } = task;
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
	const watch = watchMemory(worker, task, clock, fail);
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
		watch.dispose();
		void worker.terminate();
	});
}

const heapPollMs = 100;

/** Calls `fail` when a thread has more memory than its task allows. The thread answers even while it works. */
function watchMemory(
	worker: Worker,
	{ maxMemoryMb }: Pick<ThreadTask<unknown>, "maxMemoryMb">,
	clock: Clock,
	fail: (what: string) => void,
): { dispose(): void } {
	let timer: { dispose(): void } | undefined;
	const look = async (limit: number): Promise<void> => {
		// Rejects before the thread has started and after it has ended.
		const taken = await worker.getHeapStatistics().catch(() => undefined);
		const bytes = (taken?.used_heap_size ?? 0) + (taken?.external_memory ?? 0);
		if (bytes > limit * 1024 * 1024) {
			fail(`took more than ${limit} MB`);
		} else if (timer) {
			wait(limit);
		}
	};
	const wait = (limit: number): void => {
		timer = clock.setTimer(heapPollMs, () => void look(limit));
	};
	if (maxMemoryMb !== undefined) {
		wait(maxMemoryMb);
	}
	return {
		dispose: () => {
			timer?.dispose();
			timer = undefined;
		},
	};
}
