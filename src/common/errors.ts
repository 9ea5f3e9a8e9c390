/** Whatever was thrown, as an `Error`; an `Error` comes back as it is. */
export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The reason every cancelled wait in Cutaway is rejected with. Cancelled is an outcome, not a failure. */
export class AbortError extends Error {
	override readonly name = "AbortError";

	constructor(message = "Cancelled") {
		super(message);
	}
}

/** Whether something was thrown because a user or a caller cancelled, in any of the runtime's spellings. */
export function isAbortError(thrown: unknown): boolean {
	return thrown instanceof Error && thrown.name === "AbortError";
}
