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

/** Resolves in the next turn of the event loop, when what was written has left. */
export function nextTurn(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}

/** Interval for comparing the clocks, in milliseconds. */
const compareMs = 5_000;

/** If the wall clock advanced this much more, in milliseconds, the machine slept, or another extension blocked the process. docs/faults.md. */
const wakeJumpMs = 15_000;

/** Compares the clocks at short intervals until disposed, and passes on whether the machine slept since the last time. */
export function watchSleep(onTick: (hasSlept: boolean) => void, clock: Clock): IDisposable {
	let last = clock.now();
	const compare = (): void => {
		const now = clock.now();
		const hasSlept = now - last - compareMs > wakeJumpMs;
		last = now;
		onTick(hasSlept);
	};
	return every(compareMs, compare, clock);
}

/** The longest that stepwise work blocks the thread, in milliseconds. Short enough not to delay typing. */
const maxTurnMs = 20;

/** Runs work in steps and resolves to its result. Yields to the event loop after every 20 ms. Rejects with a step's error. */
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
			await nextTurn();
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

/** Settles like the promise, or rejects with `AbortError` as soon as the signal is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = (): void => reject(new AbortError());
		if (signal.aborted) {
			onAbort();
		}
		signal.addEventListener("abort", onAbort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}

/** Runs tasks in the order they were given, at most `max` at once. A task aborted while it waits never runs. */
export class Limiter {
	private free: number;
	private readonly waiting = new Set<() => void>();

	constructor(max: number) {
		this.free = max;
	}

	/** Runs a task when a slot is free. Rejects with `AbortError` if aborted while it waits. */
	async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
		throwIfAborted(signal);
		await this.takePlace(signal);
		try {
			// The signal may have been aborted just as the slot became free.
			throwIfAborted(signal);
			return await task();
		} finally {
			this.leavePlace();
		}
	}

	private async takePlace(signal: AbortSignal): Promise<void> {
		if (this.free > 0) {
			this.free -= 1;
			return;
		}
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const onAbort = (): void => {
			this.waiting.delete(resolve);
			reject(new AbortError());
		};
		this.waiting.add(resolve);
		signal.addEventListener("abort", onAbort, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", onAbort));
	}

	private leavePlace(): void {
		const [next] = this.waiting;
		if (next) {
			this.waiting.delete(next);
			next();
		} else {
			this.free += 1;
		}
	}
}

/** A value created on first use. All callers share one promise. After a failure, the next call tries again. */
export class Lazy<T> {
	private readonly create: () => Promise<T>;
	private promise: Promise<T> | undefined;

	constructor(create: () => Promise<T>) {
		this.create = create;
	}

	get(): Promise<T> {
		this.promise ??= this.create().catch((error: unknown) => {
			this.promise = undefined;
			throw error;
		});
		return this.promise;
	}

	/** Returns the promise if the value was requested before. Never starts the creation. */
	peek(): Promise<T> | undefined {
		return this.promise;
	}
}

/** Runs tasks one at a time in the order they were given. A failed task doesn't stop the next. */
export class SerialQueue {
	private tail: Promise<unknown> = Promise.resolve();

	run<T>(task: () => Promise<T>): Promise<T> {
		const result = this.tail.then(task, task);
		this.tail = result;
		return result;
	}
}

/** Queues messages for one reader. */
export class Mailbox<Message> implements IDisposable {
	private readonly signal: AbortSignal;
	private readonly held: Message[] = [];
	private wake: (() => void) | undefined;
	private readonly onAbort = (): void => this.wake?.();

	constructor(signal: AbortSignal) {
		this.signal = signal;
		signal.addEventListener("abort", this.onAbort, { once: true });
	}

	put(message: Message): void {
		this.held.push(message);
		this.wake?.();
	}

	/** Waits for the next message. Rejects with `AbortError` if the signal aborts. */
	async take(): Promise<Message> {
		for (;;) {
			throwIfAborted(this.signal);
			const next = this.held.shift();
			if (next !== undefined) {
				return next;
			}
			await new Promise<void>(resolve => {
				this.wake = resolve;
			});
		}
	}

	dispose(): void {
		this.signal.removeEventListener("abort", this.onAbort);
	}
}
