import { toError } from "../../common/errors.ts";
import type { StreamedBody } from "../transport/transport.ts";

/** The single part of a `multipart/form-data` body. RFC 7578. */
export interface FilePart {
	readonly field: string;
	readonly fileName: string;
	/** MIME type. An invalid one is replaced by `application/octet-stream`. */
	readonly type: string;
	/** Size in bytes. */
	readonly size: number;
	readonly open: () => AsyncIterable<Uint8Array>;
	/** Called with the number of the file's bytes that the network has taken. */
	readonly onProgress: (sentBytes: number) => void;
	/** Called if the file couldn't be read completely. The body then fails with the same error. */
	readonly onFailure: (error: Error) => void;
}

/** The file's size differs from the announced one, so the request wasn't completed. */
export class FileSizeError extends Error {
	override readonly name = "FileSizeError";
}

/** Bytes passed to the network at a time, for accurate progress and little memory. */
const maxChunkBytes = 64 * 1024;

/**
 * Creates the body and its content type. The file is read as the network takes it. `FormData` with `openAsBlob` has neither the body's length, which
 * the request must announce, nor the progress.
 */
export function multipartBody(part: FilePart): { body: StreamedBody; contentType: string } {
	const boundary = `cutaway-${crypto.randomUUID()}`;
	const encoder = new TextEncoder();
	const head = encoder.encode(
		[
			`--${boundary}`,
			`Content-Disposition: form-data; name="${escaped(part.field)}"; filename="${escaped(part.fileName)}"`,
			`Content-Type: ${mimeType(part.type)}`,
			"",
			"",
		].join("\r\n"),
	);
	const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		body: {
			length: head.byteLength + part.size + tail.byteLength,
			chunks: bytes(head, part, tail),
		},
	};
}

async function* bytes(
	head: Uint8Array,
	part: FilePart,
	tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
	yield head;
	let sent = 0;
	for await (const piece of wholeFile(part)) {
		yield piece;
		sent += piece.byteLength;
		part.onProgress(sent);
	}
	// The end of the body completes the upload, so it is sent only after the whole file.
	yield tail;
}

/** Yields the file's bytes in small chunks. Throws if they can't be read or their number differs from the announced size. */
async function* wholeFile(part: FilePart): AsyncGenerator<Uint8Array> {
	let seen = 0;
	try {
		for await (const chunk of part.open()) {
			seen += chunk.byteLength;
			if (seen > part.size) {
				throw new FileSizeError(`it is longer than the announced ${part.size} bytes`);
			}
			yield* pieces(chunk);
		}
		if (seen < part.size) {
			throw new FileSizeError(`it has ${seen} of the announced ${part.size} bytes`);
		}
	} catch (error) {
		part.onFailure(toError(error));
		throw error;
	}
}

function* pieces(chunk: Uint8Array): Generator<Uint8Array> {
	for (let start = 0; start < chunk.byteLength; start += maxChunkBytes) {
		yield chunk.subarray(start, start + maxChunkBytes);
	}
}

/**
 * Escapes a quoted name like browsers: quotes and line breaks as percent escapes (WHATWG HTML §4.10.22.8), and other control characters, which
 * headers can't contain. Other characters remain, in UTF-8.
 */
function escaped(name: string): string {
	return name.toWellFormed().replaceAll(/["\p{Cc}]/gu, character => encodeURIComponent(character));
}

function mimeType(type: string): string {
	return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w."+-]+)*$/.test(type)
		? type
		: "application/octet-stream";
}
