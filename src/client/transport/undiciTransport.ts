import { Readable } from "node:stream";
import { Agent, type buildConnector, type Dispatcher } from "undici";
import { AbortError, toError } from "../../common/errors.ts";
import { inflate } from "./inflate.ts";
import type { HostLookup, Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** Time limit for connecting, including TLS, in milliseconds. docs/faults.md. */
const connectTimeoutMs = 10_000;

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Creates a direct transport. Ignores proxies and the editor's settings. It has a handler of its own, because
 * undici's `fetch` repeats a POST after status 421, which may cost money, hides a 407, and refuses ports such as 6000 (undici 8.12).
 */
export function createUndiciTransport(
	options: { connectTimeoutMs?: number; lookup?: HostLookup } = {},
): Transport {
	const agent = new Agent({
		connect: {
			timeout: options.connectTimeoutMs ?? connectTimeoutMs,
			...(options.lookup ? { lookup: connectorLookup(options.lookup) } : {}),
		},
		// The caller's clock limits the waiting time.
		headersTimeout: 0,
		bodyTimeout: 0,
		// Closes every connection after its response.
		pipelining: 0,
		allowH2: false,
	});
	return request =>
		new Promise((resolve, reject) => {
			if (request.signal.aborted) {
				reject(new AbortError());
				return;
			}
			agent.dispatch(
				dispatchOptions(request),
				new ExchangeHandler(request.signal, resolve, reject),
			);
		});
}

/** Number of buffered bytes above which the sender is paused until they are read. */
const pauseAboveBytes = 256 * 1024;

/** Converts undici's callbacks for a request to a promise of the headers and a stream of the body. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
	private readonly signal: AbortSignal;
	private readonly resolve: (response: TransportResponse) => void;
	private readonly reject: (error: unknown) => void;
	private controller: Dispatcher.DispatchController | undefined;
	private failure: Error | undefined;
	/** A read gets all bytes since the last one at once, because services that flush every frame cause thousands of tiny chunks. */
	private readonly body = new Readable({
		highWaterMark: pauseAboveBytes,
		read: () => this.controller?.resume(),
		// The reader gets the errors.
	}).on("error", () => undefined);
	private readonly stop = (): void => {
		const reason = new AbortError();
		this.reject(reason);
		this.body.destroy(reason);
		this.controller?.abort(reason);
	};

	constructor(
		signal: AbortSignal,
		resolve: (response: TransportResponse) => void,
		reject: (error: unknown) => void,
	) {
		this.signal = signal;
		this.resolve = resolve;
		this.reject = reject;
		signal.addEventListener("abort", this.stop, { once: true });
	}

	onRequestStart(started: Dispatcher.DispatchController): void {
		this.controller = started;
		if (this.signal.aborted) {
			started.abort(new AbortError());
		}
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: IncomingHeaders,
	): void {
		// 1xx responses precede the final response.
		if (status >= 200) {
			this.resolve(toResponse(status, headers, { [Symbol.asyncIterator]: () => this.read() }));
		}
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (!this.body.push(chunk)) {
			controller.pause();
		}
	}

	onResponseEnd(): void {
		this.end();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.reject(error);
		this.failure = error;
		this.end();
	}

	/** Ends the body. Destroying it with the error instead would lose what nobody has read yet. */
	private end(): void {
		this.signal.removeEventListener("abort", this.stop);
		this.body.push(null);
	}

	private read(): AsyncIterator<Uint8Array, undefined> {
		const chunks: AsyncIterator<Uint8Array, undefined> = this.body[Symbol.asyncIterator]();
		return {
			next: async () => {
				const result = await chunks.next();
				if (result.done && this.failure) {
					throw this.failure;
				}
				return result;
			},
			return: async () => {
				if (!this.body.readableEnded) {
					this.stop();
				}
				return { done: true, value: undefined };
			},
		};
	}
}

function toResponse(
	status: number,
	headers: IncomingHeaders,
	body: AsyncIterable<Uint8Array>,
): TransportResponse {
	const header = (name: string): string | undefined => {
		const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
		return Array.isArray(value) ? value.join(", ") : value;
	};
	return { status, header, body: inflate(body, header("content-encoding")) };
}

function dispatchOptions(request: TransportRequest): Dispatcher.DispatchOptions {
	const { url, method, headers, body } = request;
	const target = { origin: url.origin, path: url.pathname + url.search, method };
	if (body === undefined || typeof body === "string") {
		return { ...target, headers, body: body ?? null };
	}
	return {
		...target,
		headers: { ...headers, "content-length": String(body.length) },
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents async iterables; its types lack them
		body: body.chunks as UndiciBody,
	};
}

type ConnectorLookup = NonNullable<
	Extract<buildConnector.BuildOptions, { port: number; lookup?: unknown }>["lookup"]
>;

/** Node asks for one address or for all. */
function connectorLookup(lookup: HostLookup): ConnectorLookup {
	return (hostname, { all }, callback) => {
		const answer = async (): Promise<void> => {
			try {
				const found = await lookup(hostname);
				const [first] = found;
				if (!first) {
					throw Object.assign(new Error("No address"), { code: "ENOTFOUND" });
				}
				if (all) {
					callback(null, [...found]);
				} else {
					callback(null, first.address, first.family);
				}
			} catch (error) {
				callback(toError(error), "", 0);
			}
		};
		void answer();
	};
}

/** The only async iterable in undici's body types, although undici accepts any. */
type UndiciBody = Extract<Dispatcher.DispatchOptions["body"], AsyncIterable<unknown>>;
