import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** Reads a packaged file, decompressed if its name ends in `.br`. Throws the system's errors. */
export async function readPackedFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = await readFile(path);
	return path.endsWith(".br") ? await promisify(brotliDecompress)(bytes) : bytes;
}
