/** Workers that misbehave, written into a test's folder. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Ends right after it began to listen, or before. */
export const dyingWorker = `throw new Error("born dead");`;

/** Listens, then falls silent for ever. */
export const silentWorker = `
	import { parentPort } from "node:worker_threads";
	parentPort.postMessage({ type: "listening", port: 1 });
	parentPort.on("message", () => undefined);
`;

/** Logs the token it was given and fails with it, as no service should. */
export const tellingWorker = `
	import { parentPort, workerData } from "node:worker_threads";
	for (let count = 0; count < 30; count += 1) {
		const line = "line " + count + " " + workerData.token;
		parentPort.postMessage({ type: "log", level: "info", line });
	}
	setTimeout(() => { throw new Error("token " + workerData.token); }, 20);
`;

/** Writes a worker's module and returns its path. */
export async function writeWorker(folder: string, source: string): Promise<string> {
	const file = join(folder, "worker.mjs");
	await writeFile(file, source);
	return file;
}
