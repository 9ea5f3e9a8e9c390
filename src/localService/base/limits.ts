import { startOf } from "../../common/shortText.ts";

/** Limits per client. Each has a status for requests that exceed it. */
export interface Limits {
	/** Bytes of all request headers; 431 beyond. */
	readonly maxHeaderBytes: number;
	/** Bytes of a JSON body; 413 beyond. Far more than long conversations with code need. */
	readonly maxJsonBytes: number;
	/** Bytes of an uploaded file; 413 beyond. */
	readonly maxFileBytes: number;
	/** Bytes of all stored files; 413 beyond. */
	readonly maxHeldBytes: number;
	/** Milliseconds without data in a body; 408 beyond. */
	readonly bodyIdleMs: number;
	/** Milliseconds for sending the headers; 408 beyond. */
	readonly headersMs: number;
	/** Milliseconds for sending a request; 408 beyond. */
	readonly requestMs: number;
	/** Milliseconds that a rejected client may go on sending before its connection is closed. */
	readonly lingerMs: number;
	/** Concurrent authorized requests; 503 beyond. */
	readonly maxRequests: number;
	/** Open connections, more than requests. Beyond it, the oldest unauthorized connection is closed. */
	readonly maxConnections: number;
}

export const defaultLimits: Limits = {
	maxHeaderBytes: 16 * 1024,
	maxJsonBytes: 16 * 1024 * 1024,
	maxFileBytes: 100 * 1024 * 1024,
	maxHeldBytes: 1024 * 1024 * 1024,
	bodyIdleMs: 30_000,
	headersMs: 10_000,
	requestMs: 300_000,
	lingerMs: 2_000,
	maxRequests: 128,
	maxConnections: 1024,
};

/** Formats a number of bytes for messages: `100 MB`. */
export function describeBytes(bytes: number): string {
	const megabytes = bytes / (1024 * 1024);
	return megabytes >= 1
		? `${Math.round(megabytes * 10) / 10} MB`
		: `${bytes.toLocaleString("en")} bytes`;
}

/** Thrown if a body exceeds its size limit. The connection is closed. */
export class BodyTooLongError extends Error {
	override readonly name = "BodyTooLongError";
}

/** Reads a whole body. Throws the result of `tooLong` and stops reading beyond `maxBytes`. */
export async function readWhole(
	body: AsyncIterable<unknown> | null,
	maxBytes: number,
	tooLong: () => Error = () => new BodyTooLongError(`more than ${maxBytes} bytes`),
): Promise<Buffer<ArrayBuffer>> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const chunk of body ?? []) {
		if (chunk instanceof Uint8Array) {
			size += chunk.length;
			chunks.push(chunk);
		}
		if (size > maxBytes) {
			throw tooLong();
		}
	}
	return Buffer.concat(chunks);
}

/** The greatest length of a web page's text, in characters. */
const maxPageText = 40_000;

/** Cuts the text of a web page to its greatest length, with a note at the end, because a model would take the beginning for the whole page. */
export function cutPage(text: string): string {
	return text.length > maxPageText
		? `${startOf(text, maxPageText)}…\n\n(Cut: only the first ${maxPageText} characters are shown.)`
		: text;
}
