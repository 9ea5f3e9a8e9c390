/** The ways out to the network: `undici` bundled with Cutaway, or the editor's own `fetch`. docs/architecture.md. */
export type TransportName = "undici" | "fetch";

/** Whether a URL's host means this machine: `localhost` and below it, 127.0.0.0/8 or `[::1]` (RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
	return (
		hostname === "localhost" ||
		hostname.endsWith(".localhost") ||
		/^127(\.\d{1,3}){3}$/.test(hostname) ||
		hostname === "[::1]"
	);
}

/**
 * Loopback, and everything when the network is `direct`, goes through undici; the rest through `globalThis.fetch`, which
 * the editor patches for proxies and the system's certificates. docs/architecture.md.
 */
export function chooseTransport(url: URL, network: "auto" | "direct"): TransportName {
	return network === "direct" || isLoopbackHost(url.hostname) ? "undici" : "fetch";
}
