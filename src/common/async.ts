import { AbortError } from "./errors.ts";
import { type IDisposable, toDisposable } from "./disposable.ts";

/** The only source of time in Cutaway, so that tests can control it. */
export interface Clock {
	/** Milliseconds since 1970 by the wall clock; may jump when the machine sleeps or the clock is set. */
	now(): number;
	/** Milliseconds that never decrease, from an arbitrary origin. */
	monotonic(): number;
	/** Calls `callback` once after `ms` milliseconds unless disposed before. */
	setTimer(ms: number, callback: () => void): IDisposable;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	setTimer: (ms, callback) => {
		const timer = setTimeout(callback, ms);
		return toDisposable(() => clearTimeout(timer));
	},
};

export function throwIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted) {
		throw new AbortError();
	}
}

/** Waits `ms` milliseconds. Rejects with `AbortError` as soon as the signal is aborted. */
export function delay(ms: number, signal?: AbortSignal, clock: Clock = systemClock): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(new AbortError());
			return;
		}
		const onAbort = (): void => {
			timer.dispose();
			reject(new AbortError());
		};
		const timer = clock.setTimer(ms, () => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		});
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}

/** Calls `flush` once, `ms` after the first of any number of `schedule` calls. Disposing cancels a pending call. */
export class Coalescer implements IDisposable {
	private readonly ms: number;
	private readonly flush: () => void;
	private readonly clock: Clock;
	private pending: IDisposable | undefined;

	constructor(ms: number, flush: () => void, clock: Clock = systemClock) {
		this.ms = ms;
		this.flush = flush;
		this.clock = clock;
	}

	schedule(): void {
		this.pending ??= this.clock.setTimer(this.ms, () => this.run());
	}

	/** Runs a pending flush now. Does nothing if none is pending. */
	flushNow(): void {
		if (this.pending) {
			this.pending.dispose();
			this.run();
		}
	}

	dispose(): void {
		this.pending?.dispose();
		this.pending = undefined;
	}

	private run(): void {
		this.pending = undefined;
		this.flush();
	}
}

/** Calls `callback` every `ms` until disposed. Calls never overlap: a slow one delays the next. */
export function every(ms: number, callback: () => void, clock: Clock = systemClock): IDisposable {
	let timer: IDisposable;
	let isDisposed = false;
	const arm = (): void => {
		timer = clock.setTimer(ms, () => {
			callback();
			if (!isDisposed) {
				arm();
			}
		});
	};
	arm();
	return toDisposable(() => {
		isDisposed = true;
		timer.dispose();
	});
}

/** The longest that stepwise work blocks the thread, in milliseconds. Short enough not to delay typing. */
const maxTurnMs = 20;

/**
 * Runs work step by step and resolves to its result. Yields to the event loop between steps whenever 20 ms have passed. Rejects with what a step
 * throws.
 */
export async function inTurns<T>(
	work: Iterator<undefined, T>,
	clock: Clock = systemClock,
): Promise<T> {
	let startedAt = clock.monotonic();
	for (let step = work.next(); ; step = work.next()) {
		if (step.done) {
			return step.value;
		}
		if (clock.monotonic() - startedAt >= maxTurnMs) {
			await new Promise(resolve => setImmediate(resolve));
			startedAt = clock.monotonic();
		}
	}
}

/** Runs the same steps without yielding, for short work. */
export function atOnce<T>(work: Iterator<undefined, T>): T {
	for (let step = work.next(); ; step = work.next()) {
		if (step.done) {
			return step.value;
		}
	}
}
