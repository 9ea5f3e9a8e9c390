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
