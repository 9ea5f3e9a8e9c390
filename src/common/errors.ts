export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Rejection reason of every cancelled operation. Cancellation is not a failure. */
export class AbortError extends Error {
	override readonly name = "AbortError";

	constructor(message = "Cancelled") {
		super(message);
	}
}

/** Whether an error means cancellation, including the runtime's own `AbortError`s. */
export function isAbortError(thrown: unknown): boolean {
	return thrown instanceof Error && thrown.name === "AbortError";
}
