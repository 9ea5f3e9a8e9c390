/** Runs `create` on the first call and hands everyone its promise; a failed one is forgotten, so the next call tries again. */
export function lazy<T>(create: () => Promise<T>): Lazy<T> {
	let promise: Promise<T> | undefined;
	return {
		get: () => {
			promise ??= create().catch((error: unknown) => {
				promise = undefined;
				throw error;
			});
			return promise;
		},
		peek: () => promise,
	};
}

/** A value made on first need. */
export interface Lazy<T> {
	get(): Promise<T>;
	/** The promise if someone asked for the value before; never starts making it. */
	peek(): Promise<T> | undefined;
}
