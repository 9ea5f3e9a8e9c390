import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDocumentFiles } from "../../scripts/documentFiles.ts";
import { systemClock } from "../../src/common/async.ts";
import { createDocumentReader } from "../../src/documents/documentThread.ts";
import type { DocumentReader } from "../../src/documents/documentText.ts";

/** The reader of documents in the thread that the package ships, from its sources. */
export interface BuiltReader {
	readonly read: DocumentReader;
	remove(): Promise<void>;
}

/** Builds what documents are read with, once for a test file. */
export async function buildDocumentReader(
	limits?: Parameters<typeof createDocumentReader>[2],
): Promise<BuiltReader> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-documents-"));
	await writeDocumentFiles(folder, false);
	const workerFile = new URL("../../src/documents/worker.ts", import.meta.url);
	return {
		read: createDocumentReader({ workerFile, folder }, systemClock, limits),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
