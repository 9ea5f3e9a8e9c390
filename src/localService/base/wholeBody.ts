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
