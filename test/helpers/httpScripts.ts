import { type Script, send, type Step } from "./scriptedServer.ts";

/** Head of a chunked event stream; `headers` may replace the content type. */
export function streamHead(headers: Readonly<Record<string, string>> = {}): Step {
	return send(
		head(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked", ...headers }),
	);
}

/** Head of an event stream that ends when the connection closes, so that a cut looks like an end. */
export function closeDelimitedHead(headers: Readonly<Record<string, string>> = {}): Step {
	return send(head(200, { "content-type": "text/event-stream", connection: "close", ...headers }));
}

/** One HTTP chunk. */
export function chunk(data: string | Uint8Array): Step {
	const bytes = Buffer.from(data);
	return send(
		Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]),
	);
}

/** The chunk that ends a chunked body. */
export const lastChunk: Step = send("0\r\n\r\n");

/** A whole answer with its length. */
export function reply(
	status: number,
	body: string | Uint8Array = "",
	headers: Readonly<Record<string, string>> = {},
): Step {
	const bytes = Buffer.from(body);
	const all = {
		"content-type": "application/json",
		"content-length": String(bytes.length),
		...headers,
	};
	return send(Buffer.concat([Buffer.from(head(status, all)), bytes]));
}

/** A whole answer as JSON. */
export function jsonReply(
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): Step {
	return reply(status, JSON.stringify(body), headers);
}

/** A whole streamed answer: every text one frame, in the interface's words. */
export function streamed(...frames: readonly string[]): Script {
	return { steps: [streamHead(), ...frames.map(frame => chunk(`data: ${frame}\n\n`)), lastChunk] };
}

/** A frame with a fragment of text. */
export function content(text: string): string {
	return JSON.stringify({ content: text });
}

/** The frame that begins a message. */
export const start = '{"role":"assistant","content":""}';

function head(status: number, headers: Readonly<Record<string, string>>): string {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	return `${[`HTTP/1.1 ${status} Scripted`, ...lines].join("\r\n")}\r\n\r\n`;
}
