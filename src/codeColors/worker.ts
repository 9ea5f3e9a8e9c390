/** Entry point of the thread that finds the colors of code. */
import { parentPort } from "node:worker_threads";
import { systemClock } from "../common/async.ts";
import type { ColorOrder } from "./colorOrder.ts";
import { findColors } from "./findColors.ts";

const port = parentPort;
if (!port) {
	throw new Error("Colors must be found in a worker thread.");
}
/** CPU time where Node reports it per thread, so that a grammar doesn't seem slow on a busy machine. */
const spentMs = (): number => {
	if (!("threadCpuUsage" in process)) {
		return systemClock.monotonic();
	}
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};
const answer = async (order: ColorOrder): Promise<void> =>
	port.postMessage(await findColors(order, spentMs));
// An error ends the thread and is the order's.
port.on("message", (order: ColorOrder) => void answer(order));
