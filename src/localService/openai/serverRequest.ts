import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";

/** How long a server elsewhere may send nothing, in milliseconds; one on this machine may read a long prompt for as long as it takes. */
const silenceMs = 5 * 60_000;

/**
 * Sends a request once and resolves with the response when its headers have come. `fetch` gives up after five minutes without a
 * header or a byte, which a model that reads a long prompt on this machine may need. No redirect is followed. Rejects with the
 * signal's abort, and with an error whose `cause` has the code of the network.
 */
export async function postTo(
	url: URL,
	headers: Readonly<Record<string, string>>,
	body: string,
	signal: AbortSignal,
): Promise<Response> {
	const { promise, resolve, reject } = Promise.withResolvers<Response>();
	const send = url.protocol === "https:" ? requestHttps : requestHttp;
	// A connection that is kept may be closed by the server as the request leaves; nothing here may be sent twice.
	const request = send(url, { method: "POST", headers, signal, agent: false }, incoming => {
		const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
			values.map((value): [string, string] => [name, value]),
		);
		const { statusCode: status = 502 } = incoming;
		const hasBody = status !== 204 && status !== 205 && status !== 304;
		const content = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
		resolve(new Response(hasBody ? content : null, { status, headers: fields }));
	});
	request.on("error", error => reject(new Error("The request failed", { cause: error })));
	if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) {
		request.setTimeout(silenceMs, () => {
			request.destroy(new Error(`It sent nothing for ${silenceMs / 60_000} minutes`));
		});
	}
	request.end(body);
	return await promise;
}
