/** The available HTTP transports: the bundled `undici`, or the editor's `fetch`. docs/architecture.md. */
export type TransportName = "undici" | "fetch";

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
