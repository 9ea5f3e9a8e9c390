/** Entry point of the bundled PDF.js: its API and the code of its worker, which runs in the same thread. */
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";

Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

export { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
