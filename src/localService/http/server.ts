import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import { asksForDetails, detailFrame } from "./chatStream.ts";
import type { Engine } from "../engine.ts";
import { type HttpExchange, refuse, type RouteDependencies } from "./exchange.ts";
import { FileStore } from "../base/fileStore.ts";
import { errorOf, failureBody, HttpFailure } from "../base/httpFailure.ts";
import { defaultLimits, type Limits } from "../base/limits.ts";
import { type GuardedService, refusalOf } from "./guards.ts";
import { matchRoute } from "./routes.ts";
import { Toolbox, type ServerToolOptions } from "../tools/serverTools.ts";
import type { GenerationDesk } from "../video/generationDesk.ts";
import { openGenerations, type VideoServiceOptions } from "../video/openGenerations.ts";
import type { Socket } from "node:net";

/** Dependencies of a server. */
export interface LocalServerDependencies {
	/** 256 bits, base64url; every request must carry it. */
	readonly token: string;
	readonly engine: Engine;
	/** Folder for uploaded files; belongs to the server and is removed when it stops. */
	readonly filesFolder: string;
	/** Absent: the service makes no videos and says so with 501. */
	readonly videos?: VideoServiceOptions;
	/** Absent: the service runs no tools and says so with 501. */
	readonly tools?: ServerToolOptions;
	/** 0, the default, lets the system choose. */
	readonly port?: number;
	readonly clock?: Clock;
	readonly log?: Log;
	readonly limits?: Partial<Limits>;
}

/** A server that listens on 127.0.0.1. */
export class LocalServer {
	readonly port: number;
	private readonly server: Server;
	private readonly routes: RouteDependencies;
	private readonly stopping = new AbortController();

	/** Starts the service; rejects when the port cannot be had. */
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
			toolbox: new Toolbox(dependencies.tools ?? {}, clock),
			generations: videos && openVideos(videos, clock, log),
			clock,
			log,
			limits,
		};
		const connections = new Connections(server, limits.maxConnections);
		const room = new RequestRoom(limits.maxRequests);
		attachHandlers(
			server,
			this.routes,
			{ port, token: dependencies.token, connections, room },
			this.stopping.signal,
		);
	}

	/** Base address without `/v1`. */
	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Ends every open answer, all rendering and every Python, closes every connection and removes the uploaded files; videos stay. */
	async stop(): Promise<void> {
		this.stopping.abort();
		const closed = new Promise(resolve => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
		const { toolbox, generations, files } = this.routes;
		await Promise.all([toolbox.stop(), generations?.stop()]);
		// Last: Python reads the files it has been given from there.
		await files.clear();
	}
}

function openVideos(options: VideoServiceOptions, clock: Clock, log: Log): GenerationDesk {
	const local = openGenerations(options, clock, log);
	return options.withEngines?.(local, clock, log) ?? local;
}

/** Checks that a request has to pass. */
interface Door extends GuardedService {
	readonly connections: Connections;
	readonly room: RequestRoom;
}

/** Room for so many requests at once. */
class RequestRoom {
	private readonly places: number;
	private taken = 0;

	constructor(places: number) {
		this.places = places;
	}

	/** Takes a place until the response is over; false when there is none. */
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
		// The guards refuse a missing Host, in JSON.
		requireHostHeader: false,
		connectionsCheckingInterval: Math.min(5_000, limits.headersMs),
		// Frames are small and each should be seen at once.
		noDelay: true,
	});
}

function listen(server: Server, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
			server.off("error", reject);
			const address = server.address();
			if (address === null || typeof address === "string") {
				reject(new Error("The server has no port"));
			} else {
				resolve(address.port);
			}
		});
	});
}

function attachHandlers(
	server: Server,
	dependencies: RouteDependencies,
	door: Door,
	stopping: AbortSignal,
): void {
	const busySockets = new WeakSet<Duplex>();
	const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
		busySockets.add(request.socket);
		response.once("close", () => busySockets.delete(request.socket));
		void serve(request, response, dependencies, door, stopping);
	};
	server.on("request", onRequest);
	// Without these two, Node asks for the body of a request that no guard has seen.
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
	door: Door,
	stopping: AbortSignal,
): Promise<void> {
	const { clock, log } = dependencies;
	const startedAt = clock.monotonic();
	const leaving = new AbortController();
	response.once("close", () => leaving.abort());
	// A connection that breaks while a response is written is seen by "close"; without a listener it would be thrown.
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

/** Sends what went wrong if the response has not started; one that has is cut, after a last frame for those who ask for details. Interface §6, rule 8. */
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
		// What was written before the failure still reaches the caller; without a proper end.
		setImmediate(() => response.destroy());
	} else {
		refuse(exchange, failure, dependencies);
	}
}

/** Requests that Node's parser gives up on, by its error codes; everything else is 400. */
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

/** The connections of a server. */
class Connections {
	private readonly open = new Set<Socket>();
	private readonly strangers = new Set<Socket>();

	/**
	 * Keeps at most `max` connections open. One too many costs the oldest that has not shown the token, so that connections
	 * which anybody on the machine can open do not keep out the user's own.
	 */
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

	/** A request that came on this connection has the token. */
	trust(socket: Socket): void {
		void this.strangers.delete(socket);
	}

	private forget(socket: Socket): void {
		this.open.delete(socket);
		this.strangers.delete(socket);
	}
}
