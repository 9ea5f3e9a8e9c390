import { AbortError } from "./errors.ts";

/** The promise's outcome, or `AbortError` as soon as the signal fires, whatever the promise does then. */
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
