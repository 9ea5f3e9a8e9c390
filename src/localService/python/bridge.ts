/**
 * The sandbox's calls to the outside. Takes only strings and numbers and writes bytes into memory of the sandbox, so that no outside object gets into
 * it.
 */
export interface Bridge {
	/** Returns the size of a file to be copied in: Python's own, or one being mounted. Throws if it doesn't exist. */
	sizeOf(name: string): number;
	/** Copies such a file into `target`, which must have its size. */
	copyInto(name: string, target: Uint8Array): void;
	decode(label: string, bytes: Uint8Array): string;
	byteLength(text: string): number;
	encodeInto(text: string, target: Uint8Array): void;
	/** Returns random bytes as Base64, at most 64 KB. */
	randomBase64(length: number): string;
	/** Returns monotonic milliseconds. */
	now(): number;
	/** Reports a line of output of Python, without its line break. */
	output(line: string): void;
	/** Reports output of Emscripten, for a log. */
	log(text: string): void;
}
