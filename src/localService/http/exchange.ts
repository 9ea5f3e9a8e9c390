import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { Engine } from "../engine.ts";
import type { FileStore } from "../base/fileStore.ts";
import { failureBody, type HttpFailure } from "../base/failureResponse.ts";
import type { Limits } from "../base/limits.ts";
import type { ServedPython } from "../python/servedPython.ts";
import type { GenerationService } from "../video/generationRecord.ts";

/** Writes frames of a streamed answer. Starts the response with the first frame. Waits while the client doesn't read. */
export interface FrameWriter {
	/** Writes `data: TEXT` and a blank line. docs/interface.md §6, rule 1. */
	write(data: string): Promise<void>;
}

/** A request, its response, and a signal that aborts if the client disconnects or the service stops. */
export interface HttpExchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly signal: AbortSignal;
}

export interface RouteDependencies {
	readonly engine: Engine;
	readonly files: FileStore;
	/** Absent if the service was started without Python. */
	readonly python: ServedPython | undefined;
	/** Absent if the service was started without videos. */
	readonly generations: GenerationService | undefined;
	readonly clock: Clock;
	readonly log: Log;
	readonly limits: Limits;
}

/** Headers of every response. There are no CORS headers, so no web page can read a response (docs/security.md). */
export const commonHeaders = {
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Sends a JSON body with its status and ends the response. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
	const text = JSON.stringify(body);
	response.writeHead(status, jsonHeaders(text));
	response.end(text);
}

function jsonHeaders(text: string) {
	return {
		...commonHeaders,
		"Content-Type": "application/json; charset=utf-8",
		"Content-Length": Buffer.byteLength(text),
	};
}

/**
 * Sends an error as JSON, reads the rest of the request, and then ends the response. Closing the connection with unread bytes would reset it and
 * discard the response. Closes it anyway after `lingerMs`. docs/interface.md §7, RFC 9112 §9.6.
 */
export function refuse(
	{ request, response }: Pick<HttpExchange, "request" | "response">,
	failure: HttpFailure,
	{ clock, limits: { lingerMs } }: Pick<RouteDependencies, "clock" | "limits">,
): void {
	const body = failureBody(failure);
	response.writeHead(failure.status, { ...failure.headers, ...jsonHeaders(body) });
	if (request.readableEnded || request.destroyed) {
		response.end(body);
		return;
	}
	response.write(body);
	const end = (): void => {
		timer.dispose();
		response.end();
	};
	const timer = clock.setTimer(lingerMs, () => request.socket.destroy());
	request.once("close", end).once("end", end);
	request.resume();
}
