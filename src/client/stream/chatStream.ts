import { AbortError } from "../../common/errors.ts";
import { AnswerAssembler, type AnswerEnding } from "./answerAssembler.ts";
import { eventsOfMessages, readAnswer } from "./chatAnswer.ts";
import { ServiceError } from "../contract/serviceError.ts";
import type { ChatEvent, CallOptions } from "../contract/serviceClient.ts";
import { FrameDecoder } from "./chatFrame.ts";
import { statusFailure, webPage } from "../request/httpFailure.ts";
import { maxMessageCharacters, plainText } from "../request/redact.ts";
import {
	BrokenBodyError,
	type ResponseStream,
	interrupted,
	readText,
	type RequestDependencies,
} from "../request/request.ts";
import { parseRetryAfter } from "../request/retry.ts";

/** The largest answer in a single JSON body, in bytes. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Yields the events of a streamed answer in any supported format. Yields everything received before it throws a failure. Throws `ServiceError`, or
 * `AbortError` if the signal is aborted. Always closes the response. Reads details only if `hasDetails`. docs/faults.md.
 */
export async function* chatEvents(
	dependencies: RequestDependencies,
	exchange: ResponseStream,
	options: CallOptions,
	hasDetails: boolean,
): AsyncGenerator<ChatEvent, void, undefined> {
	try {
		const { beginning, format } = await readUntilFormat(exchange);
		const answer = new RewoundExchange(exchange, beginning);
		if (format === "events") {
			yield* streamedEvents(dependencies, new AnswerReader(answer, hasDetails), answer, options);
		} else if (format === "json") {
			const { messages, unreadable } = await readAnswer(answer, maxAnswerBytes);
			yield* eventsOfMessages(messages, unreadable);
		} else {
			throw notAnAnswer(format, await readText(answer, maxAnswerBytes), exchange);
		}
	} catch (error) {
		throw error instanceof BrokenBodyError ? interrupted(exchange, error) : error;
	} finally {
		exchange.close();
	}
}

async function* streamedEvents(
	dependencies: RequestDependencies,
	reader: AnswerReader,
	exchange: ResponseStream,
	{ signal, onNotice }: CallOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
	while (!reader.assembler.ending) {
		await reader.readMore();
		for (const event of reader.assembler.take()) {
			if (signal?.aborted) {
				throw new AbortError();
			}
			if (event.type === "progress" || event.type === "retrying" || event.type === "packages") {
				onNotice?.(event);
			} else {
				yield event;
			}
		}
	}
	const { ending, counts } = reader.assembler;
	dependencies.log.debug("A stream ended", { ending: ending.type, ...counts });
	if (ending.type === "failed") {
		throw endingFailure(ending, exchange, dependencies.clock.now());
	}
}

class AnswerReader {
	private readonly exchange: ResponseStream;
	readonly assembler: AnswerAssembler;
	private isBroken = false;
	private readonly decoder: FrameDecoder;

	constructor(exchange: ResponseStream, hasDetails: boolean) {
		this.exchange = exchange;
		this.assembler = new AnswerAssembler(hasDetails);
		this.decoder = new FrameDecoder({
			onFrame: (data, isTerminated) => {
				if (this.isBroken) {
					this.assembler.drop(data);
				} else {
					this.assembler.accept(data, isTerminated);
				}
			},
			onTooLong: () => this.assembler.fail("answerTooLarge"),
		});
	}

	/** Processes the received bytes, or ends the answer if the body is over. */
	async readMore(): Promise<void> {
		try {
			const bytes = await this.exchange.read();
			if (!bytes) {
				this.finish();
				return;
			}
			this.decoder.push(bytes);
			if (this.assembler.hasContent) {
				this.exchange.noteContent();
			}
		} catch (error) {
			if (!(error instanceof BrokenBodyError)) {
				throw error;
			}
			this.isBroken = true;
			this.finish();
		}
	}

	private finish(): void {
		this.decoder.end();
		this.assembler.close();
	}
}

function endingFailure(
	ending: AnswerEnding & { type: "failed" },
	exchange: ResponseStream,
	now: number,
): ServiceError {
	const { kind, detail, serviceMessage, failed } = ending;
	const { status, host } = exchange;
	const told =
		failed &&
		statusFailure({
			status: failed.status,
			body: JSON.stringify({ error: failed.error }),
			host,
			retryAfterMs: parseRetryAfter(failed.retryAfter, now),
			isLocal: true,
		});
	if (told && (kind === "noText" || kind === "unreadable")) {
		return told;
	}
	const words = serviceMessage || told?.serviceMessage;
	return new ServiceError(kind, {
		charge: "unknown",
		status,
		host,
		serviceMessage: words,
		detail,
		reason: told?.facts.reason,
		tokens: told?.facts.tokens,
	});
}

interface Beginning {
	readonly chunks: readonly Uint8Array[];
	/** An error while reading the start of the body; thrown again after the chunks. */
	readonly broken: BrokenBodyError | undefined;
	readonly isWhole: boolean;
}

/** Reads until the format is clear. A response without a body is `empty`. */
async function readUntilFormat(
	exchange: ResponseStream,
): Promise<{ beginning: Beginning; format: NonNullable<ReturnType<typeof answerFormat>> }> {
	const chunks: Uint8Array[] = [];
	const decoder = new TextDecoder();
	const contentType = exchange.header("content-type");
	let text = "";
	for (;;) {
		const next = await readOrBreak(exchange);
		const isWhole = !(next instanceof Uint8Array);
		if (!isWhole) {
			chunks.push(next);
			text += decoder.decode(next, { stream: true });
		}
		if (isWhole && next === undefined && chunks.length === 0 && isBodiless(exchange)) {
			const { status, host } = exchange;
			throw new ServiceError("empty", { charge: "unknown", status, host });
		}
		const format = answerFormat(text, contentType, isWhole);
		if (format) {
			const broken = next instanceof BrokenBodyError ? next : undefined;
			return { beginning: { chunks, broken, isWhole }, format };
		}
	}
}

async function readOrBreak(
	exchange: ResponseStream,
): Promise<Uint8Array | BrokenBodyError | undefined> {
	try {
		return await exchange.read();
	} catch (error) {
		if (error instanceof BrokenBodyError) {
			return error;
		}
		throw error;
	}
}

/** An event stream without content was cut off; any other response without a body is an empty answer. */
function isBodiless(exchange: ResponseStream): boolean {
	return (
		exchange.status === 204 ||
		exchange.header("content-length") === "0" ||
		!/^\s*text\/event-stream\b/i.test(exchange.header("content-type") ?? "")
	);
}

/** A response stream that starts with the bytes already read. */
class RewoundExchange implements ResponseStream {
	readonly status: number;
	readonly host: string;
	private readonly exchange: ResponseStream;
	private readonly beginning: Beginning;
	private readonly waiting: Uint8Array[];

	constructor(exchange: ResponseStream, beginning: Beginning) {
		this.status = exchange.status;
		this.host = exchange.host;
		this.exchange = exchange;
		this.beginning = beginning;
		this.waiting = [...beginning.chunks];
	}

	header(name: string): string | undefined {
		return this.exchange.header(name);
	}

	async read(): Promise<Uint8Array | undefined> {
		const chunk = this.waiting.shift();
		if (chunk) {
			return chunk;
		}
		if (this.beginning.broken) {
			throw this.beginning.broken;
		}
		return this.beginning.isWhole ? undefined : await this.exchange.read();
	}

	noteContent(): void {
		this.exchange.noteContent();
	}

	close(): void {
		this.exchange.close();
	}
}

function notAnAnswer(
	format: "webPage" | "other",
	body: string,
	exchange: ResponseStream,
): ServiceError {
	const { host, status } = exchange;
	if (format === "webPage") {
		return webPage(body, host, status);
	}
	return new ServiceError("unreadable", {
		charge: "unknown",
		status,
		host,
		serviceMessage: plainText(body, maxMessageCharacters),
		detail: "the answer is neither an event stream nor JSON",
	});
}

/** Format of the response to a streaming request. */
type AnswerFormat = "events" | "json" | "webPage" | "other";

/** A body with a longer preamble of comments and blank lines counts as an event stream, in UTF-16 code units. */
const maxPreambleLength = 4 * 1024;

/** A line that can start an event stream. WHATWG HTML §9.2.6. */
const eventField = /^(data|event|id|retry)(:|$)/;

/**
 * Detects a body's format by its first line that is neither blank nor a comment. The content type counts only if that line is neither JSON, a web
 * page nor an event field. Returns undefined if more of the body is needed.
 */
function answerFormat(
	beginning: string,
	contentType: string | undefined,
	isWhole: boolean,
): AnswerFormat | undefined {
	const text = beginning.replace(/^\uFEFF/, "");
	const first = text.trimStart().charAt(0);
	if (first === "{" || first === "[") {
		return "json";
	}
	if (first === "<") {
		return "webPage";
	}
	if (text.length > maxPreambleLength) {
		return "events";
	}
	const isTyped = /^\s*text\/event-stream\b/i.test(contentType ?? "");
	if (isTyped) {
		return first !== "" || isWhole ? "events" : undefined;
	}
	return formatOfLine(firstLine(text), isWhole);
}

function formatOfLine(
	line: AnswerLine | undefined,
	isBodyWhole: boolean,
): AnswerFormat | undefined {
	if (!line) {
		return isBodyWhole ? "events" : undefined;
	}
	if (eventField.test(line.text) && (line.isWhole || isBodyWhole || line.text.includes(":"))) {
		return "events";
	}
	const canBecomeField = !line.isWhole && !isBodyWhole && startsField(line.text);
	return canBecomeField ? undefined : "other";
}

interface AnswerLine {
	readonly text: string;
	/** Whether the line break has arrived. */
	readonly isWhole: boolean;
}

function firstLine(text: string): AnswerLine | undefined {
	const lines = text.split(/\r\n|\n|\r/);
	const index = lines.findIndex(line => line !== "" && !line.startsWith(":"));
	const line = lines[index];
	return line === undefined ? undefined : { text: line, isWhole: index < lines.length - 1 };
}

function startsField(text: string): boolean {
	return ["data", "event", "id", "retry"].some(field => field.startsWith(text));
}
