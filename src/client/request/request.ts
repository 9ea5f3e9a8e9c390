import { isHouseHost } from "../../common/publicAddress.ts";
import * as l10n from "@vscode/l10n";
import type { Clock } from "../../common/async.ts";
import { AbortError, isAbortError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	ServiceError,
	type ServiceErrorDetails,
	type ServiceErrorKind,
} from "../contract/serviceError.ts";
import { detailsHeader } from "../contract/schemas.ts";
import type { CallOptions, Connection } from "../contract/serviceClient.ts";
import { transportFor } from "../transport/fetchTransport.ts";
import {
	isLoopbackHost,
	type StreamedBody,
	type Transport,
	type TransportResponse,
	UnknownCodingError,
} from "../transport/transport.ts";
import { httpFailure } from "./httpFailure.ts";
import { describeThrown, networkFailure } from "./networkFailure.ts";
import { retryHint } from "./retryAfter.ts";
import { WaitWatch } from "./waitWatch.ts";

/** How long to wait for the first byte of a response, in milliseconds. Local models load slowly. docs/faults.md. */
const firstByteMs = { remote: 120_000, loopback: 300_000 } as const;

/** The most bytes to read of an error response. docs/faults.md. */
const maxErrorBodyBytes = 64 * 1024;

export interface RequestDependencies {
	readonly clock: Clock;
	readonly log: Log;
}

/** A request relative to the base URL. */
export interface ServiceRequest {
	readonly method: "GET" | "POST";
	/** Path below the base URL; starts with `/v1`. */
	readonly path: string;
	readonly accept: string;
	readonly contentType?: string;
	readonly body?: string | StreamedBody;
	/** Time limit of the whole exchange in milliseconds. Streams have none. */
	readonly totalMs?: number;
	readonly asksForDetails?: true;
}

/** A response with a 2xx status and an unread body. Call `close` when done. */
export interface ResponseStream {
	readonly status: number;
	readonly host: string;
	header(name: string): string | undefined;
	/**
	 * Returns the next bytes, or undefined at a clean end. Throws `AbortError`, `ServiceError` of kind `stalled` or, for an unknown encoding,
	 * `unreadable`, or `BrokenBodyError` if the connection or its encoding broke.
	 */
	read(): Promise<Uint8Array | undefined>;
	/** Marks the bytes just read as visible content. */
	noteContent(): void;
	/** Closes the connection unless the response was read to its end. */
	close(): void;
}

/** The body of a response was interrupted. The meaning depends on what has arrived. docs/faults.md. */
export class BrokenBodyError extends Error {
	override readonly name = "BrokenBodyError";
}

/** Creates the failure of an interrupted response, which may have been processed. */
export function interrupted(exchange: ResponseStream, cause: BrokenBodyError): ServiceError {
	return failure("interrupted", exchange, { cause });
}

/** Creates the failure of a response, whose request may have been charged unless the details say otherwise. */
export function failure(
	kind: ServiceErrorKind,
	{ status, host }: Pick<ResponseStream, "status" | "host">,
	details: Partial<ServiceErrorDetails> = {},
): ServiceError {
	return new ServiceError(kind, { charge: "unknown", status, host, ...details });
}

/** A request with its URL and transport. */
export interface AddressedRequest extends Pick<ServiceRequest, "method" | "body" | "totalMs"> {
	readonly transport: Promise<Transport>;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request once and waits for the headers. Throws `ServiceError`, also for other statuses than 2xx, or `AbortError`. */
export async function openExchange(
	dependencies: RequestDependencies,
	connection: Connection,
	request: ServiceRequest,
	options: CallOptions,
): Promise<ResponseStream> {
	const url = serviceUrl(connection, request.path);
	const addressed: AddressedRequest = {
		...request,
		transport: transportFor(url, connection.network),
		url,
		headers: requestHeaders(connection, { ...options, ...request }),
	};
	const exchange = await startExchange(dependencies, addressed, options);
	if (exchange.status >= 200 && exchange.status < 300) {
		return exchange;
	}
	try {
		throw await readFailure(dependencies, exchange, url, connection.hasDetails === true);
	} finally {
		exchange.close();
	}
}

/** Sends a request once and waits for the response headers of any status. Throws `ServiceError` or `AbortError`. docs/faults.md. */
export async function startExchange(
	dependencies: RequestDependencies,
	request: AddressedRequest,
	options: CallOptions,
): Promise<ResponseStream> {
	const { url, body, totalMs } = request;
	const aborter = new RequestAborter(options.signal);
	let isAnswered = false;
	const watch = new WaitWatch({
		clock: dependencies.clock,
		firstByteMs: isLoopbackHost(url.hostname) ? firstByteMs.loopback : firstByteMs.remote,
		onNotice: notice => options.onNotice?.(notice),
		onGivenUp: () => aborter.abort(givenUp(isAnswered, url.host)),
	});
	const deadline =
		totalMs === undefined
			? undefined
			: dependencies.clock.setTimer(totalMs, () => aborter.abort(givenUp(isAnswered, url.host)));
	const close = (): void => {
		deadline?.dispose();
		watch.dispose();
		aborter.abort(new AbortError());
		aborter.release();
	};
	try {
		const transport = await request.transport;
		const response = await transport({
			method: request.method,
			url,
			headers: request.headers,
			signal: aborter.signal,
			...(body === undefined ? {} : { body: watchedBody(body, watch) }),
		});
		isAnswered = true;
		watch.arrived();
		dependencies.log.debug("An answer began", { method: request.method, status: response.status });
		return new OpenExchange(response, url.host, { aborter, watch, close });
	} catch (error) {
		const failure = aborter.reason ?? asFailure(error, url.host);
		close();
		throw failure;
	}
}

/** Reads a body as UTF-8 text. Throws `answerTooLarge` above `maxBytes`. */
export async function readText(exchange: ResponseStream, maxBytes: number): Promise<string> {
	const decoder = new TextDecoder();
	const parts: string[] = [];
	let bytes = 0;
	for (let chunk = await exchange.read(); chunk; chunk = await exchange.read()) {
		bytes += chunk.byteLength;
		if (bytes > maxBytes) {
			throw failure("answerTooLarge", exchange);
		}
		parts.push(decoder.decode(chunk, { stream: true }));
	}
	parts.push(decoder.decode());
	return parts.join("");
}

/** A response that is read once, with its time limits. */
class OpenExchange implements ResponseStream {
	readonly status: number;
	readonly host: string;
	private readonly response: TransportResponse;
	private readonly ending: ExchangeEnding;
	private readonly chunks: AsyncIterator<Uint8Array>;

	constructor(response: TransportResponse, host: string, ending: ExchangeEnding) {
		this.status = response.status;
		this.host = host;
		this.response = response;
		this.ending = ending;
		this.chunks = response.body[Symbol.asyncIterator]();
	}

	header(name: string): string | undefined {
		return this.response.header(name);
	}

	async read(): Promise<Uint8Array | undefined> {
		const { aborter, watch } = this.ending;
		if (aborter.reason) {
			throw aborter.reason;
		}
		watch.waiting();
		try {
			const result = await this.chunks.next();
			watch.arrived();
			return result.done ? undefined : result.value;
		} catch (error) {
			throw aborter.reason ?? brokenBody(error, this);
		}
	}

	noteContent(): void {
		this.ending.watch.content();
	}

	close(): void {
		this.ending.close();
	}
}

interface ExchangeEnding {
	readonly aborter: RequestAborter;
	readonly watch: WaitWatch;
	readonly close: () => void;
}

function brokenBody(error: unknown, exchange: ResponseStream): Error {
	return error instanceof UnknownCodingError
		? failure("unreadable", exchange, { detail: error.message })
		: new BrokenBodyError(describeThrown(error));
}

/** Reads an error response as far as possible, ignoring an interruption. */
async function readFailure(
	dependencies: RequestDependencies,
	exchange: ResponseStream,
	url: URL,
	isLocal: boolean,
): Promise<ServiceError> {
	const body = await readErrorBody(exchange);
	const { status } = exchange;
	const headerOf = (name: string): string | undefined => exchange.header(name);
	const retryAfterMs = retryHint(status, headerOf, body, dependencies.clock.now());
	return httpFailure({
		status,
		contentType: exchange.header("content-type"),
		body,
		host: exchange.host,
		retryAfterMs,
		location: exchange.header("location"),
		url,
		isLocal,
	});
}

async function readErrorBody(exchange: ResponseStream): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	let bytes = 0;
	try {
		for (let chunk = await exchange.read(); chunk; chunk = await exchange.read()) {
			const kept = chunk.subarray(0, maxErrorBodyBytes - bytes);
			text += decoder.decode(kept, { stream: true });
			bytes += kept.byteLength;
			if (bytes >= maxErrorBodyBytes) {
				break;
			}
		}
	} catch (error) {
		if (isAbortError(error)) {
			throw error;
		}
	}
	return text;
}

function watchedBody(body: string | StreamedBody, watch: WaitWatch): string | StreamedBody {
	if (typeof body === "string") {
		return body;
	}
	async function* chunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const chunk of source) {
			watch.waiting();
			yield chunk;
		}
		watch.waiting();
	}
	return { length: body.length, chunks: chunks(body.chunks) };
}

function givenUp(isAnswered: boolean, host: string): ServiceError {
	return new ServiceError(isAnswered ? "stalled" : "noAnswer", { charge: "unknown", host });
}

function asFailure(error: unknown, host: string): Error {
	if (isAbortError(error)) {
		return new AbortError();
	}
	const { kind, ...facts } = networkFailure(error);
	return new ServiceError(kind, { ...facts, host, cause: new Error(describeThrown(error)) });
}

/** Aborts a request and keeps the reason. */
class RequestAborter {
	private readonly outer: AbortSignal | undefined;
	private readonly controller = new AbortController();
	private abortReason: Error | undefined;
	readonly signal: AbortSignal;
	private readonly onAbort = (): void => this.abort(new AbortError());

	constructor(outer: AbortSignal | undefined) {
		this.outer = outer;
		outer?.addEventListener("abort", this.onAbort, { once: true });
		if (outer?.aborted) {
			this.onAbort();
		}
		this.signal = this.controller.signal;
	}

	get reason(): Error | undefined {
		return this.abortReason;
	}

	abort(why: Error): void {
		this.abortReason ??= why;
		this.controller.abort(this.abortReason);
	}

	release(): void {
		this.outer?.removeEventListener("abort", this.onAbort);
	}
}

/**
 * Returns the URL of a service function, always on the base URL's origin, so that the key can't be sent elsewhere (docs/security.md). Throws
 * `ServiceError`: `invalidRequest` for an invalid URL, `tls` for plain http to another machine that the user hasn't allowed.
 */
export function serviceUrl(
	{ baseUrl, isPlainAllowed }: Pick<Connection, "baseUrl" | "isPlainAllowed">,
	path: string,
): URL {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
		throw refused(l10n.t("Invalid address"));
	}
	const isNear =
		isLoopbackHost(url.hostname) || (isPlainAllowed === true && isHouseHost(url.hostname));
	if (url.protocol === "http:" && !isNear) {
		throw new ServiceError("tls", { charge: "notSent", host: url.host });
	}
	url.search = "";
	url.hash = "";
	url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
	return url;
}

/** A header name (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that can't carry the key, because the request uses them. */
const ownNames = new Set([
	"accept",
	"accept-encoding",
	"connection",
	"content-length",
	"content-type",
	"expect",
	"host",
	"keep-alive",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/** Creates the headers, with the key if there is one. Throws `invalidRequest` for an invalid one, without repeating the key. */
export function requestHeaders(
	connection: Pick<Connection, "apiKey" | "auth" | "hasDetails">,
	request: {
		readonly accept: string;
		readonly contentType?: string;
		readonly asksForDetails?: true;
		readonly conversation?: string;
	},
): Record<string, string> {
	const headers: Record<string, string> = {
		accept: request.accept,
		// Compression would delay streamed text.
		"accept-encoding": "identity",
		...(request.contentType === undefined ? {} : { "content-type": request.contentType }),
		...(connection.hasDetails && request.asksForDetails
			? { [detailsHeader]: encodeURIComponent(request.conversation?.toWellFormed() ?? "") }
			: {}),
	};
	return connection.apiKey
		? { ...headers, ...keyHeader(connection.auth, connection.apiKey) }
		: headers;
}

function keyHeader(auth: Connection["auth"], apiKey: string): Record<string, string> {
	const name = auth.header.toLowerCase();
	const value = `${auth.scheme} ${apiKey}`.trim();
	if (!token.test(name) || ownNames.has(name) || !/^[\x20-\x7e]+$/.test(value)) {
		throw refused(l10n.t("the header for the key isn't valid"));
	}
	return { [name]: value };
}

function refused(detail: string): ServiceError {
	return new ServiceError("invalidRequest", { charge: "notSent", detail });
}
