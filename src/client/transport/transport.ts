/** A request body of known length. */
export interface StreamedBody {
	/** Exact number of bytes. The request fails if the body is shorter or longer. */
	readonly length: number;
	readonly chunks: AsyncIterable<Uint8Array>;
}

export interface TransportRequest {
	readonly method: "GET" | "POST";
	/** Absolute http(s) URL without user name, password or fragment. */
	readonly url: URL;
	/** Names are in lower case. The transport adds `content-length`. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | StreamedBody;
	readonly signal: AbortSignal;
}

/** Thrown while reading a body with an unknown content coding. */
export class UnknownCodingError extends Error {
	override readonly name = "UnknownCodingError";
}

/** A response's headers, and its body as it arrives. */
export interface TransportResponse {
	readonly status: number;
	/** Returns a header by its lower-case name. Repeated headers are joined by `, `. */
	header(name: string): string | undefined;
	/**
	 * The decompressed bytes. The sender is paused while nobody reads. Can be iterated once. Throws if the body is cut off, but a compressed body may
	 * just end early, so an end proves nothing. Throws `UnknownCodingError` for an unknown coding.
	 */
	readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request over its own connection, which closes after the response, so that no paid request uses a kept-alive socket that the service is
 * closing. Doesn't follow redirects. Rejects with the runtime's errors, and so does the body; `failureOf` interprets them. When `signal` is aborted,
 * the promise and a pending read reject immediately.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export interface HostAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

/** Resolves a host's addresses. Rejects if connecting isn't allowed. Not called if the host is an IP address. */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>;

/** The available HTTP transports: the bundled `undici`, or the editor's `fetch`. docs/architecture.md. */
type TransportName = "undici" | "fetch";

/** Whether a host is this machine: `localhost` and its subdomains, 127.0.0.0/8 or `[::1]` (RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
	return (
		hostname === "localhost" ||
		hostname.endsWith(".localhost") ||
		/^127(\.\d{1,3}){3}$/.test(hostname) ||
		hostname === "[::1]"
	);
}

/**
 * Uses undici for loopback addresses, and for everything if the network is `direct`. Otherwise uses `globalThis.fetch`, which the editor patches for
 * proxies and the system's certificates. docs/architecture.md.
 */
export function chooseTransport(url: URL, network: "auto" | "direct"): TransportName {
	return network === "direct" || isLoopbackHost(url.hostname) ? "undici" : "fetch";
}

export interface NetworkSetup {
	/** `direct` ignores all proxies, including those of the environment. */
	readonly mode: "auto" | "direct";
	/** Proxy URL, possibly with user name and password; if empty, the environment's proxies apply. */
	readonly proxy: string;
	/** Hosts that are contacted without a proxy; if empty, the environment's list applies. */
	readonly noProxy: readonly string[];
	/** Value of the header `Proxy-Authorization`, or empty. */
	readonly proxyAuthorization: string;
	/** Whether the certificate of an https proxy must be valid. All other certificates always must be. */
	readonly isProxyChecked: boolean;
	readonly hasSystemCertificates: boolean;
}

/** Settings without an editor: no proxy, and the system's certificate authorities. */
export const directNetwork: NetworkSetup = {
	mode: "direct",
	proxy: "",
	noProxy: [],
	proxyAuthorization: "",
	isProxyChecked: true,
	hasSystemCertificates: true,
};
