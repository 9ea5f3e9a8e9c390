/** A request body whose length is known before its bytes are. */
export interface StreamedBody {
	/** Exact number of bytes; a body that turns out shorter or longer fails the request. */
	readonly length: number;
	readonly chunks: AsyncIterable<Uint8Array>;
}

/** One HTTP request, ready to be sent. */
export interface TransportRequest {
	readonly method: "GET" | "POST";
	/** Absolute http(s) address without user name, password or fragment. */
	readonly url: URL;
	/** Lower-case names. `content-length` is added by the transport. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | StreamedBody;
	/** Ends the request in any phase and closes its connection. */
	readonly signal: AbortSignal;
}

/** Thrown while reading a body whose content coding is unknown here (fault H19). */
export class UnknownCodingError extends Error {
	override readonly name = "UnknownCodingError";
}

/** The head of an answer, and its body as it arrives. */
export interface TransportResponse {
	readonly status: number;
	/** A header's value by lower-case name; repeated headers are joined with `, `. */
	header(name: string): string | undefined;
	/**
	 * The bytes, their coding undone; the sender waits while nobody reads. May be iterated once. A body that is cut
	 * throws, but a compressed one may only end early: an end alone proves nothing.
	 * One whose coding is unknown throws `UnknownCodingError`.
	 */
	readonly body: AsyncIterable<Uint8Array>;
}

/**
 * One way out to the network. Every request gets a connection of its own that closes after the answer, so that no paid
 * request meets a kept-alive socket the service is just closing (fault N7). Redirects come back as they are. A refused
 * promise or a thrown body error is whatever the runtime threw; `failureOf` reads it. When `signal` fires, the promise
 * and a waiting read reject at once.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** An address of a host, and whether it is one of IPv4 or IPv6. */
export interface HostAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

/** Finds the addresses of a host; rejects for a host that may not be connected to. Not asked for hosts that are addresses. */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>;
