/** Something that holds a resource and gives it back; calling `dispose` twice is harmless. */
export interface IDisposable {
	dispose(): void;
}

/** Turns a function into a disposable that runs it at most once. */
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

/** Owns what is registered on it; anything registered after it was disposed is disposed at once. */
export abstract class Disposable implements IDisposable {
	private readonly owned = new Set<IDisposable>();
	private disposed = false;

	/** True once `dispose` was called. */
	get isDisposed(): boolean {
		return this.disposed;
	}

	/** Takes ownership of `disposable` and hands it back, so that a field can be set in one line. */
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
