import { toError } from "../../common/errors.ts";
import type { StreamedBody } from "../transport/transport.ts";

/** The one part of a `multipart/form-data` body. RFC 7578. */
export interface FilePart {
	/** Name of the form's field. */
	readonly field: string;
	readonly fileName: string;
	/** MIME type; one that no header can carry becomes `application/octet-stream`. */
	readonly type: string;
	/** Size in bytes. */
	readonly size: number;
	/** Yields the file's bytes in order. */
	readonly open: () => AsyncIterable<Uint8Array>;
	/** Hears how many of the file's bytes the network has taken. */
	readonly onProgress: (sentBytes: number) => void;
	/** Hears why the file could not be read to its announced end; the body then breaks off with the same error. */
	readonly onFailure: (error: Error) => void;
}

/** The file turned out to have another size than the request announced, so the request was not completed (fault J26). */
export class FileSizeError extends Error {
	override readonly name = "FileSizeError";
}

/** Bytes handed to the network at a time, so that progress is real and little waits in memory. */
const maxChunkBytes = 64 * 1024;

/** Makes the body and its content type. The bytes of the file are read only as the network takes them. */
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
	// The end of the body makes the upload whole, so it goes out only when the file is.
	yield tail;
}

/** The file's bytes in small pieces. Throws when they cannot be read or are not as many as announced. */
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
 * A name inside quotes, as browsers write it: quote and line ends as percent escapes (WHATWG HTML §4.10.22.8), and other
 * control characters too, which no header may hold. Every script stays as it is, in UTF-8.
 */
function escaped(name: string): string {
	return name.toWellFormed().replaceAll(/["\p{Cc}]/gu, character => encodeURIComponent(character));
}

function mimeType(type: string): string {
	return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w."+-]+)*$/.test(type)
		? type
		: "application/octet-stream";
}
