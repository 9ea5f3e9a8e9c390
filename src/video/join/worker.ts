/** Entry point of the thread that joins clips. */
import { parentPort, workerData } from "node:worker_threads";
import { joinClips } from "./joinClips.ts";
import { joinJobSchema, JoinRefusal, type JoinResult } from "./joinThread.ts";

async function join(): Promise<JoinResult> {
	try {
		return await joinClips(joinJobSchema.parse(workerData));
	} catch (error) {
		if (error instanceof JoinRefusal) {
			return { type: "refused", reason: error.reason, detail: error.message };
		}
		throw error;
	}
}

if (!parentPort) {
	throw new Error("noThread");
}
parentPort.postMessage(await join());
