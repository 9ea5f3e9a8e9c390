/** A seeded source of pseudo-random numbers (mulberry32), so that a failing run can be repeated. */
export interface Random {
	/** A number from 0 up to, not including, 1. */
	next(): number;
	/** A whole number from 0 up to, not including, `bound`. */
	below(bound: number): number;
	/** One of the items. */
	pick<T>(items: readonly T[]): T;
}

/** Makes a source from a 32-bit seed. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const below = (bound: number): number => Math.floor(next() * bound);
	const pick = <T>(items: readonly T[]): T => {
		const item = items[below(items.length)];
		if (item === undefined) {
			throw new RangeError("Nothing to pick from");
		}
		return item;
	};
	return { next, below, pick };
}
