import { AbortError } from "./errors.ts";

/** Runs tasks in the order they were given, at most `max` at once. A task aborted while it waits never runs. */
export class Limiter {
	private free: number;
	private readonly waiting = new Set<() => void>();

	constructor(max: number) {
		this.free = max;
	}

	/** Runs a task when a slot is free. Rejects with `AbortError` if aborted while it waits. */
	async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
		assertWanted(signal);
		await this.takePlace(signal);
		try {
			// The signal may have been aborted just as the slot became free.
			assertWanted(signal);
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

function assertWanted(signal: AbortSignal): void {
	if (signal.aborted) {
		throw new AbortError();
	}
}
