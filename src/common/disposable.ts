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
