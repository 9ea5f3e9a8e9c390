import { type IDisposable, toDisposable } from "./disposable.ts";

/** Subscribes a listener; disposing what it returns unsubscribes. Same shape as VS Code's `Event`. */
export type Event<T> = (listener: (value: T) => void) => IDisposable;

/** The firing side of an event. Listeners are called in the order they subscribed. */
export interface Emitter<T> extends IDisposable {
	readonly event: Event<T>;
	/** Calls every listener; a listener that throws does not keep the others from being called. */
	fire(value: T): void;
}

/** Makes an emitter. Errors thrown by listeners go to `onError`, or are rethrown after the last listener ran. */
export function createEmitter<T>(onError?: (error: unknown) => void): Emitter<T> {
	const listeners = new Set<(value: T) => void>();
	return {
		event: listener => {
			const entry = (value: T): void => listener(value);
			listeners.add(entry);
			return toDisposable(() => listeners.delete(entry));
		},
		fire: value => {
			const errors: unknown[] = [];
			for (const listener of [...listeners]) {
				try {
					listener(value);
				} catch (error) {
					errors.push(error);
				}
			}
			if (onError) {
				errors.forEach(onError);
			} else if (errors.length > 0) {
				throw new AggregateError(errors, "An event listener failed");
			}
		},
		dispose: () => listeners.clear(),
	};
}
