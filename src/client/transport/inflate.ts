/** Content codings that are undone here. `identity` is asked for, but a service may compress all the same. */
const formats: Readonly<Record<string, "gzip" | "deflate">> = {
	gzip: "gzip",
	"x-gzip": "gzip",
	deflate: "deflate",
};

/** Thrown while reading a body whose content coding is unknown here (fault H19). */
export class UnknownCodingError extends Error {
	override readonly name = "UnknownCodingError";
}

/**
 * Undoes a body's `Content-Encoding`; a body without one comes back as it is. Broken or cut compressed data throws while
 * reading, as a broken connection does (fault H19). RFC 9110 §8.4.
 */
export function inflate(
	body: AsyncIterable<Uint8Array>,
	contentEncoding: string | undefined,
): AsyncIterable<Uint8Array> {
	const coding = contentEncoding?.trim().toLowerCase() ?? "";
	if (coding === "" || coding === "identity") {
		return body;
	}
	const format = formats[coding];
	return format ? inflated(body, format) : unknownCoding(coding);
}

async function* inflated(
	body: AsyncIterable<Uint8Array>,
	format: "gzip" | "deflate",
): AsyncGenerator<Uint8Array> {
	yield* streamOf(body).pipeThrough(new DecompressionStream(format));
}

/** The body as a stream that takes one chunk at a time, so that back-pressure reaches the socket. */
function streamOf(
	body: AsyncIterable<Uint8Array>,
): ReadableStream<ArrayBufferView<ArrayBuffer> | ArrayBuffer> {
	const chunks = body[Symbol.asyncIterator]();
	return new ReadableStream({
		pull: async controller => {
			const next = await chunks.next();
			if (next.done) {
				controller.close();
			} else {
				// A chunk of its own: the type of a platform stream leaves out shared memory.
				controller.enqueue(new Uint8Array(next.value));
			}
		},
		cancel: async () => {
			await chunks.return?.();
		},
	});
}

// oxlint-disable-next-line require-yield -- it is a body that only fails
async function* unknownCoding(coding: string): AsyncGenerator<Uint8Array> {
	throw new UnknownCodingError(`Unknown content coding: ${coding.slice(0, 40)}`);
}
