import type { GgufHeader } from "./gguf.ts";

const shortestContext = 2_048;
const longestContext = 8_192;
/** Memory for computation in bytes, besides weights and context. */
const workingBytes = 300 * 1024 * 1024;

/**
 * Returns a model's context in tokens, a power of two from 2,048 to 8,192: the longest for which the free memory suffices besides the weights.
 * `wanted` is the user's setting, or 0. Never longer than the model supports.
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

/** Returns the number of conversations of this length in tokens to cache: two, so that they don't replace each other, or one if memory is low. */
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
