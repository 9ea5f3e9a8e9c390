import { chooseTransport } from "./chooseTransport.ts";
import { fetchTransport } from "./fetchTransport.ts";
import type { HostLookup, Transport } from "./transport.ts";

let undici: Promise<Transport> | undefined;

/** The way out for an address. undici is loaded when first needed, because that takes 30–40 ms. */
export async function transportFor(url: URL, network: "auto" | "direct"): Promise<Transport> {
	return chooseTransport(url, network) === "undici" ? await loadUndici() : fetchTransport;
}

/**
 * The way out for an address that a service named: where it is Cutaway's own way, `lookup` finds the host, so that what was
 * checked is what is connected to. The editor's fetch takes no lookup. Threat T27.
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

/** Loads undici ahead of the first request, so that a question does not wait for it; harmless to repeat. */
export async function prefetchTransport(): Promise<void> {
	await loadUndici();
}

function loadUndici(): Promise<Transport> {
	undici ??= import("./undiciTransport.ts").then(
		module => module.createUndiciTransport(),
		(error: unknown) => {
			// Another try may find what this one did not.
			undici = undefined;
			throw error;
		},
	);
	return undici;
}
