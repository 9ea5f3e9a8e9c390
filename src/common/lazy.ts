/** A value made on first need. Everyone is handed one promise; a failed one is forgotten, so the next call tries again. */
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

	/** The promise if someone asked for the value before; never starts making it. */
	peek(): Promise<T> | undefined {
		return this.promise;
	}
}
