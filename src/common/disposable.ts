/** Holds a resource until `dispose` is called. Calling `dispose` again has no effect. */
export interface IDisposable {
	dispose(): void;
}

/** Wraps a function in a disposable that runs it at most once. */
export function toDisposable(dispose: () => void): IDisposable {
	let isDisposed = false;
	return {
		dispose: () => {
			if (!isDisposed) {
				isDisposed = true;
				dispose();
			}
		},
	};
}

/** Disposes everything registered on it. Registering on a disposed object disposes the argument immediately. */
export abstract class Disposable implements IDisposable {
	private readonly owned = new Set<IDisposable>();
	private disposed = false;

	get isDisposed(): boolean {
		return this.disposed;
	}

	/** Takes ownership of `disposable` and returns it, so that a field can be set in one line. */
	protected register<T extends IDisposable>(disposable: T): T {
		if (this.disposed) {
			disposable.dispose();
		} else {
			this.owned.add(disposable);
		}
		return disposable;
	}

	dispose(): void {
		if (this.disposed) {
			return;
		}
		this.disposed = true;
		for (const disposable of [...this.owned].reverse()) {
			disposable.dispose();
		}
		this.owned.clear();
	}
}

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
		for (const listener of Array.from(this.listeners)) {
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
