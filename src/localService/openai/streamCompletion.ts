import { isLoopbackHost } from "../../client/transport/transport.ts";
import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError, systemCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { HttpFailure, unreached } from "../base/failureResponse.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { completionsUrl } from "./listModels.ts";
import type { CompletionPart, LeftOut, ModelProgress } from "./completionReader.ts";
import { readCompletion } from "./readCompletion.ts";
import { beginsInThought } from "./thoughts.ts";
import { callsAfter, withWrittenCalls } from "./callFilter.ts";
import { maxChanges, withoutRefused } from "./modelLimits.ts";
import { serverFailure, readRefusal, type Refusal } from "./serverFailure.ts";
import type { ClientRequest } from "node:http";
import { ask } from "../base/network.ts";

/** API of a server: how requests are sent and answers are read. */
export interface CompletionWire {
	url(baseUrl: string): string;
	/** Converts an OpenAI request to the server's format. */
	bodyOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
	/** Converts a line of a JSON-lines answer to OpenAI's format. Returns anything else, such as an error, unchanged. */
	chunkOf?(line: string): string;
}

const openAiWire: CompletionWire = {
	url: completionsUrl,
	bodyOf: body => ({ ...body, stream: true, stream_options: { include_usage: true } }),
};

export interface CompletionOptions {
	readonly server: {
		readonly name: string;
		readonly baseUrl: string;
		readonly headers: Readonly<Record<string, string>>;
	};
	/** The server's API; OpenAI's by default. */
	readonly wire?: CompletionWire | undefined;
	/** False if the model is known not to be loaded. */
	readonly isLoaded?: boolean | undefined;
	/** The request body without `stream`. */
	readonly body: Readonly<Record<string, unknown>>;
	readonly clock: Clock;
	readonly log: Log;
	readonly signal: AbortSignal;
}

const loadingPollMs = 1_000;
const maxLoadingPauseMs = 60_000;
const maxLoadingMs = 10 * 60 * 1_000;

/**
 * Requests an answer and yields its parts. Throws `HttpFailure` with the server's message, and a `Refusal` as its cause, unless the answer ends
 * properly. Throws `AbortError` if aborted.
 */
export async function* streamCompletion(
	options: CompletionOptions,
): AsyncGenerator<CompletionPart | ModelProgress | LeftOut, void, undefined> {
	const { server, signal, body, clock, wire = openAiWire } = options;
	// Closes the connection after the answer, even if the server keeps it open.
	const over = new AbortController();
	const both = AbortSignal.any([signal, over.signal]);
	try {
		const response = yield* openAccepted({ ...options, signal: both }, wire);
		const parts = readCompletion(response, server.name, {
			isInThought: beginsInThought(String(body["model"])),
			callsAfter: thought => callsAfter(thought, body["tools"]),
			chunkOf: wire.chunkOf,
			clock,
		});
		yield* withWrittenCalls(parts, body["tools"]);
	} catch (error) {
		throwIfAborted(signal);
		if (isAbortError(error) || error instanceof HttpFailure) {
			throw error;
		}
		throw lost(server.name, toError(error));
	} finally {
		over.abort();
	}
}

function lost(name: string, error: Error): HttpFailure {
	if (error instanceof ProxyError) {
		return new HttpFailure(502, "model_server_unreachable", error.message);
	}
	const found = unreached(name, error) ?? unreached(name, error.cause);
	if (found) {
		const { reason, sentence } = found;
		const code = reason === "refused" ? "model_server_not_running" : "model_server_unreachable";
		return new HttpFailure(502, code, sentence);
	}
	const code = systemCode(error) || systemCode(error.cause) || error.message;
	return new HttpFailure(502, "model_server_lost", `The connection to ${name} broke: ${code}.`);
}

/** Repeats a request that was rejected before any computation: while the model loads, and without unsupported parameters. */
async function* openAccepted(
	options: CompletionOptions,
	wire: CompletionWire,
): AsyncGenerator<ModelProgress | LeftOut, Response, undefined> {
	const { server, clock, log, signal } = options;
	const loadingUntil = clock.monotonic() + maxLoadingMs;
	const url = wire.url(server.baseUrl);
	let body = wire.bodyOf(options.body);
	let stage: ModelProgress["stage"] = options.isLoaded === false ? "loading" : "reading";
	// Only local models report load progress.
	if (isLoopbackHost(new URL(server.baseUrl).hostname)) {
		yield { type: "progress", stage };
	}
	for (let changes = 0; ;) {
		const response = await post(url, {
			headers: {
				...server.headers,
				"Content-Type": "application/json",
				Accept: "text/event-stream",
			},
			body: JSON.stringify(body),
			clock,
			signal,
		});
		if (response.ok) {
			return response;
		}
		const refusal = await readRefusal(response, clock);
		const changed = changes < maxChanges ? withoutRefused(body, refusal) : undefined;
		if (changed) {
			changes += 1;
			body = changed.body;
			log.warn("The model server refused a parameter", {
				server: server.name,
				parameter: changed.name,
			});
			if (options.body[changed.name] !== undefined && !changed.isRenamed) {
				yield { type: "left-out", parameter: changed.name };
			}
		} else if (isLoading(refusal) && clock.monotonic() < loadingUntil) {
			if (stage !== "loading") {
				stage = "loading";
				yield { type: "progress", stage };
			}
			const pause = Math.min(refusal.retryAfterMs ?? loadingPollMs, maxLoadingPauseMs);
			await delay(pause, signal, clock);
		} else {
			throw serverFailure(server.name, refusal);
		}
	}
}

function isLoading({ status, words }: Refusal): boolean {
	return status === 503 && /\bloading\b|starting up|scaling up|warming up|not ready/i.test(words);
}

interface Posted {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** Time limit for connecting, in milliseconds. A remote computer may be off. */
const connectMs = 10_000;
/** Delay before TCP keep-alive probes on a silent connection, in milliseconds. */
const keepAliveMs = 60_000;

/**
 * Sends a request and resolves when the response headers have arrived, without following redirects. There is no time limit, because a model may read
 * a prompt for long, but a dead connection fails.
 */
export function post(url: string, { clock, ...posted }: Posted): Promise<Response> {
	const connected = url.startsWith("https:") ? "secureConnect" : "connect";
	return ask(new URL(url), { method: "POST", ...posted }, sent =>
		watchConnection(sent, connected, clock),
	);
}

/** Aborts a request that doesn't connect in time, and enables keep-alive to detect a dead connection. */
function watchConnection(sent: ClientRequest, connected: string, clock: Clock): void {
	const timer = clock.setTimer(connectMs, () => {
		const error = new Error(`no connection within ${connectMs / 1_000} s`);
		sent.destroy(Object.assign(error, { code: "ETIMEDOUT", syscall: "connect" }));
	});
	sent.once("close", () => timer.dispose());
	sent.once("socket", socket => {
		socket.setKeepAlive(true, keepAliveMs);
		if (socket.connecting) {
			socket.once(connected, () => timer.dispose());
		} else {
			// A proxy has already connected it.
			timer.dispose();
		}
	});
}
