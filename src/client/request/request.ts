import type { Clock } from "../../common/async.ts";
import { AbortError, isAbortError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { ServiceError } from "../contract/errors.ts";
import { httpFailure } from "./httpFailure.ts";
import { describeThrown, failureOf } from "./networkFailure.ts";
import { parseRetryAfter } from "./retryAfter.ts";
import { requestHeaders } from "./requestHeaders.ts";
import type { CallOptions, Connection } from "../contract/serviceClient.ts";
import { serviceUrl } from "./serviceUrl.ts";
import { isLoopbackHost } from "../transport/chooseTransport.ts";
import { transportFor } from "../transport/lazyTransport.ts";
import {
	type StreamedBody,
	type Transport,
	type TransportResponse,
	UnknownCodingError,
} from "../transport/transport.ts";
import { WaitWatch } from "./waitWatch.ts";

/** How long the first byte of an answer may take, in milliseconds; models on this machine load slowly. docs/faults.md. */
const firstByteMs = { remote: 120_000, loopback: 300_000 } as const;

/** The most bytes read of an answer that is an error. docs/faults.md. */
const maxErrorBodyBytes = 64 * 1024;

/** What a request needs from its surroundings. */
export interface RequestContext {
	readonly clock: Clock;
	readonly log: Log;
}

/** A request before it has an address. */
export interface ServiceRequest {
	readonly method: "GET" | "POST";
	/** Path below the base address, beginning with `/v1`. */
	readonly path: string;
	readonly accept: string;
	readonly contentType?: string;
	readonly body?: string | StreamedBody;
	/** Milliseconds after which the whole exchange is given up, however slowly it goes on; streams have none. */
	readonly totalMs?: number;
}

/** An answer with a 2xx status, its body unread. `close` must be called when done with it. */
export interface Exchange {
	readonly status: number;
	/** Host the request went to. */
	readonly host: string;
	header(name: string): string | undefined;
	/**
	 * The next bytes, or nothing at a clean end. Throws `AbortError`, `ServiceError` of kind `stalled` (rows S21, S26) or
	 * `unreadable` (row H19, an unknown coding), or `BrokenBodyError` when the connection or its coding broke.
	 */
	read(): Promise<Uint8Array | undefined>;
	/** Says that what was read held something for the user (row S22). */
	noteContent(): void;
	/** Closes the connection unless the answer was read to its end. */
	close(): void;
}

/** The body of an answer broke off; what it means depends on what had come. Rows S1–S4, H19. */
export class BrokenBodyError extends Error {
	override readonly name = "BrokenBodyError";
}

/** An answer that broke off before its end, which says nothing about what the service did. Rows S2, S3, H19. */
export function interrupted(exchange: Exchange, cause: BrokenBodyError): ServiceError {
	const { status, host } = exchange;
	return new ServiceError("interrupted", { charge: "unknown", status, host, cause });
}

/** One request's ending from this side: why it was given up, once it was. */
interface RequestAborter {
	readonly signal: AbortSignal;
	readonly reason: Error | undefined;
	abort(reason: Error): void;
	release(): void;
}

/** A request with its whole address and the way it goes. */
export interface AddressedRequest {
	readonly transport: Promise<Transport>;
	readonly method: "GET" | "POST";
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | StreamedBody;
	readonly totalMs?: number;
}

/**
 * Sends one request once and waits for the head of its answer. Anything but a 2xx status is thrown. Throws `ServiceError`
 * or `AbortError`. Rows N1–N10, H1–H13.
 */
export async function openExchange(
	context: RequestContext,
	connection: Connection,
	request: ServiceRequest,
	options: CallOptions,
): Promise<Exchange> {
	const url = serviceUrl(connection.baseUrl, request.path);
	const addressed: AddressedRequest = {
		transport: transportFor(url, connection.network),
		method: request.method,
		url,
		headers: requestHeaders(connection, request),
		...(request.body === undefined ? {} : { body: request.body }),
		...(request.totalMs === undefined ? {} : { totalMs: request.totalMs }),
	};
	const exchange = await startExchange(context, addressed, options);
	if (exchange.status >= 200 && exchange.status < 300) {
		return exchange;
	}
	try {
		throw await readFailure(context, exchange, url);
	} finally {
		exchange.close();
	}
}

/**
 * Sends one request once and waits for the head of its answer, whatever its status. Throws `ServiceError` or `AbortError`.
 * Rows N1–N8.
 */
export async function startExchange(
	context: RequestContext,
	request: AddressedRequest,
	options: CallOptions,
): Promise<Exchange> {
	const { url, body, totalMs } = request;
	const leash = createLeash(options.signal);
	let isAnswered = false;
	const watch = new WaitWatch({
		clock: context.clock,
		firstByteMs: isLoopbackHost(url.hostname) ? firstByteMs.loopback : firstByteMs.remote,
		onNotice: notice => options.onNotice?.(notice),
		onGivenUp: () => leash.abort(givenUp(isAnswered, url.host)),
	});
	const deadline =
		totalMs === undefined
			? undefined
			: context.clock.setTimer(totalMs, () => leash.abort(givenUp(isAnswered, url.host)));
	const close = (): void => {
		deadline?.dispose();
		watch.dispose();
		leash.abort(new AbortError());
		leash.release();
	};
	try {
		const transport = await request.transport;
		const response = await transport({
			method: request.method,
			url,
			headers: request.headers,
			signal: leash.signal,
			...(body === undefined ? {} : { body: watchedBody(body, watch) }),
		});
		isAnswered = true;
		watch.arrived();
		context.log.debug("An answer began", { method: request.method, status: response.status });
		return toExchange(response, url.host, { leash, watch, close });
	} catch (error) {
		const failure = leash.reason ?? asFailure(error, url.host);
		close();
		throw failure;
	}
}

/** Reads a body to its end as UTF-8 text. More than `maxBytes` throws `answerTooLarge` (row H20). */
export async function readText(exchange: Exchange, maxBytes: number): Promise<string> {
	const decoder = new TextDecoder();
	const parts: string[] = [];
	let bytes = 0;
	for (let chunk = await exchange.read(); chunk; chunk = await exchange.read()) {
		bytes += chunk.byteLength;
		if (bytes > maxBytes) {
			throw new ServiceError("answerTooLarge", {
				charge: "unknown",
				status: exchange.status,
				host: exchange.host,
			});
		}
		parts.push(decoder.decode(chunk, { stream: true }));
	}
	parts.push(decoder.decode());
	return parts.join("");
}

function toExchange(
	response: TransportResponse,
	host: string,
	{ leash, watch, close }: { leash: RequestAborter; watch: WaitWatch; close: () => void },
): Exchange {
	const chunks = response.body[Symbol.asyncIterator]();
	const read = async (): Promise<Uint8Array | undefined> => {
		if (leash.reason) {
			throw leash.reason;
		}
		watch.waiting();
		try {
			const result = await chunks.next();
			watch.arrived();
			return result.done ? undefined : result.value;
		} catch (error) {
			throw leash.reason ?? brokenBody(error, response.status, host);
		}
	};
	return {
		status: response.status,
		host,
		header: response.header,
		read,
		noteContent: () => watch.content(),
		close,
	};
}

function brokenBody(error: unknown, status: number, host: string): Error {
	return error instanceof UnknownCodingError
		? new ServiceError("unreadable", { charge: "unknown", status, host, detail: error.message })
		: new BrokenBodyError(describeThrown(error));
}

/** A refusing answer's body is read as far as it helps; that it broke off changes nothing. */
async function readFailure(
	context: RequestContext,
	exchange: Exchange,
	url: URL,
): Promise<ServiceError> {
	const retryAfterMs = parseRetryAfter(exchange.header("retry-after"), context.clock.now());
	return httpFailure({
		status: exchange.status,
		contentType: exchange.header("content-type"),
		body: await readBeginning(exchange),
		host: exchange.host,
		retryAfterMs,
		location: exchange.header("location"),
		url,
	});
}

async function readBeginning(exchange: Exchange): Promise<string> {
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
	const { kind, charge, detail } = failureOf(error);
	const cause = new Error(describeThrown(error));
	return new ServiceError(kind, {
		charge,
		host,
		cause,
		...(detail === undefined ? {} : { detail }),
	});
}

function createLeash(outer: AbortSignal | undefined): RequestAborter {
	const controller = new AbortController();
	let reason: Error | undefined;
	const pull = (why: Error): void => {
		reason ??= why;
		controller.abort(reason);
	};
	const onAbort = (): void => pull(new AbortError());
	outer?.addEventListener("abort", onAbort, { once: true });
	if (outer?.aborted) {
		onAbort();
	}
	return {
		signal: controller.signal,
		get reason() {
			return reason;
		},
		abort: pull,
		release: () => outer?.removeEventListener("abort", onAbort),
	};
}
