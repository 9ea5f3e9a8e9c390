import { type Clock, systemClock } from "../common/async.ts";
import { type Log, silentLog } from "../common/log.ts";
import { totalMs } from "./contract/assumptions.ts";
import { ServiceError } from "./contract/errors.ts";
import { withoutKey } from "./request/redact.ts";
import { BrokenBodyError, type ResponseStream, startExchange } from "./request/request.ts";
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
export class Download {
	private readonly exchange: ResponseStream;

	/** Asks once for bytes. Repeats nothing. Throws `ServiceError` or `AbortError`. Rows J12, J15, J16. */
	static async open(request: DownloadRequest): Promise<Download> {
		const { url, connection, signal } = request;
		const dependencies = { clock: request.clock ?? systemClock, log: request.log ?? silentLog };
		try {
			const exchange = await startExchange(
				dependencies,
				{
					transport: checkedTransportFor(url, connection.network, request.lookup),
					method: "GET",
					url,
					headers: headersOf(request),
					totalMs: totalMs.download,
				},
				{ signal },
			);
			return new Download(exchange);
		} catch (error) {
			throw error instanceof ServiceError ? withoutKey(error, connection.apiKey) : error;
		}
	}

	private constructor(exchange: ResponseStream) {
		this.exchange = exchange;
	}

	get status(): number {
		return this.exchange.status;
	}

	/** Host the request went to. */
	get host(): string {
		return this.exchange.host;
	}

	header(name: string): string | undefined {
		return this.exchange.header(name);
	}

	/** The next bytes, or nothing at the end. Throws `ServiceError` or `AbortError`. */
	async read(): Promise<Uint8Array | undefined> {
		try {
			return await this.exchange.read();
		} catch (error) {
			const { status, host } = this;
			throw error instanceof BrokenBodyError
				? new ServiceError("interrupted", { charge: "refused", status, host, cause: error })
				: error;
		}
	}

	close(): void {
		this.exchange.close();
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
