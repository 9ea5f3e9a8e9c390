import type { GgufHeader } from "./gguf.ts";

const shortestContext = 2_048;
const longestContext = 8_192;
/** Memory for what is computed, in bytes, beside weights and context. */
const workingBytes = 300 * 1024 * 1024;

/**
 * The context in tokens that a model gets, a power of two from 2,048 to 8,192: the longest that fits into the free memory beside the
 * weights. `wanted` is what the user set, 0 for nothing; no context is longer than the model was made for.
 */
export function contextThatFits(
	{ sizeBytes, bytesPerToken, contextLength }: GgufHeader,
	wanted: number,
	freeBytes: number,
): number {
	const longest = contextLength || longestContext;
	if (wanted > 0) {
		return Math.min(wanted, longest);
	}
	const room = roomFor(sizeBytes, freeBytes);
	let length = shortestContext;
	while (length < longestContext && length * 2 * bytesPerToken <= room) {
		length *= 2;
	}
	return Math.min(length, longest);
}

/** How many conversations of this length in tokens a model remembers: two, so that one does not make it forget another, or one where memory is short. */
export function conversationsThatFit(
	header: GgufHeader,
	length: number,
	freeBytes: number,
): number {
	return 2 * length * header.bytesPerToken <= roomFor(header.sizeBytes, freeBytes) ? 2 : 1;
}

function roomFor(sizeBytes: number, freeBytes: number): number {
	return freeBytes - sizeBytes - workingBytes;
}
