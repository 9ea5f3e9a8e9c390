import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { FileDecoder } from "../attachment/attachmentTray.ts";
import { AttachmentError, toAttachmentError } from "../attachment/attachmentError.ts";
import { textEncodingOf } from "./contentSignature.ts";
import type { OpenFile } from "./openFile.ts";

/** The beginning of a text, as much as may be sent. */
export interface CutText {
	readonly text: string;
	/** Characters left out at the end; for a file not read to its end, the bytes left out. */
	readonly omittedCharacters: number;
}

/** No encoding that is read takes more bytes for one UTF-16 code unit. */
const maxBytesPerCharacter = 4;

/** A notebook has to be read whole, most of it being images. */
const maxNotebookBytes = 32 * 1024 * 1024;

/** How text is read. */
export interface TextReading {
	readonly maxCharacters: number;
	/** Without it, text is read as UTF-8, or as UTF-16 with its mark. */
	readonly decode?: FileDecoder | undefined;
}

/** Reads the beginning of a text file, at most `maxCharacters`. Throws `AttachmentError`, of kind `notText` for other bytes. */
export async function readText(file: OpenFile, reading: TextReading): Promise<CutText> {
	const most = isNotebook(file.path)
		? maxNotebookBytes
		: (reading.maxCharacters + 1) * maxBytesPerCharacter;
	const wanted = Math.min(file.size, most);
	const bytes = await readBeginning(file, wanted);
	return textOfBytes(bytes, reading, file);
}

/** The text that bytes, or the beginning of those of a file, stand for; `path` may be a mere name. Throws `AttachmentError` of kind `notText`. */
export async function textOfBytes(
	bytes: Uint8Array,
	{ maxCharacters, decode }: TextReading,
	{ size, path }: Pick<OpenFile, "size" | "path">,
): Promise<CutText> {
	const text = await decodeText(bytes, bytes.length >= size, decode, path);
	const cut = cutText(text, maxCharacters);
	return { ...cut, omittedCharacters: cut.omittedCharacters + (size - bytes.length) };
}

/** The beginning of a text, at most `maxCharacters` UTF-16 code units, never half a character. */
export function cutText(text: string, maxCharacters: number): CutText {
	if (text.length <= maxCharacters) {
		return { text, omittedCharacters: 0 };
	}
	const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1));
	const end = splitsPair ? maxCharacters - 1 : maxCharacters;
	return { text: text.slice(0, end), omittedCharacters: text.length - end };
}

/** SHA-256 of a text in UTF-8, in hex. */
export function hashText(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

async function readBeginning(file: OpenFile, length: number): Promise<Uint8Array> {
	const bytes = Buffer.alloc(length);
	let done = 0;
	try {
		while (done < length) {
			const { bytesRead } = await file.handle.read(bytes, done, length - done, done);
			if (bytesRead === 0) {
				break;
			}
			done += bytesRead;
		}
	} catch (error) {
		throw toAttachmentError(error);
	}
	if (done < length) {
		throw new AttachmentError(
			"changed",
			l10n.t("The file changed while it was read. Retry when it's no longer changing."),
		);
	}
	return bytes;
}

/** The byte order mark is no part of the text. A file that goes on may be cut inside a character. */
async function decodeText(
	bytes: Uint8Array,
	isWhole: boolean,
	decode: FileDecoder | undefined,
	path: string,
): Promise<string> {
	const encoding = textEncodingOf(bytes, isWhole);
	try {
		const isForEditor =
			encoding === "other" || (encoding === "utf-8" && (isNotebook(path) || !isAscii(bytes)));
		if (decode && isForEditor) {
			const text = await decode(path, bytes);
			return isWhole ? text : text.replace(/\uFFFD+$/, "");
		}
		if (encoding !== undefined && encoding !== "other") {
			return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
		}
	} catch (error) {
		throw notText(error);
	}
	throw notText();
}

function isNotebook(path: string): boolean {
	return path.endsWith(".ipynb");
}

function notText(cause?: unknown): AttachmentError {
	return new AttachmentError(
		"notText",
		l10n.t("This file isn't text. It can be uploaded for Code interpreter."),
		cause,
	);
}
