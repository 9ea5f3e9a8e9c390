/** Entry point of the thread that trims a clip. Isolates the parsing of a server's file. */
import { parentPort, workerData } from "node:worker_threads";
import { trimClip } from "./clipTrim.ts";
import { trimRequestSchema } from "./trimThread.ts";

parentPort?.postMessage(await trimClip(trimRequestSchema.parse(workerData)));
