/** Runs tasks, at most so many at once, in the order they were given. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a limiter for `max` tasks at once. */
export function createLimiter(max: number): Limiter {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async task => {
		if (running >= max) {
			await new Promise<void>(resolve => {
				waiting.push(resolve);
			});
		} else {
			running += 1;
		}
		try {
			return await task();
		} finally {
			const next = waiting.shift();
			if (next) {
				next();
			} else {
				running -= 1;
			}
		}
	};
}
