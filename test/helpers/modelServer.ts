import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** What a scripted server of models says to one chat request. */
export interface ModelReply {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: string;
	/** How long the server is silent before its head, in milliseconds. */
	readonly delayMs?: number;
	/** How the answer ends: properly, with a broken connection, or never. */
	readonly ending?: "end" | "reset" | "open";
}

/** A server of models that answers as it is told. */
export interface ModelServer {
	/** Base address without `/v1`. */
	readonly url: string;
	readonly port: number;
	/** Bodies of the chat requests, in order. */
	readonly requests: readonly Record<string, unknown>[];
	/** Headers of the chat requests, in order. */
	readonly headers: readonly IncomingMessage["headers"][];
	/** Chat requests whose connection was closed by the caller before the answer was over. */
	readonly aborted: number;
}

/** Starts a server for the test; replies are used in order, the last one for all that follow. `pages` are answers to GET by path, and to POST by «path model». */
export async function startModelServer(
	replies: readonly ModelReply[],
	pages: Readonly<Record<string, unknown>> = {},
): Promise<ModelServer> {
	const requests: Record<string, unknown>[] = [];
	const headers: IncomingMessage["headers"][] = [];
	let aborted = 0;
	let answered = 0;
	const server = createServer((request, response) => {
		if (request.method === "GET") {
			const page = pages[request.url ?? ""];
			response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" });
			response.end(JSON.stringify(page ?? { error: "not found" }));
			return;
		}
		response.on("close", () => {
			aborted += response.writableEnded ? 0 : 1;
		});
		void readBody(request).then(async body => {
			const asked = JSON.parse(body) as Record<string, unknown>;
			requests.push(asked);
			headers.push(request.headers);
			const page = pages[`${request.url} ${String(asked["model"])}`];
			if (page !== undefined) {
				response.writeHead(200, { "content-type": "application/json" });
				response.end(JSON.stringify(page));
				return;
			}
			const reply = replies[Math.min(answered, replies.length - 1)];
			answered += 1;
			await play(response, reply ?? { body: "" });
		});
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		requests,
		headers,
		get aborted() {
			return aborted;
		},
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks).toString();
}

async function play(response: ServerResponse, reply: ModelReply): Promise<void> {
	await delay(reply.delayMs ?? 0);
	response.writeHead(reply.status ?? 200, {
		"content-type": "text/event-stream",
		...reply.headers,
	});
	response.flushHeaders();
	await write(response, Buffer.from(reply.body));
	if (reply.ending === "reset") {
		response.destroy();
	} else if (reply.ending !== "open") {
		response.end();
	}
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
	return new Promise(resolve => {
		if (bytes.length === 0) {
			resolve();
		} else {
			response.write(bytes, () => setImmediate(resolve));
		}
	});
}

/** Frames of a stream: objects become JSON, then `[DONE]`. */
export function frames(...chunks: readonly unknown[]): string {
	return [...chunks.map(chunk => JSON.stringify(chunk)), "[DONE]"]
		.map(data => `data: ${data}\n\n`)
		.join("");
}

/** One chunk of an answer. */
export function delta(fields: object, finish: string | null = null): object {
	return { choices: [{ index: 0, delta: fields, finish_reason: finish }] };
}

/** A whole streamed answer of text. */
export function textReply(...texts: readonly string[]): ModelReply {
	return { body: frames(...texts.map(content => delta({ content })), delta({}, "stop")) };
}

/** A whole answer of Ollama's own: a line of JSON for each text. */
export function ollamaReply(...texts: readonly string[]): ModelReply {
	const parts = texts.map(content => ({ message: { role: "assistant", content }, done: false }));
	const last = { message: { role: "assistant", content: "" }, done: true, done_reason: "stop" };
	return {
		body: [...parts, last].map(part => `${JSON.stringify(part)}\n`).join(""),
		headers: { "content-type": "application/x-ndjson" },
	};
}

/** A whole streamed answer of one call. */
export function callReply(name: string, input: object, id = "call_1"): ModelReply {
	const called = { name, arguments: JSON.stringify(input) };
	const call = { index: 0, id, type: "function", function: called };
	return { body: frames(delta({ tool_calls: [call] }), delta({}, "tool_calls")) };
}

/** An error with a status. */
export function errorReply(status: number, body: unknown, headers: object = {}): ModelReply {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return { status, body: text, headers: { "content-type": "application/json", ...headers } };
}
