import { chooseTransport } from "./chooseTransport.ts";
import { fetchTransport } from "./fetchTransport.ts";
import type { Transport } from "./transport.ts";

let undici: Promise<Transport> | undefined;

/** The way out for an address. undici is loaded when first needed, because that takes 30–40 ms. */
export async function transportFor(url: URL, network: "auto" | "direct"): Promise<Transport> {
	return chooseTransport(url, network) === "undici" ? await loadUndici() : fetchTransport;
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
