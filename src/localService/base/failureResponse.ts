import { systemCode, unknownHostCode, untrustedCode } from "../../common/errors.ts";
/** Error response to a request: a status, a stable code and a sentence for the user. */
export class HttpFailure extends Error {
	override readonly name = "HttpFailure";
	/** HTTP status, 400 to 599. @see https://www.rfc-editor.org/rfc/rfc9110#section-15 */
	readonly status: number;
	/** Stable code for programs. Unlike this, the sentence may change. */
	readonly code: string;
	/** Further response headers, such as `Allow` or `Retry-After`. */
	readonly headers: Readonly<Record<string, string>>;
	/** Size of a conversation, and the room in its model's context, in tokens. */
	tokens: { readonly has: number; readonly room: number } | undefined;

	constructor(
		status: number,
		code: string,
		message: string,
		headers: Readonly<Record<string, string>> = {},
	) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
}

/** Returns the JSON body of an error response. The interface defines no format (§7); docs/interface.md accepts this one. */
export function failureBody(failure: Parameters<typeof errorOf>[0]): string {
	return JSON.stringify({ success: false, error: errorOf(failure) });
}

/** Returns the error object of that body. */
export function errorOf({
	message,
	code,
	tokens,
}: Pick<HttpFailure, "message" | "code"> & Partial<Pick<HttpFailure, "tokens">>) {
	return { message, code, tokens };
}

/**
 * Removes the user's key from a server's message, because some servers repeat a rejected key. `headers` are those that contain the key.
 * docs/security.md.
 */
export function withoutKeys(text: string, headers: Readonly<Record<string, string>>): string {
	return Object.values(headers)
		.map(value => value.replace(/^\S+ /, ""))
		.filter(secret => secret.length >= 4)
		.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

/** Why a request certainly wasn't sent. */
type UnsentReason = "refused" | "unknownHost" | "unreachable" | "tls";

export interface Unreached {
	readonly reason: UnsentReason;
	/** What happened and what to do, for the user. */
	readonly sentence: string;
}

const sentences: Readonly<Record<UnsentReason, (name: string, code: string) => string>> = {
	refused: name => `${name} is not running: nothing listens at its address.`,
	unknownHost: name => `${name} was not found. Check its address and your network.`,
	unreachable: (name, code) => `${name} could not be reached (${code}). Check your network.`,
	tls: (name, code) =>
		`${name} could not be trusted (${code}). Check its address, or add its certificate to those this machine trusts.`,
};

/**
 * Returns why a request to a server certainly wasn't sent: connection refused, unknown host, no connection, or an untrusted server. Returns undefined
 * for other errors, after which it may have been accepted.
 */
export function unreached(name: string, error: unknown): Unreached | undefined {
	if (error instanceof AggregateError) {
		// Contains the errors of several addresses, which occur only when connecting.
		const found = error.errors.map(each => unreached(name, each));
		return found.every(each => each !== undefined) ? found[0] : undefined;
	}
	const code = systemCode(error);
	const reason = code === "" ? undefined : reasonOf(error, code);
	return reason && { reason, sentence: sentences[reason](name, code) };
}

function reasonOf(error: unknown, code: string): UnsentReason | undefined {
	if (code === "ECONNREFUSED") {
		return "refused";
	}
	if (unknownHostCode.test(code)) {
		return "unknownHost";
	}
	if (error instanceof Error && "syscall" in error && error.syscall === "connect") {
		return "unreachable";
	}
	return untrustedCode.test(code) ? "tls" : undefined;
}
