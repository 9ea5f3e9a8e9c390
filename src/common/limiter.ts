import { AbortError } from "./errors.ts";

/** Runs tasks, at most so many at once, in the order they were given. A task whose signal fires while it waits never runs. */
export type Limiter = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Makes a limiter for `max` tasks at once; a cancelled wait ends with `AbortError`. */
export function createLimiter(max: number): Limiter {
	let free = max;
	const waiting = new Set<() => void>();
	const takePlace = async (signal: AbortSignal): Promise<void> => {
		if (free > 0) {
			free -= 1;
			return;
		}
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const onAbort = (): void => {
			waiting.delete(resolve);
			reject(new AbortError());
		};
		waiting.add(resolve);
		signal.addEventListener("abort", onAbort, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", onAbort));
	};
	const leavePlace = (): void => {
		const [next] = waiting;
		if (next) {
			waiting.delete(next);
			next();
		} else {
			free += 1;
		}
	};
	return async (task, signal) => {
		assertWanted(signal);
		await takePlace(signal);
		try {
			// Its turn may have come in the very moment it was cancelled.
			assertWanted(signal);
			return await task();
		} finally {
			leavePlace();
		}
	};
}

function assertWanted(signal: AbortSignal): void {
	if (signal.aborted) {
		throw new AbortError();
	}
}
