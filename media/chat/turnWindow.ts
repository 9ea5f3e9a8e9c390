/** Which turns of a chat are on the page: the last ones when it is opened, more as the reader goes back. */
export interface TurnWindow {
	/** The number of the first turn shown; turns from it on all are. */
	readonly first: number;
	/** A chat with `count` turns is opened. */
	open(count: number): void;
	/** Shows more of the turns before the first. */
	extend(): void;
}

/** Turns shown when a chat is opened, and added each time: enough to fill any screen, few enough to open at once. */
const turnsPerStep = 20;

/** Makes a window over nothing. */
export function createTurnWindow(): TurnWindow {
	let first = 0;
	return {
		get first() {
			return first;
		},
		open: count => {
			first = Math.max(0, count - turnsPerStep);
		},
		extend: () => {
			first = Math.max(0, first - turnsPerStep);
		},
	};
}
