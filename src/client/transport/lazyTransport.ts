import { chooseTransport, type HostLookup, type Transport } from "./transport.ts";
import { fetchTransport } from "./fetchTransport.ts";

let undici: Promise<Transport> | undefined;

/** Returns the transport for a URL. Loads undici on first use, which takes 30–40 ms. */
export async function transportFor(url: URL, network: "auto" | "direct"): Promise<Transport> {
	return chooseTransport(url, network) === "undici" ? await loadUndici() : fetchTransport;
}

/**
 * Returns the transport for a URL that a service provided. With undici, `lookup` resolves the host, so that the connection goes to the checked
 * address. The editor's `fetch` doesn't support this. docs/security.md.
 */
export async function checkedTransportFor(
	url: URL,
	network: "auto" | "direct",
	lookup: HostLookup,
): Promise<Transport> {
	if (chooseTransport(url, network) === "fetch") {
		return fetchTransport;
	}
	const { createUndiciTransport } = await import("./undiciTransport.ts");
	return createUndiciTransport({ lookup });
}

/** Loads undici before the first request, to save time. Can be called repeatedly. */
export async function prefetchTransport(): Promise<void> {
	await loadUndici();
}

function loadUndici(): Promise<Transport> {
	undici ??= import("./undiciTransport.ts").then(
		module => module.createUndiciTransport(),
		(error: unknown) => {
			// A later attempt may succeed.
			undici = undefined;
			throw error;
		},
	);
	return undici;
}
