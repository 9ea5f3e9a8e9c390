import { type IDisposable, toDisposable } from "./disposable.ts";

/** Subscribes a listener. Disposing the result unsubscribes it. Same shape as VS Code's `Event`. */
export type Event<T> = (listener: (value: T) => void) => IDisposable;

/** Source of an event. Calls listeners in the order they subscribed. */
export class Emitter<T> implements IDisposable {
	private readonly listeners = new Set<(value: T) => void>();
	private readonly onError: ((error: unknown) => void) | undefined;
	readonly event: Event<T> = listener => {
		const entry = (value: T): void => listener(value);
		this.listeners.add(entry);
		return toDisposable(() => this.listeners.delete(entry));
	};

	/** Passes errors thrown by listeners to `onError`, or rethrows them after the last listener ran. */
	constructor(onError?: (error: unknown) => void) {
		this.onError = onError;
	}

	/** Calls every listener, even if one throws. */
	fire(value: T): void {
		const errors: unknown[] = [];
		for (const listener of [...this.listeners]) {
			try {
				listener(value);
			} catch (error) {
				errors.push(error);
			}
		}
		const { onError } = this;
		if (onError) {
			errors.forEach(error => onError(error));
		} else if (errors.length > 0) {
			throw new AggregateError(errors, "An event listener failed");
		}
	}

	dispose(): void {
		this.listeners.clear();
	}
}
