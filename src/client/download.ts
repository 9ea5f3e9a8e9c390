import { type Clock, systemClock } from "../common/async.ts";
import { type Log, silentLog } from "../common/log.ts";
import { ServiceError } from "./contract/serviceError.ts";
import { totalMs } from "./contract/schemas.ts";
import type { Connection } from "./contract/serviceClient.ts";
import { withoutKey } from "./request/redact.ts";
import {
	BrokenBodyError,
	requestHeaders,
	type ResponseStream,
	startExchange,
} from "./request/request.ts";
import { checkedTransportFor } from "./transport/fetchTransport.ts";
import type { HostLookup } from "./transport/transport.ts";

/** A download from a URL that the service provided, such as a finished video's. */
export interface DownloadRequest {
	/** An http(s) URL that the caller has approved. */
	readonly url: URL;
	/** The service that provided it. Its key is sent only if the URL has the service's own origin (docs/security.md). */
	readonly connection: Connection;
	/** Resolves the host if Cutaway connects directly (docs/security.md). */
	readonly lookup: HostLookup;
	readonly signal: AbortSignal;
	readonly clock?: Clock;
	readonly log?: Log;
}

/** A response of any status, including redirects, which aren't followed. Call `close` when done. */
export class Download {
	private readonly exchange: ResponseStream;

	/** Sends one request without retries. Throws `ServiceError` or `AbortError`. */
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

	get host(): string {
		return this.exchange.host;
	}

	header(name: string): string | undefined {
		return this.exchange.header(name);
	}

	/** Returns the next bytes, or undefined at the end. Throws `ServiceError` or `AbortError`. */
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
	const accept = "video/*, */*;q=0.5";
	return requestHeaders(isOwnOrigin && apiKey ? connection : withoutApiKey, { accept });
}
