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

/** Converts undici's callbacks for a request to a promise of the headers and a queue of the body. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
	private readonly signal: AbortSignal;
	private readonly resolve: (response: TransportResponse) => void;
	private readonly reject: (error: unknown) => void;
	private controller: Dispatcher.DispatchController | undefined;
	private readonly queue = new BodyQueue({
		pause: () => this.controller?.pause(),
		resume: () => this.controller?.resume(),
		cancel: () => this.stop(),
	});
	private readonly stop = (): void => {
		const reason = new AbortError();
		this.reject(reason);
		this.queue.fail(reason);
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
			this.resolve(toResponse(status, headers, this.queue));
		}
	}

	onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.queue.push(chunk);
	}

	onResponseEnd(): void {
		this.finish();
		this.queue.end();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.finish();
		this.reject(error);
		this.queue.fail(error);
	}

	private finish(): void {
		this.signal.removeEventListener("abort", this.stop);
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

/** Number of buffered bytes above which the sender is paused until they are read. */
const pauseAboveBytes = 256 * 1024;

/** Flow control for the sender of a body. */
interface BodySource {
	pause(): void;
	resume(): void;
	/** The reader needs no more of the body. */
	cancel(): void;
}

/**
 * Buffers a body between a network that pushes and a single reader that pulls. The reader gets all bytes received since its last read as one chunk,
 * because services that flush every frame cause thousands of tiny chunks.
 */
class BodyQueue implements AsyncIterable<Uint8Array> {
	private readonly source: BodySource;
	private chunks: Uint8Array[] = [];
	private waitingBytes = 0;
	private isPaused = false;
	private ending: { readonly error?: unknown } | undefined;
	private wake: (() => void) | undefined;

	constructor(source: BodySource) {
		this.source = source;
	}

	[Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
		return { next: () => this.next(), return: () => this.cancel() };
	}

	push(chunk: Uint8Array): void {
		this.chunks.push(chunk);
		this.waitingBytes += chunk.byteLength;
		if (this.waitingBytes > pauseAboveBytes && !this.isPaused) {
			this.isPaused = true;
			this.source.pause();
		}
		this.wakeReader();
	}

	end(): void {
		this.ending ??= {};
		this.wakeReader();
	}

	/** Buffered chunks are delivered first; then the read rejects with `error`. */
	fail(error: unknown): void {
		this.ending ??= { error };
		this.wakeReader();
	}

	private async next(): Promise<IteratorResult<Uint8Array, undefined>> {
		while (this.waitingBytes === 0 && !this.ending) {
			await new Promise<void>(resolve => {
				this.wake = resolve;
			});
		}
		if (this.waitingBytes > 0) {
			return { done: false, value: this.take() };
		}
		if (this.ending && "error" in this.ending) {
			throw this.ending.error;
		}
		return { done: true, value: undefined };
	}

	private cancel(): Promise<IteratorResult<Uint8Array, undefined>> {
		if (!this.ending) {
			this.source.cancel();
		}
		return Promise.resolve({ done: true, value: undefined });
	}

	private take(): Uint8Array {
		const [first, ...others] = this.chunks;
		const joined =
			first && others.length === 0 ? first : Buffer.concat(this.chunks, this.waitingBytes);
		this.chunks = [];
		this.waitingBytes = 0;
		if (this.isPaused) {
			this.isPaused = false;
			this.source.resume();
		}
		return joined;
	}

	private wakeReader(): void {
		this.wake?.();
		this.wake = undefined;
	}
}
