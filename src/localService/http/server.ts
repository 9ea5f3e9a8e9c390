import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import { asksForDetails, detailFrame } from "./answerStream.ts";
import type { Engine } from "../engine.ts";
import { type HttpExchange, refuse, type RouteDependencies } from "./exchange.ts";
import { FileStore } from "../base/fileStore.ts";
import { errorOf, failureBody, HttpFailure } from "../base/failureResponse.ts";
import { defaultLimits, type Limits } from "../base/limits.ts";
import { type GuardedService, refusalOf } from "./guards.ts";
import { matchRoute } from "./routes.ts";
import type { CodeInterpreterOptions } from "../python/codeInterpreter.ts";
import { ServedPython } from "../python/servedPython.ts";
import type { GenerationService } from "../video/generationRecord.ts";
import { openGenerations, type VideoServiceOptions } from "../video/generations.ts";
import type { Socket } from "node:net";

export interface LocalServerDependencies {
	/** 256 bits, base64url. Required in every request. */
	readonly token: string;
	readonly engine: Engine;
	/** Folder for uploaded files. Owned by the server and removed when it stops. */
	readonly filesFolder: string;
	/** If absent, the service makes no videos and responds with 501. */
	readonly videos?: VideoServiceOptions;
	/** If absent, the service runs no tools and responds with 501. Web pages are read by the extension, behind its tool gate. */
	readonly python?: CodeInterpreterOptions;
	/** 0, the default, lets the system choose. */
	readonly port?: number;
	readonly clock?: Clock;
	readonly log?: Log;
	readonly limits?: Partial<Limits>;
}

/** An HTTP server on 127.0.0.1. */
export class LocalServer {
	readonly port: number;
	private readonly server: Server;
	private readonly routes: RouteDependencies;
	private readonly stopping = new AbortController();

	/** Starts the service. Rejects if the port isn't available. */
	static async start(dependencies: LocalServerDependencies): Promise<LocalServer> {
		const limits = { ...defaultLimits, ...dependencies.limits };
		const server = createHttpServer(limits);
		const port = await listen(server, dependencies.port ?? 0);
		return new LocalServer(server, port, limits, dependencies);
	}

	private constructor(
		server: Server,
		port: number,
		limits: Limits,
		dependencies: LocalServerDependencies,
	) {
		const { clock = systemClock, log = silentLog, videos } = dependencies;
		this.server = server;
		this.port = port;
		this.routes = {
			engine: dependencies.engine,
			files: new FileStore(dependencies.filesFolder, limits),
			python: dependencies.python && new ServedPython(dependencies.python, clock),
			generations: videos && openVideos(videos, clock, log),
			clock,
			log,
			limits,
		};
		const connections = new Connections(server, limits.maxConnections);
		const room = new RequestLimiter(limits.maxRequests);
		attachHandlers(
			server,
			this.routes,
			{ port, token: dependencies.token, connections, room },
			this.stopping.signal,
		);
	}

	/** Base URL without `/v1`. */
	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Stops all answers, rendering and Python, closes all connections and removes uploaded files. Keeps videos. */
	async stop(): Promise<void> {
		this.stopping.abort();
		const closed = new Promise(resolve => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
		const { python, generations, files } = this.routes;
		await Promise.all([python?.stop(), generations?.stop()]);
		// Last, because Python reads its files from there.
		await files.clear();
	}
}

function openVideos(options: VideoServiceOptions, clock: Clock, log: Log): GenerationService {
	const local = openGenerations(options, clock, log);
	return options.withEngines?.(local, clock, log) ?? local;
}

/** The limits of the server, beside what the request itself is checked against. */
interface RequestChecks extends GuardedService {
	readonly connections: Connections;
	readonly room: RequestLimiter;
}

class RequestLimiter {
	private readonly places: number;
	private taken = 0;

	constructor(places: number) {
		this.places = places;
	}

	/** Reserves a slot until the response is over. Returns false if there is none. */
	take(response: ServerResponse): boolean {
		if (this.taken >= this.places) {
			return false;
		}
		this.taken += 1;
		response.once("close", () => {
			this.taken -= 1;
		});
		return true;
	}
}

function createHttpServer(limits: Limits): Server {
	return createServer({
		maxHeaderSize: limits.maxHeaderBytes,
		headersTimeout: limits.headersMs,
		requestTimeout: limits.requestMs,
		// The guards reject a missing Host header with a JSON error.
		requireHostHeader: false,
		connectionsCheckingInterval: Math.min(5_000, limits.headersMs),
		// Frames are small and should be sent at once.
		noDelay: true,
	});
}

async function listen(server: Server, port: number): Promise<number> {
	server.listen({ host: "127.0.0.1", port, exclusive: true });
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") {
		throw new Error("The server has no port");
	}
	return address.port;
}

function attachHandlers(
	server: Server,
	dependencies: RouteDependencies,
	door: RequestChecks,
	stopping: AbortSignal,
): void {
	const busySockets = new WeakSet<Duplex>();
	const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
		busySockets.add(request.socket);
		response.once("close", () => busySockets.delete(request.socket));
		void serve(request, response, dependencies, door, stopping);
	};
	server.on("request", onRequest);
	// Without these two, Node requests the body before the guards have run.
	server.on("checkContinue", onRequest);
	server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
		const failure = new HttpFailure(417, "expectation_failed", "Expect 100-continue only.");
		refuse({ request, response }, failure, dependencies);
	});
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
		answerBrokenRequest(error, socket, busySockets.has(socket));
	});
	server.on("error", error => dependencies.log.error("Server error", { reason: error.message }));
}

function tooManyRequests(): HttpFailure {
	const message = "The local service answers as many requests as it can. Try again in a moment.";
	return new HttpFailure(503, "busy", message, { "Retry-After": "1" });
}

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	dependencies: RouteDependencies,
	door: RequestChecks,
	stopping: AbortSignal,
): Promise<void> {
	const { clock, log } = dependencies;
	const startedAt = clock.monotonic();
	const leaving = new AbortController();
	response.once("close", () => leaving.abort());
	// The error of a broken connection is also reported as "close", but would be thrown without a listener.
	response.on("error", () => leaving.abort());
	const signal = AbortSignal.any([leaving.signal, stopping]);
	try {
		const refusal = refusalOf(request, door);
		if (refusal) {
			throw refusal;
		}
		door.connections.trust(request.socket);
		if (!door.room.take(response)) {
			throw tooManyRequests();
		}
		const route = matchRoute(request);
		if (request.headers.expect !== undefined) {
			response.writeContinue();
		}
		await route.handle({ request, response, signal }, dependencies, route.id);
		const ms = Math.round(clock.monotonic() - startedAt);
		log.debug("Request answered", { path: route.path, status: response.statusCode, ms });
	} catch (error) {
		endFailed({ request, response, signal }, dependencies, error);
	}
}

/** Sends an error, or aborts a started response, after a last frame for clients that request details. docs/interface.md §6. */
function endFailed(exchange: HttpExchange, dependencies: RouteDependencies, error: unknown): void {
	const { response, signal } = exchange;
	const { log } = dependencies;
	if (isAbortError(error) || signal.aborted) {
		response.destroy();
		return;
	}
	const failure =
		error instanceof HttpFailure
			? error
			: new HttpFailure(500, "internal_error", "The local service failed. Its log says why.");
	if (failure === error) {
		log.info("Request refused", { status: failure.status, code: failure.code });
	} else {
		log.error("Request failed", { reason: toError(error).stack ?? toError(error).message });
	}
	if (response.headersSent) {
		if (asksForDetails(exchange)) {
			const { status, headers } = failure;
			const retryAfter = headers["Retry-After"];
			const frame = { type: "failed", status, error: errorOf(failure), retryAfter } as const;
			response.write(`data: ${detailFrame(frame)}\n\n`);
		}
		// Sends what was already written, but without a regular end.
		setImmediate(() => response.destroy());
	} else {
		refuse(exchange, failure, dependencies);
	}
}

/** Requests rejected by Node's parser, by error code; all others get 400. */
const brokenRequests: Readonly<Record<string, { status: string; code: string; message: string }>> =
	{
		HPE_HEADER_OVERFLOW: {
			status: "431 Request Header Fields Too Large",
			code: "headers_too_large",
			message: "The request headers are too large.",
		},
		ERR_HTTP_REQUEST_TIMEOUT: {
			status: "408 Request Timeout",
			code: "request_timeout",
			message: "The request did not arrive in time.",
		},
		HPE_CHUNK_EXTENSIONS_OVERFLOW: {
			status: "413 Content Too Large",
			code: "too_large",
			message: "The chunk extensions are too large.",
		},
	};

function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, isBusy: boolean): void {
	if (isBusy || !socket.writable || error.code === "ECONNRESET") {
		socket.destroy();
		return;
	}
	const broken = brokenRequests[error.code ?? ""] ?? {
		status: "400 Bad Request",
		code: "bad_request",
		message: "This is not a valid HTTP request.",
	};
	const body = failureBody(broken);
	const head = [
		`HTTP/1.1 ${broken.status}`,
		"Content-Type: application/json; charset=utf-8",
		`Content-Length: ${Buffer.byteLength(body)}`,
		"Cache-Control: no-store",
		"Connection: close",
	].join("\r\n");
	socket.end(`${head}\r\n\r\n${body}`);
}

class Connections {
	private readonly open = new Set<Socket>();
	private readonly strangers = new Set<Socket>();

	/** Allows at most `max` connections. One more closes the oldest that hasn't sent the token, so that other programs can't lock out the user. */
	constructor(server: Server, max: number) {
		server.on("connection", (socket: Socket) => {
			this.open.add(socket);
			this.strangers.add(socket);
			socket.once("close", () => this.forget(socket));
			if (this.open.size > max) {
				const [oldest = socket] = this.strangers;
				this.forget(oldest);
				oldest.destroy();
			}
		});
	}

	/** Marks a connection on which a request had the token. */
	trust(socket: Socket): void {
		void this.strangers.delete(socket);
	}

	private forget(socket: Socket): void {
		this.open.delete(socket);
		this.strangers.delete(socket);
	}
}
