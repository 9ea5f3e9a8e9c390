/**
 * Replays prepared chunked answers over a bare socket, in a process of its own, so that a benchmark measures the reader
 * alone. The first segment of a request's path says what: `frame-N`, N frames, each its own HTTP chunk; `bulk-N`, the
 * same in chunks of 16 KiB; `text-N`, N KiB of text in frames of 4 characters, one chunk each; `model-N` and `modelBulk-N`,
 * the first two as a server of models writes them. Prints its port.
 */
import { createServer } from "node:net";

const head =
	"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
const notFound = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const first = 'data: {"role":"assistant","content":""}\n\n';
const last = "data: {}\n\ndata: [DONE]\n\ndata: [END]\n\n";
const answers = new Map<string, Buffer>();

/** Frames that a server of models sends in one second, after which the time in them is another. */
const framesPerSecond = 50;

const modelFrame = (delta: object, reason: string | null, second = 0): string =>
	`data: ${JSON.stringify({
		id: "chatcmpl-1",
		object: "chat.completion.chunk",
		created: 17e8 + second,
		model: "m",
		choices: [
			{
				index: 0,
				delta,
				finish_reason: reason,
			},
		],
	})}\n\n`;

function modelAnswer(count: number, isBulk: boolean): string {
	const frames = Array.from({ length: count }, (_, index) =>
		modelFrame({ content: " word" }, null, Math.floor(index / framesPerSecond)),
	);
	const rest = `${modelFrame({}, "stop")}data: [DONE]\n\n`;
	return isBulk
		? chunked(frames.join("") + rest, 16 * 1024)
		: frames.map(chunk).join("") + chunk(rest);
}

function answer(name: string): Buffer {
	const known = answers.get(name);
	if (known) {
		return known;
	}
	const [kind, count] = name.split("-");
	if (kind === "model" || kind === "modelBulk") {
		const streamed = Buffer.from(
			`${head}${modelAnswer(Number(count), kind === "modelBulk")}0\r\n\r\n`,
		);
		answers.set(name, streamed);
		return streamed;
	}
	const isText = kind === "text";
	const frame = isText ? 'data: {"content":"abcd"}\n\n' : 'data: {"content":" word"}\n\n';
	const frames = isText ? (Number(count) * 1024) / 4 : Number(count);
	const body =
		kind === "bulk"
			? chunked(first + frame.repeat(frames) + last, 16 * 1024)
			: chunk(first) + chunk(frame).repeat(frames) + chunk(last);
	const made = Buffer.from(`${head}${body}0\r\n\r\n`);
	answers.set(name, made);
	return made;
}

function chunked(text: string, size: number): string {
	const parts: string[] = [];
	for (let start = 0; start < text.length; start += size) {
		parts.push(chunk(text.slice(start, start + size)));
	}
	return parts.join("");
}

function chunk(text: string): string {
	return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const server = createServer(socket => {
	socket.on("error", () => socket.destroy());
	socket.once("data", bytes => {
		const name = /^\w+ \/([\w-]+)/.exec(bytes.toString("latin1"))?.[1] ?? "frame-1";
		// A server of models is asked whether it is Ollama.
		socket.end(name === "api" ? notFound : answer(name));
	});
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	console.log(typeof address === "object" && address ? address.port : 0);
});
// Ends with the process that started it.
process.stdin.resume().on("end", () => process.exit());
