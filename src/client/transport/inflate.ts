import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { UnknownCodingError } from "./transport.ts";

type MakeUnpacker = (first: Uint8Array) => Transform;

/** Zstandard isn't available in the oldest supported version of Node. */
const { createZstdDecompress }: Partial<Pick<typeof zlib, "createZstdDecompress">> = zlib;

/** Supported content codings. Requests ask for `identity`, but a service may compress anyway. */
const unpackers: ReadonlyMap<string, MakeUnpacker> = new Map<string, MakeUnpacker>([
	["gzip", () => zlib.createGunzip()],
	["x-gzip", () => zlib.createGunzip()],
	["deflate", first => (hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw())],
	["br", () => zlib.createBrotliDecompress()],
	...(createZstdDecompress ? [["zstd", () => createZstdDecompress()] as const] : []),
]);

/**
 * Decompresses a body by its `Content-Encoding`. Returns a body without one unchanged. Reading throws if compressed data is broken or cut off, as
 * with a broken connection, and throws `UnknownCodingError` for an unknown coding. RFC 9110 §8.4.
 */
export function inflate(
	body: AsyncIterable<Uint8Array>,
	contentEncoding: string | undefined,
): AsyncIterable<Uint8Array> {
	const coding = contentEncoding?.trim().toLowerCase() ?? "";
	if (coding === "" || coding === "identity") {
		return body;
	}
	const unpacker = unpackers.get(coding);
	return unpacker ? unpacked(body, unpacker) : unknownCoding(coding);
}

async function* unpacked(
	body: AsyncIterable<Uint8Array>,
	unpacker: MakeUnpacker,
): AsyncGenerator<Uint8Array> {
	const chunks = body[Symbol.asyncIterator]();
	let first = await chunks.next();
	while (!first.done && first.value.byteLength === 0) {
		first = await chunks.next();
	}
	if (first.done) {
		return;
	}
	const whole = Readable.from(withFirst(first.value, { [Symbol.asyncIterator]: () => chunks }));
	// The reader of the pipeline's end gets the errors.
	yield* pipeline(whole, unpacker(first.value), () => undefined);
}

async function* withFirst(
	first: Uint8Array,
	rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}

/** Some servers omit the header, as RFC 9110 §8.4.1.2 notes. Without it, this nibble would start an invalid block. */
function hasZlibHeader([first = 0]: Uint8Array): boolean {
	return (first & 0x0f) === 8;
}

// oxlint-disable-next-line require-yield -- it is a body that only fails
async function* unknownCoding(coding: string): AsyncGenerator<Uint8Array> {
	throw new UnknownCodingError(`the content coding is unknown: ${coding.slice(0, 40)}`);
}
