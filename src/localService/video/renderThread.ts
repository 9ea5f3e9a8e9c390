import { Worker } from "node:worker_threads";
import type { Clock } from "../../common/async.ts";
import { AbortError, toError } from "../../common/errors.ts";
import type { VideoAssets } from "./assets.ts";
import { type ClipJob, type RenderData, type RenderResult, renderResultSchema } from "./clipJob.ts";

/** Renders a clip; rejects with `AbortError` when the signal fires and with the reason when the thread fails. */
export type RenderClip = (job: ClipJob, signal: AbortSignal) => Promise<RenderResult>;

/** Where rendering happens. */
export interface RenderThreadDependencies {
	/** The bundle of `video/worker.ts`. */
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	readonly clock: Clock;
}

/** A clip takes seconds; a thread that takes this long hangs, and is ended. */
const renderTimeoutMs = 120_000;

/** Keeps a rendering that runs out of memory from taking the service with it: the thread alone ends. */
const resourceLimits = { maxOldGenerationSizeMb: 512 } as const;

/**
 * Makes a function that renders each clip in a thread of its own: nothing else waits for it, ending the thread ends
 * the work at any point, and the memory it took is free again afterwards.
 */
export function createThreadRenderer(dependencies: RenderThreadDependencies): RenderClip {
	return (job, signal) => {
		if (signal.aborted) {
			return Promise.reject(new AbortError());
		}
		const data: RenderData = { job, assets: dependencies.assets };
		const worker = new Worker(dependencies.workerFile, {
			workerData: data,
			execArgv: [],
			name: "cutaway-video",
			resourceLimits,
		});
		return resultOf(worker, signal, dependencies.clock);
	};
}

function resultOf(worker: Worker, signal: AbortSignal, clock: Clock): Promise<RenderResult> {
	return new Promise((resolve, reject) => {
		const settle = (outcome: () => void): void => {
			timer.dispose();
			signal.removeEventListener("abort", onAbort);
			outcome();
			void worker.terminate();
		};
		const onAbort = (): void => settle(() => reject(new AbortError()));
		const timer = clock.setTimer(renderTimeoutMs, () =>
			settle(() => reject(new Error(`Rendering took more than ${renderTimeoutMs / 1000} s`))),
		);
		signal.addEventListener("abort", onAbort, { once: true });
		worker.once("message", (received: unknown) => {
			const result = renderResultSchema.safeParse(received);
			settle(() =>
				result.success
					? resolve(result.data)
					: reject(new Error("The rendering thread sent a message that is not understood")),
			);
		});
		worker.once("error", (error: unknown) => settle(() => reject(toError(error))));
		worker.once("exit", code =>
			settle(() => reject(new Error(`The rendering thread ended with code ${code}`))),
		);
	});
}
