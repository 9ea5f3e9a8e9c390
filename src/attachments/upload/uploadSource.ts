import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import { AttachmentError, fileChanged, orAttachmentError } from "../contract/failures.ts";
import { type OpenFile, assertUnchangedPath } from "../files/openedFile.ts";
import type { UploadSource } from "./uploader.ts";
import { throwIfAborted } from "../../common/async.ts";

interface Description {
	readonly name: string;
	readonly mimeType: string;
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

/** Chunk size: efficient for the disk, and small enough not to block the event loop. */
const pieceBytes = 64 * 1024;

/** Returns the SHA-256 of a file's content, in hex. Throws `AttachmentError` or `AbortError`. */
async function hashFile(
	file: OpenFile,
	onProgress: (readBytes: number) => void,
	signal: AbortSignal,
): Promise<string> {
	const hash = createHash("sha256");
	const piece = Buffer.allocUnsafeSlow(pieceBytes);
	let position = 0;
	for (;;) {
		throwIfAborted(signal);
		const reading = file.handle.read(piece, 0, piece.length, position);
		const { bytesRead } = await orAttachmentError(reading);
		if (bytesRead === 0) {
			break;
		}
		hash.update(piece.subarray(0, bytesRead));
		position += bytesRead;
		onProgress(position);
	}
	if (position !== file.size) {
		throw fileChanged();
	}
	return hash.digest("hex");
}

/**
 * Yields a file's bytes for an upload. Before yielding the last chunk, checks that the content matches the hash and that the path still refers to the
 * file. Throws `AttachmentError` otherwise, so that a changed file is never sent completely.
 */
async function* fileBytes(file: OpenFile, expectedHash: string): AsyncGenerator<Uint8Array> {
	const hash = createHash("sha256");
	let position = 0;
	while (position < file.size) {
		const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, file.size - position));
		const reading = file.handle.read(piece, 0, piece.length, position);
		const { bytesRead } = await orAttachmentError(reading);
		if (bytesRead === 0) {
			throw fileChanged();
		}
		const bytes = piece.subarray(0, bytesRead);
		hash.update(bytes);
		position += bytesRead;
		if (position === file.size) {
			await assertUnchanged(file, hash.digest("hex") === expectedHash);
		}
		yield bytes;
	}
}

async function assertUnchanged(file: OpenFile, isSame: boolean): Promise<void> {
	await assertUnchangedPath(file);
	const { size } = await file.handle.stat();
	if (!isSame || size !== file.size) {
		throw fileChanged();
	}
}
