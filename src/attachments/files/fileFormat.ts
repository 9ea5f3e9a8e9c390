import type { AttachmentUse } from "../attachment/attachment.ts";
import { signatureOf, textEncodingOf } from "./contentSignature.ts";
import { formatOfName } from "./fileNames.ts";

export interface FileFormat {
	readonly mimeType: string;
	readonly language: string | undefined;
	/** Suitable uses, the default first. */
	readonly uses: readonly AttachmentUse[];
}

/** Longer text, in bytes, is for Python rather than reading by default. */
const longTextBytes = 100_000;

const lineFeed = 0x0a;

/** Formats based on zip or OLE. They are distinguished by name. */
const containers: ReadonlySet<string> = new Set(["application/zip", "application/x-ole-storage"]);

/**
 * Determines a file's format by its name and first bytes. If they contradict each other, the bytes count. `size` is that of the whole file, in bytes.
 */
export function fileFormatOf(name: string, head: Uint8Array, size: number): FileFormat {
	const named = formatOfName(name);
	const encoding = textEncodingOf(head, head.length >= size);
	const signature = signatureOf(head);
	const isText =
		encoding === "other"
			? signature === undefined && (named ? isTextual(named) : head.includes(lineFeed))
			: encoding !== undefined;
	// Text can start like a format (“BMW…”, “Rar!”), so valid text counts as text. Only a PDF may start with text.
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
