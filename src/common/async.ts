import { AbortError } from "./errors.ts";
import { type IDisposable, toDisposable } from "./disposable.ts";

/** The only source of time in Cutaway, so that tests own it. */
export interface Clock {
	/** Milliseconds since 1970 by the wall clock; may jump when the machine sleeps or the clock is set. */
	now(): number;
	/** Milliseconds that only ever grow; the origin means nothing. */
	monotonic(): number;
	/** Calls `callback` once after `ms` milliseconds unless disposed before. */
	setTimer(ms: number, callback: () => void): IDisposable;
}

/** The machine's own clock. */
export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	setTimer: (ms, callback) => {
		const timer = setTimeout(callback, ms);
		return toDisposable(() => clearTimeout(timer));
	},
};

/** Rejects with `AbortError` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted) {
		throw new AbortError();
	}
}

/** Waits `ms` milliseconds; an abort ends the wait at once with `AbortError` and leaves no listener behind. */
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

/** Runs `flush` once, `ms` after the first of any number of `schedule` calls. Disposing drops a pending one. */
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

	/** Runs a pending flush now; does nothing when none is pending. */
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

/** Calls `callback` every `ms` until disposed; a call that takes long delays the next, none overlap. */
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

/** How long work in turns goes on before others have theirs, in milliseconds: a typed letter waits no longer. */
const maxTurnMs = 20;

/**
 * Does work step by step and resolves to its result. Between two steps everything else of this thread has a turn whenever 20 ms have
 * passed. Rejects with what a step throws.
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

/** Does the same work without a pause, for what is short. */
export function atOnce<T>(work: Iterator<undefined, T>): T {
	for (let step = work.next(); ; step = work.next()) {
		if (step.done) {
			return step.value;
		}
	}
}
