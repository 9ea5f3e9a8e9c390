/** How much of anything one caller may take. Every bound has a status that says it was passed. */
export interface Limits {
	/** Bytes of all request headers together; 431 beyond. */
	readonly maxHeaderBytes: number;
	/** Bytes of a JSON body; 413 beyond. Long conversations with pasted code stay far below. */
	readonly maxJsonBytes: number;
	/** Bytes of one uploaded file; 413 beyond. */
	readonly maxFileBytes: number;
	/** Bytes of all files held at once; 413 beyond. */
	readonly maxHeldBytes: number;
	/** Milliseconds a body may stay silent; 408 beyond. */
	readonly bodyIdleMs: number;
	/** Milliseconds a caller has for its headers; 408 beyond. */
	readonly headersMs: number;
	/** Milliseconds a caller has for a whole request; 408 beyond. */
	readonly requestMs: number;
	/** Milliseconds a refused caller may go on sending before its connection is closed. */
	readonly lingerMs: number;
	/** Requests with the token answered at once; 503 beyond. */
	readonly maxRequests: number;
	/** Connections open at once, more than requests; for a further one the oldest without the token is dropped. */
	readonly maxConnections: number;
}

/** Limits of the local service. */
export const defaultLimits: Limits = {
	maxHeaderBytes: 16 * 1024,
	maxJsonBytes: 16 * 1024 * 1024,
	maxFileBytes: 100 * 1024 * 1024,
	maxHeldBytes: 1024 * 1024 * 1024,
	bodyIdleMs: 30_000,
	headersMs: 10_000,
	requestMs: 300_000,
	lingerMs: 2_000,
	maxRequests: 128,
	maxConnections: 1024,
};

/** A number of bytes in words, as a refusal says it: `100 MB`. */
export function describeBytes(bytes: number): string {
	const megabytes = bytes / (1024 * 1024);
	return megabytes >= 1
		? `${Math.round(megabytes * 10) / 10} MB`
		: `${bytes.toLocaleString("en")} bytes`;
}
