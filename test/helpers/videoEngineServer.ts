import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";

/** A request that an engine's server was sent. */
export interface EngineCall {
	readonly method: string;
	/** Path and query. */
	readonly url: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
}

/** What the server does with a request. */
export interface EngineReply {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Text, bytes, or anything else as JSON. */
	readonly body?: unknown;
	/** How the answer ends: properly, broken off before it began, broken off in the middle, or never. */
	readonly ending?: "end" | "reset" | "half" | "open";
	/** How long it takes, in milliseconds. */
	readonly afterMs?: number;
	/** Pieces that the body is sent in, with a pause of 5 ms between them. */
	readonly pieces?: number;
}

/** Replies by «METHOD /path», or `*`; those of one request are used in order, the last for all that follow. */
export type EngineScript = Readonly<
	Record<string, readonly EngineReply[] | ((call: EngineCall) => EngineReply)>
>;

/** A server of video models that does as it is told. */
export interface EngineBench {
	/** Its address without a path. */
	readonly url: string;
	readonly calls: readonly EngineCall[];
	/** Requests that ask for a video: what might have been charged. */
	readonly orders: readonly EngineCall[];
	/** Sends a message to all who follow by WebSocket. */
	tell(message: unknown): void;
	/** Who follows, by their client id. */
	readonly followers: readonly string[];
}

const isOrder = ({ method, url }: EngineCall): boolean =>
	method === "POST" && /\/(?:videos?|prompt)$/.test(url);

/** Starts a server on a free port for the test. */
export async function startEngineServer(
	script: (url: string) => EngineScript,
): Promise<EngineBench> {
	const calls: EngineCall[] = [];
	const used = new Map<string, number>();
	const sockets = new Map<Duplex, string>();
	let told: EngineScript = {};
	const replyTo = (call: EngineCall): EngineReply => {
		const path = call.url.split("?", 1)[0] ?? "";
		const key = [`${call.method} ${call.url}`, `${call.method} ${path}`, "*"].find(name =>
			Object.hasOwn(told, name),
		);
		const found = key === undefined ? undefined : told[key];
		if (typeof found === "function") {
			return found(call);
		}
		const count = used.get(key ?? "") ?? 0;
		used.set(key ?? "", count + 1);
		return (
			found?.[Math.min(count, found.length - 1)] ?? { status: 404, body: { error: "not found" } }
		);
	};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("error", () => {});
		request.on("end", () => {
			const { method = "", url = "", headers } = request;
			const call = { method, url, headers, body: Buffer.concat(chunks).toString("latin1") };
			calls.push(call);
			const reply = replyTo(call);
			setTimeout(() => void play(request, response, reply), reply.afterMs ?? 0);
		});
	});
	server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
		const key = createHash("sha1")
			.update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
			.digest("base64");
		socket.write(
			`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
		);
		socket.on("error", () => {});
		socket.once("close", () => sockets.delete(socket));
		sockets.set(socket, new URL(request.url ?? "", "http://x").searchParams.get("clientId") ?? "");
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		sockets.forEach((_, socket) => socket.destroy());
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	const url = `http://127.0.0.1:${port}`;
	told = script(url);
	return {
		url,
		calls,
		get orders() {
			return calls.filter(isOrder);
		},
		tell: message => sockets.forEach((_, socket) => socket.write(frameOf(JSON.stringify(message)))),
		get followers() {
			return [...sockets.values()];
		},
	};
}

async function play(
	request: IncomingMessage,
	response: ServerResponse,
	{ status = 200, headers = {}, body, ending = "end", pieces = 1 }: EngineReply,
): Promise<void> {
	if (ending === "reset") {
		request.socket.resetAndDestroy();
		return;
	}
	if (ending === "open" && body === undefined) {
		return;
	}
	const isRaw = typeof body === "string" || body instanceof Uint8Array;
	const bytes = Buffer.from(isRaw ? body : body === undefined ? "" : JSON.stringify(body));
	response.writeHead(status, {
		"content-type": isRaw ? "video/mp4" : "application/json",
		"content-length": bytes.length,
		...headers,
	});
	if (ending === "half") {
		response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () =>
			setTimeout(() => request.socket.destroy(), 10),
		);
		return;
	}
	const size = Math.ceil(bytes.length / pieces) || 1;
	for (let start = 0; start < bytes.length; start += size) {
		response.write(bytes.subarray(start, start + size));
		if (pieces > 1) {
			await new Promise(resolve => setTimeout(resolve, 5));
		}
	}
	if (ending === "end") {
		response.end();
	}
}

/** A WebSocket's frame of text. RFC 6455 §5.2. */
function frameOf(text: string): Buffer {
	const payload = Buffer.from(text);
	const head =
		payload.length < 126
			? Buffer.from([0x81, payload.length])
			: Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
	return Buffer.concat([head, payload]);
}
