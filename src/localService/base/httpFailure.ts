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
