import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createRequestReader, type RecordedRequest } from "./requestReader.ts";

export type { RecordedRequest } from "./requestReader.ts";

/** One thing a scripted server does with a connection. */
export type Step = (socket: Socket, signal: AbortSignal) => Promise<void> | void;

/** What is done with one connection, in order, once its request has been read. Left open when the steps are over. */
export interface Script {
	readonly steps: readonly Step[];
	/** Begin at once, without waiting for a request. */
	readonly isImmediate?: boolean;
	/** Begin when the head of the request has been read, its body still to come. */
	readonly isEarly?: boolean;
}

/** A server that answers byte for byte as it is told, and counts what it is asked. */
export interface ScriptedServer {
	/** Address without a trailing slash. */
	readonly url: string;
	readonly port: number;
	/** Requests whose head was read, in order. */
	readonly requests: readonly RecordedRequest[];
	/** How many of them were POST: what might have been charged. */
	readonly posts: number;
	/** Connections still open. */
	readonly openConnections: number;
	/** Stops taking bytes from every open connection, and from those to come. */
	pauseReading(): void;
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

/** Sends bytes, or text as UTF-8. */
export const send =
	(data: string | Uint8Array): Step =>
	socket =>
		new Promise(resolve => {
			socket.write(data, () => resolve());
		});

/** Waits until a test says so. */
export const until =
	(promise: Promise<unknown>): Step =>
	async () => {
		await promise;
	};

/** Sends bytes in pieces of `size`, each its own write to the network. */
export const sendSlowly =
	(data: string | Uint8Array, size = 1): Step =>
	async (socket, signal) => {
		const bytes = Buffer.from(data);
		for (let start = 0; start < bytes.length && !signal.aborted; start += size) {
			await send(bytes.subarray(start, start + size))(socket, signal);
			await new Promise(resolve => setImmediate(resolve));
		}
	};

/** Closes the connection properly (FIN). */
export const fin: Step = socket => {
	socket.end();
};

/** Breaks the connection (RST), once what was sent had time to arrive. */
export const reset: Step = async socket => {
	await new Promise(resolve => setTimeout(resolve, 20));
	socket.resetAndDestroy();
};

/** Leaves the connection open and silent. */
export const stall: Step = (_socket, signal) =>
	new Promise(resolve => {
		signal.addEventListener("abort", () => resolve());
	});

/** Starts a server on an ephemeral port; `scripts` are used in order of connections, the last one for all that follow. */
export async function startScriptedServer(
	scripts: Script | readonly Step[] | readonly Script[],
	options: { readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<ScriptedServer> {
	const list = toScripts(scripts);
	const requests: RecordedRequest[] = [];
	const sockets = new Set<Socket>();
	const stopping = new AbortController();
	let connections = 0;
	let isPaused = false;
	const onConnection = (socket: Socket): void => {
		const script = list[Math.min(connections++, list.length - 1)] ?? { steps: [] };
		sockets.add(socket);
		socket.setNoDelay(true);
		socket.on("close", () => sockets.delete(socket));
		// A client that gives up is part of what is tested.
		socket.on("error", () => socket.destroy());
		serve(socket, script, requests, stopping.signal);
		if (isPaused) {
			socket.pause();
		}
	};
	const server = options.tls
		? createTlsServer(options.tls, onConnection).on("tlsClientError", () => undefined)
		: createServer(onConnection);
	const port = await listen(server);
	const close = async (): Promise<void> => {
		stopping.abort();
		sockets.forEach(socket => socket.destroy());
		await new Promise<void>(resolve => {
			server.close(() => resolve());
		});
	};
	return {
		url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
		port,
		requests,
		get posts() {
			return requests.filter(request => request.method === "POST").length;
		},
		get openConnections() {
			return sockets.size;
		},
		pauseReading: () => {
			isPaused = true;
			sockets.forEach(socket => socket.pause());
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

function toScripts(scripts: Script | readonly Step[] | readonly Script[]): readonly Script[] {
	if ("steps" in scripts) {
		return [scripts];
	}
	const steps = scripts.filter(entry => typeof entry === "function");
	return steps.length > 0 || scripts.length === 0
		? [{ steps }]
		: scripts.filter(entry => typeof entry !== "function");
}

function serve(
	socket: Socket,
	script: Script,
	requests: RecordedRequest[],
	signal: AbortSignal,
): void {
	let hasStarted = false;
	const begin = (): void => {
		if (!hasStarted) {
			hasStarted = true;
			void play(socket, script.steps, signal);
		}
	};
	const reader = createRequestReader({
		onHead: request => {
			requests.push(request);
			if (script.isEarly) {
				begin();
			}
		},
		onEnd: begin,
	});
	socket.on("data", reader);
	if (script.isImmediate) {
		begin();
	}
}

async function play(socket: Socket, steps: readonly Step[], signal: AbortSignal): Promise<void> {
	for (const step of steps) {
		if (signal.aborted || socket.destroyed) {
			return;
		}
		await step(socket, signal);
	}
}

function listen(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			resolve(typeof address === "object" && address ? address.port : 0);
		});
	});
}
