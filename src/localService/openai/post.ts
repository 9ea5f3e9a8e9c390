import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ReadableStream as NodeStream } from "node:stream/web";
import { isLoopbackHost } from "../../client/index.ts";
import { toError } from "../../common/errors.ts";

interface Posted {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly signal: AbortSignal;
}

/**
 * Sends a request and gives the answer once its head is there; redirects are not followed. A model on this machine may read a
 * prompt for as long as it takes; elsewhere `fetch` gives up after five minutes of silence.
 */
export function post(url: string, posted: Posted): Promise<Response> {
	return isLoopbackHost(new URL(url).hostname)
		? postWithoutTimeout(url, posted)
		: fetch(url, { ...posted, headers: { ...posted.headers }, method: "POST", redirect: "manual" });
}

function postWithoutTimeout(url: string, { headers, body, signal }: Posted): Promise<Response> {
	const request = url.startsWith("https:") ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		// A kept connection may be one that the server is just closing.
		const options = { method: "POST", headers: { ...headers }, agent: false, signal } as const;
		const sent = request(url, options, incoming => {
			const { statusCode: status = 502, headers: answered } = incoming;
			const hasBody = status !== 204 && status !== 205 && status !== 304;
			const known = new Headers();
			for (const name of ["content-type", "retry-after"]) {
				const value = answered[name];
				if (typeof value === "string") {
					known.set(name, value);
				}
			}
			try {
				// Reads all that has come at once, where Readable.toWeb would pass on chunk by chunk.
				const content = hasBody ? (NodeStream.from(incoming) as ReadableStream<Uint8Array>) : null;
				resolve(new Response(content, { status, headers: known }));
			} catch (error) {
				reject(toError(error));
			}
		});
		sent.on("error", reject);
		sent.end(body);
	});
}
