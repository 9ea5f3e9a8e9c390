import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ReadableStream as NodeStream } from "node:stream/web";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";

interface Posted {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** How long a connection may take, in milliseconds; the computer of a server elsewhere may be off. */
const connectMs = 10_000;
/** How long a connection is silent before its other end is asked for a sign of life, in milliseconds. */
const keepAliveMs = 60_000;

/**
 * Sends a request and gives the answer once its head is there; redirects are not followed. A model may read a prompt for as long
 * as it takes, where `fetch` gives up after five minutes of silence; a connection whose other end is gone fails.
 */
export function post(url: string, posted: Posted): Promise<Response> {
	const { headers, body, clock, signal } = posted;
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
		watchConnection(sent, url.startsWith("https:") ? "secureConnect" : "connect", clock);
		sent.end(body);
	});
}

/** Ends a request whose connection is not there in time, and has the system notice when its other end is gone. */
function watchConnection(sent: ClientRequest, connected: string, clock: Clock): void {
	const timer = clock.setTimer(connectMs, () => {
		sent.destroy(new Error(`no connection within ${connectMs / 1_000} s`));
	});
	sent.once("close", () => timer.dispose());
	sent.once("socket", socket => {
		socket.setKeepAlive(true, keepAliveMs);
		socket.once(connected, () => timer.dispose());
	});
}
