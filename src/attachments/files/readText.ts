import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { FileDecoder } from "../contract/attachmentTray.ts";
import { AttachmentError, fileChanged, toAttachmentError } from "../contract/failures.ts";
import { textEncodingOf } from "./fileFormat.ts";
import type { OpenFile } from "./openedFile.ts";
import { startOf } from "../../common/shortText.ts";

export interface CutText {
	readonly text: string;
	/** Characters cut off at the end; bytes for a file that wasn't read completely. */
	readonly omittedCharacters: number;
}

/** The most bytes per UTF-16 code unit in any supported encoding. */
const maxBytesPerCharacter = 4;

/** Notebooks must be read completely, because they contain images. */
const maxNotebookBytes = 32 * 1024 * 1024;

export interface TextReading {
	readonly maxCharacters: number;
	/** If absent, text is read as UTF-8, or as UTF-16 with a byte order mark. */
	readonly decode?: FileDecoder | undefined;
}

/** Reads up to `maxCharacters` of a text file. Throws `AttachmentError`, of kind `notText` if it isn't text. */
export async function readText(file: OpenFile, reading: TextReading): Promise<CutText> {
	const most = isNotebook(file.path)
		? maxNotebookBytes
		: (reading.maxCharacters + 1) * maxBytesPerCharacter;
	const wanted = Math.min(file.size, most);
	const bytes = await readFirstBytes(file, wanted);
	return textOfBytes(bytes, reading, file);
}

/** Decodes bytes, or the start of a file's bytes; `path` may be just a name. Throws an `AttachmentError` of kind `notText`. */
export async function textOfBytes(
	bytes: Uint8Array,
	{ maxCharacters, decode }: TextReading,
	{ size, path }: Pick<OpenFile, "size" | "path">,
): Promise<CutText> {
	const text = await decodeText(bytes, bytes.length >= size, decode, path);
	const cut = cutText(text, maxCharacters);
	return { ...cut, omittedCharacters: cut.omittedCharacters + (size - bytes.length) };
}

/** Cuts a text to `maxCharacters` UTF-16 code units without splitting a character. */
export function cutText(text: string, maxCharacters: number): CutText {
	const start = text.length > maxCharacters ? startOf(text, maxCharacters) : text;
	return { text: start, omittedCharacters: text.length - start.length };
}

/** Returns the SHA-256 of a text in UTF-8, in hex. */
export function hashText(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

/** Reads the first bytes of a file. Throws `AttachmentError`. */
export async function readFirstBytes(file: OpenFile, length: number): Promise<Uint8Array> {
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
		throw fileChanged();
	}
	return bytes;
}

/** Removes the byte order mark. Text that isn't whole may end inside a character. */
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
			return isWhole ? text : text.replace(/\uFFFD{1,4}$/, "");
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
