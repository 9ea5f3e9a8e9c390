import { createParser } from "eventsource-parser";
import { type Clock, systemClock } from "../../common/async.ts";
import type { HttpFailure } from "../base/failureResponse.ts";
import { broken, type CompletionPart, CompletionReader, notAnAnswer } from "./completionReader.ts";
import type { CompletionCall } from "./completionCalls.ts";
import { parseJson } from "../../common/json.ts";

/** The longest frame, line or whole answer, in UTF-16 code units. */
const maxFrameLength = 16 * 1024 * 1024;
/** The longest answer in bytes, enough for hundreds of thousands of tokens with their frames. */
const maxAnswerBytes = 128 * 1024 * 1024;
/** How long to wait for token counts after a complete answer, in milliseconds, if the server neither sends `[DONE]` nor closes. */
const settleMs = 5_000;

export interface ReadingOptions {
	/** Whether the answer may start inside a thought. */
	readonly isInThought?: boolean;
	/** Returns the calls that a thought ends with. */
	readonly callsAfter?: (thought: string) => readonly CompletionCall[];
	/** Converts a line of a JSON-lines answer to OpenAI's format. */
	readonly chunkOf?: ((line: string) => string) | undefined;
	readonly clock?: Clock;
}

/** Reads an answer, streamed or whole, and closes the response. Throws `HttpFailure` if the answer is incomplete. */
export async function* readCompletion(
	response: Response,
	server: string,
	{
		isInThought = false,
		callsAfter,
		chunkOf = line => line,
		clock = systemClock,
	}: ReadingOptions = {},
): AsyncGenerator<CompletionPart, void, undefined> {
	const reader = new CompletionReader(server, isInThought, callsAfter);
	const body = new AnswerBody(server, reader, chunkOf);
	const decoder = new TextDecoder();
	const source = response.body?.getReader();
	// A complete answer loses nothing when the connection breaks, as it does behind some proxies.
	const read = async () =>
		await source?.read().catch((error: unknown) => {
			if (!reader.hasEnd) {
				throw error;
			}
			return undefined;
		});
	// Fails only if the connection is already closed.
	const close = async (): Promise<void> => await source?.cancel().catch(() => undefined);
	let size = 0;
	let settling: ReturnType<Clock["setTimer"]> | undefined;
	try {
		for (let piece = await read(); piece?.value; piece = await read()) {
			const { value } = piece;
			size += value.length;
			if (size > maxAnswerBytes) {
				throw withoutEnd(server);
			}
			// Delegating to a synchronous generator would take several turns of the event loop for each part.
			for (const part of reader.partsOf(() => body.feed(decoder.decode(value, { stream: true })))) {
				yield part;
			}
			if (reader.isOver) {
				break;
			}
			settling?.dispose();
			settling = reader.hasEnd ? clock.setTimer(settleMs, () => void close()) : undefined;
		}
		yield* reader.partsOf(() => {
			body.end(decoder.decode());
			reader.end();
		});
	} finally {
		settling?.dispose();
		await close();
	}
}

/** Reads the body of an answer. Detects its format by the first bytes, regardless of the content type. */
class AnswerBody {
	private readonly server: string;
	private readonly reader: CompletionReader;
	private readonly chunkOf: (line: string) => string;
	private readonly feedFrames: (text: string) => void;
	private form: "unknown" | "frames" | "json" | "lines" | "whole" = "unknown";
	private held: string[] = [];
	private heldLength = 0;

	constructor(server: string, reader: CompletionReader, chunkOf: (line: string) => string) {
		this.server = server;
		this.reader = reader;
		this.chunkOf = chunkOf;
		this.feedFrames = frameFeeder(server, reader);
	}

	feed(text: string): void {
		if (this.form === "frames") {
			this.feedFrames(text);
			return;
		}
		this.hold(text);
		if (this.form === "unknown") {
			this.recognize();
		}
		if ((this.form === "json" || this.form === "lines") && text.includes("\n")) {
			this.readLines(this.take());
		}
	}

	end(text: string): void {
		if (this.form === "frames") {
			// The last frame may lack its blank line.
			this.feedFrames(`${text}\n\n`);
			return;
		}
		this.hold(text);
		const rest = this.take();
		if (this.form === "lines") {
			this.readLines(`${rest}\n`);
		} else if (parseJson(rest) !== undefined) {
			this.reader.frame(this.chunkOf(rest));
		} else if (rest.trim() !== "") {
			throw notAnAnswer(this.server, rest);
		}
	}

	private recognize(): void {
		const text = this.held.join("").trimStart();
		if (/^(?::|(?:data|event|error|id|retry)\b)/.test(text)) {
			this.form = "frames";
			this.feedFrames(this.take());
		} else if (/^[[{]/.test(text)) {
			this.form = "json";
			this.held = [text];
		} else if (text.length > longestField) {
			this.form = "whole";
		}
	}

	/** Reads JSON lines, or a single JSON text on several lines, depending on the first line. */
	private readLines(text: string): void {
		const lines = text.split("\n");
		const rest = lines.pop() ?? "";
		const [first = ""] = lines;
		if (this.form === "json" && parseJson(first) === undefined) {
			this.form = "whole";
			this.hold(text);
			return;
		}
		this.form = "lines";
		this.hold(rest);
		for (const line of lines.filter(entry => entry.trim() !== "")) {
			this.reader.frame(parseJson(line) === undefined ? line : this.chunkOf(line));
		}
	}

	private hold(text: string): void {
		this.held.push(text);
		this.heldLength += text.length;
		if (this.heldLength > maxFrameLength) {
			throw withoutEnd(this.server);
		}
	}

	private take(): string {
		this.heldLength = 0;
		return this.held.splice(0).join("");
	}
}

function withoutEnd(server: string): HttpFailure {
	return broken(`${server} sent an answer without an end, which was left.`);
}

/** Length of the longest field name of an event stream with its colon. */
const longestField = "event:".length;

function frameFeeder(server: string, reader: CompletionReader): (text: string) => void {
	let isTooLong = false;
	const parser = createParser({
		maxBufferSize: maxFrameLength,
		onEvent: ({ event, data }) => reader.frame(data, event),
		onError: ({ type, field, value }) => {
			isTooLong ||= type === "max-buffer-size-exceeded";
			// Old versions of llama.cpp have a field of their own for errors.
			if (type === "unknown-field" && field === "error") {
				reader.frame(value ?? "", "error");
			}
		},
	});
	let held = "";
	let isInLine = false;
	return text => {
		const all = held + text;
		const start = all.lastIndexOf("\n") + 1;
		const line = all.slice(start);
		// The parser drops a line with a field that it doesn't know if it comes in pieces.
		const isHeld =
			line !== "" &&
			!(isInLine && start === 0) &&
			/^e(?:r(?:r(?:o(?:r(?::.*)?)?)?)?)?$/s.test(line);
		held = isHeld ? line : "";
		const fed = isHeld ? all.slice(0, start) : all;
		isInLine = fed === "" ? isInLine : !fed.endsWith("\n");
		parser.feed(fed);
		if (isTooLong) {
			throw broken(`${server} sent a frame that is too long.`);
		}
	};
}
