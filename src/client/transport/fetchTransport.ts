import { AbortError } from "../../common/errors.ts";
import {
	type StreamedBody,
	type Transport,
	type TransportRequest,
	type TransportResponse,
	chooseTransport,
	type HostLookup,
} from "./transport.ts";

/**
 * Transport with the editor's `globalThis.fetch`, which supports the user's `http.proxy`, PAC, proxy sign-in and system certificates. Looked up for
 * every request, because the editor replaces it. docs/architecture.md.
 */
export const fetchTransport: Transport = async request => {
	const response = await globalThis.fetch(request.url, requestInit(request));
	return {
		// A browser engine's `fetch` reports redirects as status 0; any 3xx status identifies them.
		status: response.type === "opaqueredirect" ? 302 : response.status,
		header: name => response.headers.get(name) ?? undefined,
		body: bodyOf(response, request.signal),
	};
};

/** Adds the option `duplex`, which a streamed body needs, to the standard types. */
type StreamingRequestInit = RequestInit & { duplex?: "half" };

function requestInit(request: TransportRequest): StreamingRequestInit {
	const { method, body, signal } = request;
	// Prevents reuse of the connection.
	const headers = { ...request.headers, connection: "close" };
	const init: StreamingRequestInit = {
		method,
		signal,
		headers,
		redirect: "manual",
		cache: "no-store",
		credentials: "omit",
	};
	if (body === undefined) {
		return init;
	}
	if (typeof body === "string") {
		return { ...init, body };
	}
	return {
		...init,
		headers: { ...headers, "content-length": String(body.length) },
		body: uploadStream(body),
		duplex: "half",
	};
}

/** Pulls one chunk at a time, so that the file is read only as fast as it is sent. */
function uploadStream(body: StreamedBody): ReadableStream<Uint8Array> {
	const iterator = body.chunks[Symbol.asyncIterator]();
	return new ReadableStream<Uint8Array>(
		{
			pull: async controller => {
				const result = await iterator.next();
				if (result.done) {
					controller.close();
				} else {
					controller.enqueue(result.value);
				}
			},
			cancel: async () => {
				await iterator.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
}

function bodyOf(response: Response, signal: AbortSignal): TransportResponse["body"] {
	return {
		[Symbol.asyncIterator]: () => {
			const reader = response.body?.getReader();
			return {
				next: async () => {
					const result = await reader?.read();
					if (signal.aborted) {
						throw new AbortError();
					}
					return result?.value
						? { done: false, value: result.value }
						: { done: true, value: undefined };
				},
				return: async () => {
					await reader?.cancel().catch(() => undefined);
					return { done: true, value: undefined };
				},
			};
		},
	};
}

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

/** Loads undici, before the first request to save time. Can be called repeatedly. */
export function loadUndici(): Promise<Transport> {
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
