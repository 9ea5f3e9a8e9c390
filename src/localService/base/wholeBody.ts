/** A body went on past what it may have; its connection was closed. */
export class BodyTooLongError extends Error {
	override readonly name = "BodyTooLongError";
}

/** Reads a body to its end. Throws what `tooLong` makes, and leaves the body, as soon as it has more than `maxBytes`. */
export async function readWhole(
	body: AsyncIterable<unknown> | null,
	maxBytes: number,
	tooLong: () => Error = () => new BodyTooLongError(`more than ${maxBytes} bytes`),
): Promise<Buffer<ArrayBuffer>> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys what is read.
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
