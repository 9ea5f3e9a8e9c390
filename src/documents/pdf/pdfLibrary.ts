/** Script with PDF.js, both its interface and what it runs in a worker elsewhere; it reads no page of the web and draws nothing. */
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";

Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

export { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
