/** Entry of the thread that cuts a clip back: what a server sent is read apart from everything else, and ends with it. */
import { parentPort, workerData } from "node:worker_threads";
import { trimClip } from "./clipTrim.ts";
import { trimRequestSchema } from "./trimThread.ts";

parentPort?.postMessage(await trimClip(trimRequestSchema.parse(workerData)));
