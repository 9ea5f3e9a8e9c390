import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the scripted service heard it. */
export interface HeardRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** A service that answers as a test tells it to. */
export interface ScriptedService {
	readonly baseUrl: string;
	readonly heard: readonly HeardRequest[];
	stop(): Promise<void>;
}

/** Starts a service on 127.0.0.1 that hands every request, read whole, to `answer`. */
export async function startScriptedService(
	answer: (request: HeardRequest, response: ServerResponse) => void,
): Promise<ScriptedService> {
	const heard: HeardRequest[] = [];
	const server = createServer((message, response) => {
		const chunks: Buffer[] = [];
		message.on("data", (chunk: Buffer) => chunks.push(chunk));
		message.on("end", () => {
			const request = {
				method: message.method ?? "",
				path: message.url ?? "",
				headers: message.headers,
				body: Buffer.concat(chunks).toString("utf8"),
			};
			heard.push(request);
			answer(request, response);
		});
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	// A TCP server's address is never a pipe's name.
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		heard,
		stop: async () => {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** Writes a streamed answer of these messages, each in the pieces given. Interface §6. */
export function writeStream(
	response: ServerResponse,
	messages: readonly (readonly string[])[],
	end = "data: [END]\n\n",
): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const pieces of messages) {
		response.write('data: {"role":"assistant","content":""}\n\n');
		for (const content of pieces) {
			response.write(`data: ${JSON.stringify({ content })}\n\n`);
		}
		response.write("data: {}\n\ndata: [DONE]\n\n");
	}
	response.end(end);
}

/** Writes a JSON body. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}
