/** Entry point of the thread that converts a web page to text. */
import { parentPort, workerData } from "node:worker_threads";
import { extractText } from "./extractText.ts";
import type { PageSource } from "./readPage.ts";

if (!parentPort) {
	throw new Error("A page must be read in a worker thread.");
}
const { html, thread }: PageSource = workerData;
parentPort.postMessage(extractText(html, thread));
