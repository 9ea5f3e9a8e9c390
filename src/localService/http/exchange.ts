import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { Engine } from "../engine.ts";
import type { FileStore } from "../base/fileStore.ts";
import { failureBody, type HttpFailure } from "../base/httpFailure.ts";
import type { Limits } from "../base/limits.ts";
import type { Toolbox } from "../tools/serverTools.ts";
import type { GenerationDesk } from "../video/generationDesk.ts";

/** Writes frames of a streamed answer, opening the response with the first and no faster than they are taken. */
export interface FrameWriter {
	/** Writes `data: TEXT` and a blank line. Interface §6, rule 1. */
	write(data: string): Promise<void>;
}

/** One request, its response, and a signal that fires when the caller leaves or the service stops. */
export interface HttpExchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly signal: AbortSignal;
}

/** Dependencies of the handlers of all routes. */
export interface RouteDependencies {
	readonly engine: Engine;
	readonly files: FileStore;
	/** The tools that run here. */
	readonly toolbox: Toolbox;
	/** Absent when the service was started without videos. */
	readonly generations: GenerationDesk | undefined;
	readonly clock: Clock;
	readonly log: Log;
	readonly limits: Limits;
}

/** Headers of every response. No CORS header exists here: no page may read an answer. Threat T21. */
export const commonHeaders = {
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Sends a JSON body with its status and ends the response. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
	const text = JSON.stringify(body);
	response.writeHead(status, {
		...commonHeaders,
		"Content-Type": "application/json; charset=utf-8",
		"Content-Length": Buffer.byteLength(text),
	});
	response.end(text);
}

/**
 * Sends a refusal as JSON, takes what the caller is still sending, and only then ends the response: ending it closes the
 * connection, and closing with bytes unread makes the kernel reset it and wipe out the answer on its way. A caller that goes on
 * for longer than `lingerMs` is closed on. Interface §7, docs/interface.md, RFC 9112 §9.6.
 */
export function refuse(
	{ request, response }: Pick<HttpExchange, "request" | "response">,
	failure: HttpFailure,
	{ clock, limits: { lingerMs } }: Pick<RouteDependencies, "clock" | "limits">,
): void {
	const body = failureBody(failure);
	response.writeHead(failure.status, {
		...commonHeaders,
		...failure.headers,
		"Content-Type": "application/json; charset=utf-8",
		"Content-Length": Buffer.byteLength(body),
	});
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
