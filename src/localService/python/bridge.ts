/**
 * Requests of the inside of the Python sandbox to the outside. Only texts and numbers go in; bytes are written into
 * memory that the inside brings along, so that no object of the outside ever gets in.
 */
export interface Bridge {
	/** Bytes of a file that is to be brought in: Python's own, or one that is being mounted. Throws when there is none. */
	sizeOf(name: string): number;
	/** Writes such a file's bytes into `target`, which has just that size. */
	copyInto(name: string, target: Uint8Array): void;
	decode(label: string, bytes: Uint8Array): string;
	/** Bytes a text has in UTF-8. */
	byteLength(text: string): number;
	/** Writes a text as UTF-8 into `target`. */
	encodeInto(text: string, target: Uint8Array): void;
	/** So many random bytes, at most 64 KB, as Base64. */
	randomBase64(length: number): string;
	/** Milliseconds that only ever grow. */
	now(): number;
	/** One line that Python wrote, without its end. */
	output(line: string): void;
	/** Output of Emscripten, for a log. */
	log(text: string): void;
}
