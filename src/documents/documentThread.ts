import * as z from "zod/mini";
import type { Clock } from "../common/async.ts";
import { isAbortError } from "../common/errors.ts";
import { runInThread } from "../common/threadTask.ts";
import { DocumentError, documentFaults, type DocumentReader } from "./documentText.ts";

const count = z.int().check(z.minimum(0));

const answerSchema = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("text"),
		text: z.string(),
		withoutText: count,
		left: z.nullable(
			z.object({
				unit: z.enum(["pages", "slides", "rows", "characters"]),
				shown: count,
				total: count,
			}),
		),
	}),
	z.object({
		type: z.literal("fault"),
		fault: z.enum(documentFaults),
		detail: z.optional(z.string()),
	}),
]);

/** Limits of the thread. 100 pages need less than 2 s and 300 MB, but a document can be designed never to end. */
const threadLimits = { timeoutMs: 20_000, maxHeapMb: 512, maxMemoryMb: 768 };

export interface DocumentReaderFiles {
	readonly workerFile: URL | string;
	/** Folder with what PDFs are read with. */
	readonly folder: string;
}

/** Creates a reader of documents. docs/security.md. */
export function createDocumentReader(
	{ workerFile, folder }: DocumentReaderFiles,
	clock: Clock,
	limits = threadLimits,
): DocumentReader {
	return async (order, signal) => {
		const data = { ...order, folder };
		const task = { workerFile, name: "cutaway-documents", data, env: {} };
		const thread = { ...task, ...limits, result: answerSchema };
		const answer = await runInThread(thread, clock, signal).catch((error: unknown) => {
			throw isAbortError(error)
				? error
				: new DocumentError("tooMuch", "Reading it took too long or too much memory.", error);
		});
		if (answer.type === "fault") {
			throw new DocumentError(answer.fault, answer.detail ?? faultDetails[answer.fault]);
		}
		return answer;
	};
}

/** Faults in words for models. */
const faultDetails = {
	encrypted: "It needs a password.",
	damaged: "It is damaged or incomplete.",
	older: "It is in an older format of Office, which can't be read.",
	noText: "It has no text: its pages are images or empty.",
	noPart: "It has no such part.",
} as const;
