import type { Clock } from "../../common/async.ts";
import { runInThread } from "../../common/threadTask.ts";
import type { VideoAssets } from "./assets.ts";
import { type ClipJob, type RenderData, type RenderResult, renderResultSchema } from "./clipJob.ts";

/** Renders a clip. Rejects with `AbortError` if aborted, or with the reason if the thread fails. */
export type RenderClip = (job: ClipJob, signal: AbortSignal) => Promise<RenderResult>;

export interface RenderThreadDependencies {
	/** The bundle of `video/worker.ts`. */
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	readonly clock: Clock;
}

/** Rendering takes seconds, so a thread that runs this long is hung. */
const timeoutMs = 120_000;

/** Running out of memory ends only the thread, not the service. */
const maxHeapMb = 512;

/** Creates a function that renders each clip in its own thread, which frees its memory afterwards. */
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
