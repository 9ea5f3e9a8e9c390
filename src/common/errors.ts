export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the code of a system's or library's error, such as `ENOSPC`, or an empty text if there is none. */
export function systemCode(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
		? thrown.code
		: "";
}

/** Codes of a host whose address wasn't found. Nothing was sent. */
export const unknownHostCode = /^(?:ENOTFOUND|EAI_)/;

/** Codes of a connection that couldn't be made, or that broke. */
export const brokenConnectionCode = /^(?:ECONN|EHOST|ENET|ETIMEDOUT|EPIPE)/;

/** Codes of a server whose certificate isn't trusted. Nothing was sent. */
export const untrustedCode = /CERT|^ERR_(?:SSL|TLS)_|SELF_SIGNED|^UNABLE_TO_|^EPROTO$/;

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

/** Checks at compile time that every case of a union is handled. Throws at run time and names the unhandled value. */
export function assertNever(value: never): never {
	throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}

/** A failure with a message for the model and the user. Contains no file content and no path outside the workspace. */
export class ToolFailure extends Error {
	override readonly name = "ToolFailure";
	/** Whether the call may succeed after the user has reviewed the current state. */
	readonly isStale: boolean;

	constructor(sentence: string, isStale = false) {
		super(sentence);
		this.isStale = isStale;
	}
}
