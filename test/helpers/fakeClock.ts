import type { Clock } from "../../src/common/async.ts";
import { toDisposable } from "../../src/common/disposable.ts";

/** A clock that is stopped until a test moves it; timers fire in order of their due time. */
export interface FakeClock extends Clock {
	/** Moves both clocks by `ms`, firing what falls due and letting promises settle after each timer. */
	advance(ms: number): Promise<void>;
	/** Moves the wall clock alone, as a sleeping machine or a changed clock does. */
	jump(ms: number): void;
	/** Timers not yet fired or disposed. */
	readonly pending: number;
}

/** Makes a fake clock starting at `start` milliseconds of wall time. */
export function createFakeClock(start = 1_750_000_000_000): FakeClock {
	let wall = start;
	let mono = 0;
	let order = 0;
	const timers = new Map<number, { due: number; callback: () => void }>();
	const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
	return {
		now: () => wall,
		monotonic: () => mono,
		setTimer: (ms, callback) => {
			const id = order++;
			timers.set(id, { due: mono + Math.max(0, ms), callback });
			return toDisposable(() => timers.delete(id));
		},
		advance: async ms => {
			const end = mono + ms;
			await settle();
			for (;;) {
				const next = [...timers.entries()]
					.filter(([, timer]) => timer.due <= end)
					.sort((a, b) => a[1].due - b[1].due || a[0] - b[0])[0];
				if (!next) {
					break;
				}
				const [id, timer] = next;
				timers.delete(id);
				wall += timer.due - mono;
				mono = timer.due;
				timer.callback();
				await settle();
			}
			wall += end - mono;
			mono = end;
			await settle();
		},
		jump: ms => {
			wall += ms;
		},
		get pending() {
			return timers.size;
		},
	};
}
