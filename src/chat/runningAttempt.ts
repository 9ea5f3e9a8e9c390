/** An attempt under way. */
export interface RunningAttempt {
	readonly abort: AbortController;
	/** What an abort means: the person's wish, or the end of the window. */
	reason: "stopped" | "reload";
	readonly settled: Promise<void>;
	readonly settle: () => void;
}

/** Makes an attempt that nobody has ended yet. */
export function createRunningAttempt(): RunningAttempt {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { abort: new AbortController(), reason: "stopped", settled: promise, settle: resolve };
}
