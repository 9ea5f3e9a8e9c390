/**
 * A program: llama.cpp behind a door that speaks OpenAI's chat completions, as llama.cpp's own server does. Its arguments are the
 * address of llama.cpp's module, a model's file and the length of the context. Sends its port to its parent at once, and answers
 * 503 «Loading model» until that says `load` and the model is loaded.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod/mini";
import { type Llama, openLlama } from "./llama.ts";

const [moduleUrl = "", modelFile = "", length = ""] = process.argv.slice(2);

const requestSchema = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.string() })),
	stream: z.optional(z.boolean()),
	stream_options: z.optional(z.object({ include_usage: z.boolean() })),
	max_tokens: z.optional(z.number()),
	temperature: z.optional(z.number()),
	seed: z.optional(z.number()),
	stop: z.optional(z.union([z.string(), z.array(z.string())])),
	tools: z.optional(z.array(z.unknown())),
});
type Request = z.infer<typeof requestSchema>;

let llama: Llama | undefined;
/** The answer that is computed; llama.cpp has one slot here. */
let running: Promise<void> = Promise.resolve();
let isProcessing = false;

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
	response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, type: string, message: string): void {
	sendJson(response, code, { error: { code, message, type } });
}

async function read(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(chunk as Buffer);
	}
	return JSON.parse(Buffer.concat(chunks).toString());
}

async function complete(loaded: Llama, asked: Request, response: ServerResponse): Promise<void> {
	const turns = asked.messages.map(({ role, content }) => `${role}: ${content}\n`);
	const prompt = loaded.tokenize(`${turns.join("")}assistant:`);
	if (prompt.length >= loaded.contextLength) {
		const sizes = { n_prompt_tokens: prompt.length, n_ctx: loaded.contextLength };
		const message = `request (${prompt.length} tokens) exceeds the available context size (${loaded.contextLength} tokens), try increasing it`;
		sendJson(response, 400, {
			error: { code: 400, message, type: "exceed_context_size_error", ...sizes },
		});
		return;
	}
	const left = new AbortController();
	response.on("close", () => left.abort());
	const started = performance.now();
	const same = { id: "chatcmpl-tiny", created: 0, model: "tiny" };
	const chunk = (delta: object, finish: string | null, more: object = {}): string => {
		const choices = [{ index: 0, delta, finish_reason: finish }];
		return `data: ${JSON.stringify({ ...same, object: "chat.completion.chunk", choices, ...more })}\n\n`;
	};
	const pieces: string[] = [];
	if (asked.stream) {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(chunk({ role: "assistant", content: null }, null));
	}
	const { finish, count } = await loaded.generate(prompt, asked, left.signal, piece => {
		pieces.push(piece);
		if (asked.stream) {
			response.write(chunk({ content: piece }, null));
		}
	});
	const perSecond = (count / (performance.now() - started)) * 1_000;
	const usage = { prompt_tokens: prompt.length, completion_tokens: count };
	const timings = { predicted_per_second: perSecond };
	if (!asked.stream) {
		const message = { role: "assistant", content: pieces.join("") };
		const choices = [{ index: 0, message, finish_reason: finish }];
		sendJson(response, 200, { ...same, object: "chat.completion", choices, usage, timings });
		return;
	}
	response.write(chunk({}, finish));
	if (asked.stream_options?.include_usage) {
		response.write(`data: ${JSON.stringify({ ...same, choices: [], usage, timings })}\n\n`);
	}
	response.end("data: [DONE]\n\n");
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (request.url === "/slots") {
		sendJson(response, 200, [{ id: 0, n_ctx: Number(length), is_processing: isProcessing }]);
	} else if (!llama) {
		refuse(response, 503, "unavailable_error", "Loading model");
	} else if (request.method === "GET" && request.url === "/v1/models") {
		const meta = { n_ctx: llama.contextLength, n_ctx_train: llama.trained, size: llama.size };
		sendJson(response, 200, { object: "list", data: [{ id: "tiny", object: "model", meta }] });
	} else if (request.method === "POST" && request.url === "/v1/chat/completions") {
		const asked = requestSchema.parse(await read(request));
		if (asked.tools) {
			refuse(response, 500, "server_error", "tools param requires --jinja flag");
			return;
		}
		const before = running;
		const loaded = llama;
		running = before.then(async () => {
			isProcessing = true;
			try {
				await complete(loaded, asked, response);
			} finally {
				isProcessing = false;
			}
		});
		await running;
	} else {
		refuse(response, 404, "not_found_error", "File Not Found");
	}
}

const server = createServer((request, response) => {
	handle(request, response).catch((error: unknown) => {
		// Whoever asked sees a broken connection, and the test its cause.
		process.stderr.write(`${String(error)}\n`);
		response.destroy();
	});
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => {
	void openLlama(moduleUrl, modelFile, Number(length)).then(opened => {
		llama = opened;
	});
});
process.on("disconnect", () => process.exit());
