import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/common/async.ts";
import { createThreadJoiner, type JoinClips } from "../../src/video/join/joinThread.ts";

/** Joins clips in the thread that the package ships, from its sources. */
export const joinInThread: JoinClips = createThreadJoiner(
	fileURLToPath(new URL("../../src/video/join/worker.ts", import.meta.url)),
	systemClock,
);
