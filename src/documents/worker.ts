/** Entry point of the thread that reads a document as text. */
import { parentPort, workerData } from "node:worker_threads";
import type { DocumentAnswer, DocumentOrder } from "./documentText.ts";
import { readSlides } from "./office/readSlides.ts";
import { readWord } from "./office/readWord.ts";
import { readWorkbook } from "./office/readWorkbook.ts";
import { openZip } from "./office/zipFile.ts";
import { readPdf } from "./pdf/readPdf.ts";
import { DocumentFaultError, nothingIn } from "./textPages.ts";

// Reading a document needs no network, whatever the document refers to.
for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) {
	Reflect.deleteProperty(globalThis, name);
}

const officeReaders = { word: readWord, slides: readSlides, workbook: readWorkbook } as const;

/** Reads a document. `folder` holds what PDFs are read with. Never throws for what a document holds. */
async function readAnswer(order: DocumentOrder, folder: string): Promise<DocumentAnswer> {
	const { kind, bytes } = order;
	try {
		const read =
			kind === "pdf"
				? await readPdf(order, folder)
				: await officeReaders[kind](openZip(bytes), order);
		return nothingIn(read.text) ? { type: "fault", fault: "noText" } : { type: "text", ...read };
	} catch (error) {
		// Readers of damaged files throw all kinds of errors.
		return error instanceof DocumentFaultError
			? { type: "fault", fault: error.fault, detail: error.detail }
			: { type: "fault", fault: "damaged" };
	}
}

if (!parentPort) {
	throw new Error("A document must be read in a worker thread.");
}
const { folder, ...order }: DocumentOrder & { readonly folder: string } = workerData;
parentPort.postMessage(await readAnswer(order, folder));
