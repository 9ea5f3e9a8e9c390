import { type Clock, delay, throwIfAborted } from "../../common/async.ts";

/** Text is sent about this often, so that it seems to flow. */
const deltasPerSecond = 30;
/** Characters per delta when nothing holds the text back: enough not to drown in frames. */
const fastDeltaLength = 64;

/**
 * Cuts a text into deltas and yields them at a speed in characters (UTF-16 units) per second; 0 is as fast as they
 * are taken. Never cuts a surrogate pair. Ends with `AbortError` when the signal fires.
 */
export async function* paceText(
	text: string,
	charactersPerSecond: number,
	clock: Clock,
	signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
	const isPaced = charactersPerSecond > 0;
	const length = isPaced
		? Math.max(1, Math.round(charactersPerSecond / deltasPerSecond))
		: fastDeltaLength;
	const startedAt = clock.monotonic();
	let position = 0;
	while (position < text.length) {
		throwIfAborted(signal);
		const end = cutAt(text, position + length);
		yield text.slice(position, end);
		position = end;
		if (isPaced) {
			// Measured from the start, so that timers that fire late do not add up.
			const dueAt = startedAt + (position / charactersPerSecond) * 1000;
			await delay(Math.max(0, dueAt - clock.monotonic()), signal, clock);
		}
	}
}

function cutAt(text: string, end: number): number {
	const unit = text.charCodeAt(end - 1);
	const isHighSurrogate = unit >= 0xd8_00 && unit <= 0xdb_ff;
	return isHighSurrogate ? end + 1 : end;
}
