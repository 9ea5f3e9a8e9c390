import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { UnknownCodingError } from "./transport.ts";

type MakeUnpacker = (first: Uint8Array) => Transform;

/** Zstandard is younger than the oldest Node that runs this. */
const { createZstdDecompress }: Partial<Pick<typeof zlib, "createZstdDecompress">> = zlib;

/** Content codings that are undone here. `identity` is asked for, but a service may compress anyway. */
const unpackers: ReadonlyMap<string, MakeUnpacker> = new Map<string, MakeUnpacker>([
	["gzip", () => zlib.createGunzip()],
	["x-gzip", () => zlib.createGunzip()],
	["deflate", first => (hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw())],
	["br", () => zlib.createBrotliDecompress()],
	...(createZstdDecompress ? [["zstd", () => createZstdDecompress()] as const] : []),
]);

/**
 * Undoes a body's `Content-Encoding`; a body without one comes back as it is. Broken or cut compressed data throws while
 * reading, as a broken connection does, and a coding unknown here throws `UnknownCodingError` (fault H19). RFC 9110 §8.4.
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
	// What breaks is thrown to whoever reads the end of the pipeline.
	yield* pipeline(whole, unpacker(first.value), () => undefined);
}

async function* withFirst(
	first: Uint8Array,
	rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}

/** Some servers leave the header out, which RFC 9110 §8.4.1.2 notes. Without it, this nibble would begin a broken block. */
function hasZlibHeader([first = 0]: Uint8Array): boolean {
	return (first & 0x0f) === 8;
}

// oxlint-disable-next-line require-yield -- it is a body that only fails
async function* unknownCoding(coding: string): AsyncGenerator<Uint8Array> {
	throw new UnknownCodingError(`the content coding is unknown: ${coding.slice(0, 40)}`);
}
