import type { Clock } from "../../common/async.ts";
import { runInThread } from "../../common/threadTask.ts";
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

/** A clip takes seconds; a thread that takes this long hangs. */
const timeoutMs = 120_000;

/** A rendering that runs out of memory ends its thread alone, not the service. */
const maxHeapMb = 512;

/** Makes a function that renders each clip in a thread of its own, so that nothing waits for it and its memory is free again. */
export function createThreadRenderer(dependencies: RenderThreadDependencies): RenderClip {
	const { workerFile, assets, clock } = dependencies;
	const task = {
		workerFile,
		name: "cutaway-video",
		result: renderResultSchema,
		timeoutMs,
		maxHeapMb,
	};
	return (job, signal) => {
		const data: RenderData = { job, assets };
		return runInThread({ ...task, data }, clock, signal);
	};
}
