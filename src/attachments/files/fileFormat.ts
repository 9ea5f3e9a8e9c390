import type { AttachmentUse } from "../attachment/attachment.ts";
import { signatureOf, textEncodingOf } from "./contentSignature.ts";
import { formatOfName } from "./fileNames.ts";

/** Kind of an attached file. */
export interface FileFormat {
	/** MIME type. */
	readonly mimeType: string;
	readonly language: string | undefined;
	/** The uses that make sense, the one it should begin with first. */
	readonly uses: readonly AttachmentUse[];
}

/** Text longer than this, in bytes, is better computed with than read. */
const longTextBytes = 100_000;

const lineFeed = 0x0a;

/** Formats that are a zip or an OLE file and more; their name says which. */
const containers: ReadonlySet<string> = new Set(["application/zip", "application/x-ole-storage"]);

/**
 * Format of a file by its name and its first bytes. Where they differ the bytes are right: a name can be anything.
 * `size` is that of the whole file, in bytes.
 */
export function fileFormatOf(name: string, head: Uint8Array, size: number): FileFormat {
	const named = formatOfName(name);
	const encoding = textEncodingOf(head, head.length >= size);
	const signature = signatureOf(head);
	const isText =
		encoding === "other"
			? signature === undefined && (named ? isTextual(named) : head.includes(lineFeed))
			: encoding !== undefined;
	// Words can begin like a format («BMW…», «Rar!»), so clean text is text; only a PDF may begin with a page of it.
	if (isText && signature !== "application/pdf") {
		const isForPython = named?.isData === true || size > longTextBytes;
		return {
			mimeType: named && isTextual(named) ? named.mimeType : "text/plain",
			language: named?.language,
			uses: isForPython ? ["codeInterpreter", "read"] : ["read", "codeInterpreter"],
		};
	}
	const byName = named && !isTextual(named) ? named.mimeType : undefined;
	const isContainer = signature !== undefined && containers.has(signature);
	const mimeType = isContainer ? (byName ?? signature) : (signature ?? byName);
	return {
		mimeType: mimeType ?? "application/octet-stream",
		language: undefined,
		uses: ["codeInterpreter"],
	};
}

function isTextual(named: NonNullable<ReturnType<typeof formatOfName>>): boolean {
	return named.language !== undefined || named.isData === true;
}
