import { type Clock, systemClock } from "../common/async.ts";
import { type Log, silentLog } from "../common/log.ts";
import { ServiceError } from "./contract/errors.ts";
import { withoutKey } from "./request/redact.ts";
import { BrokenBodyError, startExchange } from "./request/request.ts";
import { requestHeaders } from "./request/requestHeaders.ts";
import type { Connection } from "./contract/serviceClient.ts";
import { checkedTransportFor } from "./transport/lazyTransport.ts";
import type { HostLookup } from "./transport/transport.ts";

/** Bytes to fetch from an address that the service named, such as a finished video's. */
export interface DownloadRequest {
	/** An http(s) address that the caller has found fit to be fetched. */
	readonly url: URL;
	/** The service that named it. Its key is sent only when the address is of the service's own origin (threat T6). */
	readonly connection: Connection;
	/** Finds the host where Cutaway connects by itself (threat T27). */
	readonly lookup: HostLookup;
	readonly signal: AbortSignal;
	readonly clock?: Clock;
	readonly log?: Log;
}

/** An answer whose status the caller judges, redirects included; none is followed. `close` must be called when done. */
export interface Download {
	readonly status: number;
	/** Host the request went to. */
	readonly host: string;
	header(name: string): string | undefined;
	/** The next bytes, or nothing at the end. Throws `ServiceError` or `AbortError`. */
	read(): Promise<Uint8Array | undefined>;
	close(): void;
}

/** Asks once for bytes. Repeats nothing. Throws `ServiceError` or `AbortError`. Rows J12, J15, J16. */
export async function openDownload(request: DownloadRequest): Promise<Download> {
	const { url, connection, signal } = request;
	const context = { clock: request.clock ?? systemClock, log: request.log ?? silentLog };
	try {
		const exchange = await startExchange(
			context,
			{
				transport: checkedTransportFor(url, connection.network, request.lookup),
				method: "GET",
				url,
				headers: headersOf(request),
			},
			{ signal },
		);
		const { status, host, header, close } = exchange;
		const read = async (): Promise<Uint8Array | undefined> => {
			try {
				return await exchange.read();
			} catch (error) {
				throw error instanceof BrokenBodyError
					? new ServiceError("interrupted", { charge: "refused", status, host, cause: error })
					: error;
			}
		};
		return { status, host, header, read, close };
	} catch (error) {
		throw error instanceof ServiceError ? withoutKey(error, connection.apiKey) : error;
	}
}

function headersOf({ url, connection }: DownloadRequest): Record<string, string> {
	const isOwnOrigin =
		URL.canParse(connection.baseUrl) && new URL(connection.baseUrl).origin === url.origin;
	const { apiKey, ...withoutApiKey } = connection;
	return requestHeaders(
		isOwnOrigin ? { ...withoutApiKey, ...(apiKey ? { apiKey } : {}) } : withoutApiKey,
		{
			accept: "video/*, */*;q=0.5",
		},
	);
}
