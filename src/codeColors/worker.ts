/** Entry point of the thread that finds the colors of code. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../common/async.ts";
import type { ColorOrder } from "./colorOrder.ts";
import { findColors } from "./findColors.ts";

if (!parentPort) {
	throw new Error("Colors must be found in a worker thread.");
}
const order: ColorOrder = workerData;
parentPort.postMessage(await findColors(order, systemClock));
