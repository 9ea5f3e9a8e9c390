import type { Clock } from "../common/async.ts";
import { runInThread } from "../common/threadTask.ts";
import { type ColorOrder, type FoundColors, foundColorsSchema } from "./colorOrder.ts";

/** A grammar's pattern can run without end, which only the end of its thread stops. */
const timeoutMs = 10_000;
const maxHeapMb = 512;

/** Finds colors in a thread of its own. Rejects with the reason if it fails or takes too long, and with `AbortError`. */
export async function findColorsInThread(
	workerFile: URL | string,
	order: ColorOrder,
	clock: Clock,
	signal: AbortSignal,
): Promise<FoundColors> {
	const task = { workerFile, name: "cutaway-colors", data: order, timeoutMs, maxHeapMb };
	return await runInThread({ ...task, result: foundColorsSchema }, clock, signal);
}
