import { systemClock } from "../../src/common/async.ts";
import type { FakeClock } from "./fakeClock.ts";

/** A fake clock that is moved from timer to timer, each only once everything the last one began is done. */
export interface SteppedClock extends FakeClock {
	/** Moves by `ms`; at every timer on the way, and at the end, input and output come to rest first. */
	pass(ms: number): Promise<void>;
	/** Moves to the next timer if it is due within `ms`, else by `ms`, then lets things come to rest; gives how far it went. */
	step(ms: number): Promise<number>;
}

/** Turns of the event loop in a row in which nothing may be under way. A file's change is heard of one turn after it. */
const quietTurns = 4;

/** So many turns are taken at once; a wait that lasts longer leaves the processor to the threads that do the work. */
const eagerTurns = 500;

/** Rest that does not come in this time, in real milliseconds, is an error of the test; a busy disk may flush for long. */
const limitMs = 60_000;

let held = 0;
let waits = 0;

/** Counts requests that a test's service keeps without an answer; they do not keep things from coming to rest. */
export function holdRequest(): { release(): void } {
	held += 1;
	let isHeld = true;
	return {
		release: () => {
			held -= isHeld ? 1 : 0;
			isHeld = false;
		},
	};
}

const setTimer = systemClock.setTimer;
// What waits by the machine's own clock, as for another window's lock, is under way.
systemClock.setTimer = (ms, callback) => {
	let isWaiting = true;
	waits += 1;
	const end = (): void => {
		waits -= isWaiting ? 1 : 0;
		isWaiting = false;
	};
	const timer = setTimer(ms, () => {
		end();
		callback();
	});
	return {
		dispose: () => {
			end();
			timer.dispose();
		},
	};
};

/** Waits until no file is worked on, no name looked up, no connection open but those that a test holds. */
export async function atRest(): Promise<void> {
	const end = performance.now() + limitMs;
	let turns = 0;
	for (let quiet = 0; quiet < quietTurns;) {
		await nextTurn(turns);
		quiet = isBusy() ? 0 : quiet + 1;
		turns += 1;
		if (performance.now() > end) {
			const resources = process.getActiveResourcesInfo().join(" ");
			throw new Error(`No rest: ${resources}, ${held} held, ${waits} waiting`);
		}
	}
}

function nextTurn(turns: number): Promise<void> {
	return new Promise(resolve => {
		if (turns < eagerTurns) {
			setImmediate(resolve);
		} else {
			setTimeout(resolve, 1);
		}
	});
}

function isBusy(): boolean {
	let sockets = 0;
	for (const name of process.getActiveResourcesInfo()) {
		if (/^(?:FSReq|CloseReq|TCPConnect|GetAddrInfo)/.test(name)) {
			return true;
		}
		sockets += name === "TCPSocketWrap" ? 1 : 0;
	}
	// Both ends of a held request are in this process.
	return waits > 0 || sockets > 2 * held;
}

/** Makes a fake clock step from timer to timer. */
export function stepped(clock: FakeClock): SteppedClock {
	const dues = new Map<number, number>();
	let count = 0;
	const setFakeTimer = clock.setTimer;
	const step = async (ms: number): Promise<number> => {
		await atRest();
		const now = clock.monotonic();
		const due = Math.min(...dues.values());
		const moved = Math.min(Math.max(due - now, 0), ms);
		await clock.advance(moved);
		await atRest();
		return moved;
	};
	return {
		now: clock.now,
		monotonic: clock.monotonic,
		advance: clock.advance,
		jump: clock.jump,
		get pending() {
			return clock.pending;
		},
		setTimer: (ms, callback) => {
			const id = count++;
			dues.set(id, clock.monotonic() + Math.max(0, ms));
			const timer = setFakeTimer(ms, () => {
				dues.delete(id);
				callback();
			});
			return {
				dispose: () => {
					dues.delete(id);
					timer.dispose();
				},
			};
		},
		step,
		pass: async ms => {
			for (let passed = 0; passed < ms;) {
				passed += await step(ms - passed);
			}
		},
	};
}
