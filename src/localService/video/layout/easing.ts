/** A number held between two bounds. */
export function clamp(value: number, min: number, max: number): number {
	return Math.min(Math.max(value, min), max);
}

/** Fast at first, then settling: for what comes in. Takes and gives 0 to 1. */
export function easeOut(progress: number): number {
	return 1 - (1 - clamp(progress, 0, 1)) ** 3;
}

/** Slow, fast, slow: for what travels. Takes and gives 0 to 1. */
export function easeInOut(progress: number): number {
	const held = clamp(progress, 0, 1);
	return held * held * (3 - 2 * held);
}

/** How far `time` has come on the way from `start` to `end`, 0 to 1. */
export function progressBetween(time: number, start: number, end: number): number {
	return end <= start ? Number(time >= end) : clamp((time - start) / (end - start), 0, 1);
}
