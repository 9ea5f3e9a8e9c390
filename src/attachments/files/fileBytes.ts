import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import { throwIfAborted } from "../../common/async.ts";
import { AttachmentError, toAttachmentError } from "../attachment/attachmentError.ts";
import { assertUnchangedPath, type OpenFile } from "./openFile.ts";

/** Chunk size: efficient for the disk, and small enough not to block the event loop. */
const pieceBytes = 64 * 1024;

/** Returns the SHA-256 of a file's content, in hex. Throws `AttachmentError` or `AbortError`. */
export async function hashFile(
	file: OpenFile,
	onProgress: (readBytes: number) => void,
	signal: AbortSignal,
): Promise<string> {
	const hash = createHash("sha256");
	const piece = Buffer.allocUnsafeSlow(pieceBytes);
	let position = 0;
	for (;;) {
		throwIfAborted(signal);
		const bytesRead = await readPiece(file, piece, position);
		if (bytesRead === 0) {
			break;
		}
		hash.update(piece.subarray(0, bytesRead));
		position += bytesRead;
		onProgress(position);
	}
	if (position !== file.size) {
		throw changed();
	}
	return hash.digest("hex");
}

/**
 * Yields a file's bytes for an upload. Before yielding the last chunk, checks that the content matches the hash and that the path still refers to the
 * file. Throws `AttachmentError` otherwise, so that a changed file is never sent completely.
 */
export async function* fileBytes(file: OpenFile, expectedHash: string): AsyncGenerator<Uint8Array> {
	const hash = createHash("sha256");
	let position = 0;
	while (position < file.size) {
		const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, file.size - position));
		const bytesRead = await readPiece(file, piece, position);
		if (bytesRead === 0) {
			throw changed();
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
		throw changed();
	}
}

async function readPiece(file: OpenFile, piece: Buffer, position: number): Promise<number> {
	try {
		return (await file.handle.read(piece, 0, piece.length, position)).bytesRead;
	} catch (error) {
		throw toAttachmentError(error);
	}
}

function changed(): AttachmentError {
	return new AttachmentError(
		"changed",
		l10n.t("Nothing was sent: the file changed. Retry when it's no longer changing."),
	);
}
