import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../common/async.ts";
import type { Log } from "../common/log.ts";
import type { Engine } from "./engine.ts";
import type { FileShelf } from "./fileShelf.ts";
import { failureBody, type HttpFailure } from "./httpFailure.ts";
import type { Limits } from "./limits.ts";
import type { Toolbox } from "./serverTools.ts";
import type { Generations } from "./video/generations.ts";

/** One request, its response, and a signal that fires when the caller leaves or the service stops. */
export interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly signal: AbortSignal;
}

/** What the handlers of all routes work with. */
export interface ServiceContext {
	readonly engine: Engine;
	readonly files: FileShelf;
	/** The tools that run here. */
	readonly toolbox: Toolbox;
	/** Absent when the service was started without videos. */
	readonly generations: Generations | undefined;
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
	sendText(response, status, "application/json; charset=utf-8", JSON.stringify(body));
}

/** Sends a refusal as JSON. Interface §7, design §4. */
export function sendFailure(response: ServerResponse, failure: HttpFailure): void {
	for (const [name, value] of Object.entries(failure.headers)) {
		response.setHeader(name, value);
	}
	sendText(response, failure.status, "application/json; charset=utf-8", failureBody(failure));
}

/** Sends a text of any type with its status and ends the response. */
export function sendText(
	response: ServerResponse,
	status: number,
	contentType: string,
	text: string,
): void {
	response.writeHead(status, {
		...commonHeaders,
		"Content-Type": contentType,
		"Content-Length": Buffer.byteLength(text),
	});
	response.end(text);
}

/**
 * Takes what a refused caller is still sending, so that closing does not wipe out the answer on its way, and closes
 * the connection when it goes on for longer than `lingerMs`. RFC 9112 §9.6.
 */
export function drainRefused(request: IncomingMessage, clock: Clock, lingerMs: number): void {
	if (request.readableEnded || request.destroyed) {
		return;
	}
	const timer = clock.setTimer(lingerMs, () => request.socket.destroy());
	request.once("close", () => timer.dispose()).once("end", () => timer.dispose());
	request.resume();
}
