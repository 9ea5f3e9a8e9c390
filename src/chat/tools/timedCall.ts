import type { Clock } from "../../common/async.ts";
import type { ToolResult } from "../../tools/gate/acceptCall.ts";
import type { ToolProgress } from "../../tools/gate/toolGate.ts";

/** Outcome of a call, and how long it ran. */
export interface TimedResult extends ToolResult {
	/** In milliseconds; left out of calls that never ran. */
	readonly durationMs?: number;
}

/** Measures how long a call runs; what comes before, such as the wait for an answer, does not count. */
export async function timedCall(
	clock: Clock,
	onProgress: (progress: ToolProgress) => void,
	run: (onProgress: (progress: ToolProgress) => void) => Promise<ToolResult>,
): Promise<TimedResult> {
	let startedAt: number | undefined;
	const result = await run(progress => {
		if (progress.state === "running") {
			startedAt = clock.monotonic();
		}
		onProgress(progress);
	});
	return startedAt === undefined
		? result
		: { ...result, durationMs: Math.round(clock.monotonic() - startedAt) };
}
