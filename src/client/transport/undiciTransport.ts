import { Agent, type buildConnector, type Dispatcher } from "undici";
import { AbortError, toError } from "../../common/errors.ts";
import { BodyQueue } from "./bodyQueue.ts";
import { inflate } from "./inflate.ts";
import type {
	HostLookup,
	StreamedBody,
	Transport,
	TransportRequest,
	TransportResponse,
} from "./transport.ts";

/** How long connecting, TLS included, may take, in milliseconds. docs/faults.md. */
const connectTimeoutMs = 10_000;

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Makes the direct way out to the network. Ignores proxies and the editor's settings. */
export function createUndiciTransport(
	options: { connectTimeoutMs?: number; lookup?: HostLookup } = {},
): Transport {
	const agent = new Agent({
		connect: {
			timeout: options.connectTimeoutMs ?? connectTimeoutMs,
			...(options.lookup ? { lookup: connectorLookup(options.lookup) } : {}),
		},
		// Waiting is timed by the caller, who owns the clock.
		headersTimeout: 0,
		bodyTimeout: 0,
		// Closes every connection after its answer.
		pipelining: 0,
		allowH2: false,
	});
	return request =>
		new Promise((resolve, reject) => {
			if (request.signal.aborted) {
				reject(new AbortError());
				return;
			}
			agent.dispatch(dispatchOptions(request), exchangeHandler(request.signal, resolve, reject));
		});
}

/** Connects one undici exchange to a promise of its head and a queue of its body. */
function exchangeHandler(
	signal: AbortSignal,
	resolve: (response: TransportResponse) => void,
	reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
	let controller: Dispatcher.DispatchController | undefined;
	const stop = (): void => {
		const reason = new AbortError();
		reject(reason);
		queue.fail(reason);
		controller?.abort(reason);
	};
	const queue = new BodyQueue({
		pause: () => controller?.pause(),
		resume: () => controller?.resume(),
		cancel: stop,
	});
	const finish = (): void => signal.removeEventListener("abort", stop);
	signal.addEventListener("abort", stop, { once: true });
	return {
		onRequestStart: started => {
			controller = started;
			if (signal.aborted) {
				started.abort(new AbortError());
			}
		},
		onResponseStart: (_controller, status, headers) => {
			// 1xx answers only announce the real one.
			if (status >= 200) {
				resolve(toResponse(status, headers, queue));
			}
		},
		onResponseData: (_controller, chunk) => queue.push(chunk),
		onResponseEnd: () => {
			finish();
			queue.end();
		},
		onResponseError: (_controller, error) => {
			finish();
			reject(error);
			queue.fail(error);
		},
	};
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
		body: asUndiciBody(body),
	};
}

type ConnectorLookup = NonNullable<
	Extract<buildConnector.BuildOptions, { port: number; lookup?: unknown }>["lookup"]
>;

/** Node asks for one address or for all of them. */
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

/** The one body type of undici's that is an async iterable; undici itself sends any. */
type UndiciBody = Extract<Dispatcher.DispatchOptions["body"], AsyncIterable<unknown>>;

function asUndiciBody(body: StreamedBody): UndiciBody {
	const iterable: AsyncIterable<Uint8Array> = {
		[Symbol.asyncIterator]: () => body.chunks[Symbol.asyncIterator](),
	};
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents async iterables; its types lack them
	return iterable as UndiciBody;
}
