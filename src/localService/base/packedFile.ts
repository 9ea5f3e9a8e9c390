import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** Reads a file of the package whole; one whose name ends in `.br` is unpacked with Brotli. Throws the system's error. */
export async function readPackedFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = await readFile(path);
	return path.endsWith(".br") ? await promisify(brotliDecompress)(bytes) : bytes;
}
