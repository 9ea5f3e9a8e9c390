import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import { AttachmentError } from "../attachment/attachmentError.ts";
import { fileBytes, hashFile } from "../files/fileBytes.ts";
import type { OpenFile } from "../files/openFile.ts";
import type { UploadSource } from "./uploader.ts";

interface Description {
	readonly name: string;
	readonly mimeType: string;
	/** The greatest size to send, in bytes. */
	readonly maxBytes: number;
}

/** Wraps an open file for uploading and takes over closing it. Throws `AttachmentError` if it is empty or too large, after closing it. */
export async function fileSource(
	file: OpenFile,
	{ name, mimeType, maxBytes }: Description,
): Promise<UploadSource> {
	try {
		assertSize(file.size, maxBytes);
	} catch (error) {
		await file.handle.close();
		throw error;
	}
	return {
		name,
		mimeType,
		size: file.size,
		hash: (onProgress, signal) => hashFile(file, onProgress, signal),
		bytes: expectedHash => fileBytes(file, expectedHash),
		close: () => file.handle.close(),
	};
}

/** Wraps bytes for uploading. Throws `AttachmentError` if they are empty or too large. */
export function memorySource(
	bytes: Uint8Array,
	{ name, mimeType, maxBytes }: Description,
): UploadSource {
	assertSize(bytes.length, maxBytes);
	return {
		name,
		mimeType,
		size: bytes.length,
		hash: () => Promise.resolve(createHash("sha256").update(bytes).digest("hex")),
		bytes: async function* () {
			yield bytes;
		},
		close: () => Promise.resolve(),
	};
}

/** Throws `AttachmentError` if a file is empty or too large. */
export function assertSize(size: number, maxBytes: number): void {
	if (size === 0) {
		throw new AttachmentError("empty", l10n.t("The file is empty. Nothing to send."));
	}
	if (size > maxBytes) {
		const most = Math.floor(maxBytes / (1024 * 1024)).toLocaleString(
			l10n.t({ message: "en", comment: "BCP 47 tag of the language of these strings" }),
		);
		throw new AttachmentError(
			"tooLarge",
			l10n.t("The file is larger than the limit of {0} MB.", most),
		);
	}
}
