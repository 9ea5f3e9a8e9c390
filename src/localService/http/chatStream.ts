import { once } from "node:events";
import type { ChatRequest, ToolCall } from "../../client/contract/schemas.ts";
import { detailsHeader, type DetailFrame } from "../../client/contract/details.ts";
import { type Clock, every, throwIfAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { type EngineEvent, isDetail } from "../engine.ts";
import { commonHeaders, type HttpExchange } from "./exchange.ts";
import { isDeprecatedCall } from "./requestParameters.ts";
import type { FrameWriter } from "./exchange.ts";

/** Makes a writer on a response that has not started. */
function createFrameWriter({ response, signal }: HttpExchange): FrameWriter {
	const send = (data: string): boolean => {
		throwIfAborted(signal);
		if (!response.headersSent) {
			response.writeHead(200, { ...commonHeaders, "Content-Type": "text/event-stream" });
		}
		return response.write(`data: ${data}\n\n`);
	};
	return {
		write: async data => {
			if (!send(data)) {
				await once(response, "drain", { signal });
			}
		},
	};
}

/**
 * Streams an answer, to the letter of interface §6: every message opens with its role, closes with an empty object and
 * `[DONE]`, and `[END]` closes the stream. Errors before the first frame are thrown; there is no way to tell one later, but to those who
 * ask for details, which come in frames of their own.
 */
export async function streamAnswer(
	exchange: HttpExchange,
	events: AsyncIterable<EngineEvent>,
	request: ChatRequest,
	clock: Clock,
): Promise<void> {
	const frames = createFrameWriter(exchange);
	const details = asksForDetails(exchange) ? new DetailWriter(exchange, frames, clock) : undefined;
	try {
		for await (const event of events) {
			await details?.write(event);
			await writeEvent(event, request, frames);
		}
	} finally {
		details?.dispose();
	}
	await frames.write("[END]");
	exchange.response.end();
}

async function writeEvent(
	event: EngineEvent,
	request: ChatRequest,
	frames: FrameWriter,
): Promise<void> {
	switch (event.type) {
		case "message-start":
			await frames.write(JSON.stringify({ role: event.role, content: "" }));
			break;
		case "text-delta":
			await frames.write(JSON.stringify({ content: event.text }));
			break;
		case "tool-call":
			await frames.write(JSON.stringify(callFields(event, request)));
			break;
		case "message-end":
			await frames.write("{}");
			await frames.write("[DONE]");
			break;
		case "unreadable":
			await frames.write('{"content":"these words are lost"');
			break;
		default:
	}
}

/** Whether a request asks for what the interface has no field for. */
export function asksForDetails({ request }: Pick<HttpExchange, "request">): boolean {
	return request.headers[detailsHeader] !== undefined;
}

/** Writes a detail as the frame that holds it. */
export function detailFrame(detail: DetailFrame): string {
	return JSON.stringify({ cutaway: detail });
}

/**
 * How often a caller is told what the model does, in milliseconds: one that gets nothing for 15 seconds shows so, and after a minute
 * gives the answer up, while a model may read or write a call for longer.
 */
const progressMs = 10_000;

type Progress = Extract<DetailFrame, { type: "progress" }>;
const working: Progress = { type: "progress", stage: "working" };

/** Writes what the interface's frames cannot hold between them. */
class DetailWriter implements IDisposable {
	private readonly frames: FrameWriter;
	private readonly clock: Clock;
	private readonly ticker: IDisposable;
	private thinkingSince: number | undefined;
	private progress = working;

	constructor({ response }: HttpExchange, frames: FrameWriter, clock: Clock) {
		this.frames = frames;
		this.clock = clock;
		this.ticker = every(
			progressMs,
			() => {
				// A caller that reads nothing has enough to read.
				if (!response.writableNeedDrain) {
					this.send(this.progress).catch(ignoreLeaving);
				}
			},
			clock,
		);
	}

	/** Writes an event of the answer where it is a detail, and the end of a thought before any other. */
	async write(event: EngineEvent): Promise<void> {
		this.progress = event.type === "progress" ? event : working;
		if (event.type === "thinking") {
			this.thinkingSince ??= this.clock.monotonic();
		} else if (event.type === "not-thinking") {
			this.thinkingSince = undefined;
		} else if (!isDetail(event)) {
			await this.endThought();
		}
		if (isDetail(event)) {
			await this.send(event);
		}
	}

	/** Ends the thought under way and stops. */
	dispose(): void {
		this.ticker.dispose();
		this.endThought().catch(ignoreLeaving);
	}

	private async endThought(): Promise<void> {
		if (this.thinkingSince !== undefined) {
			const ms = Math.round(this.clock.monotonic() - this.thinkingSince);
			this.thinkingSince = undefined;
			await this.send({ type: "thought", ms });
		}
	}

	private async send(detail: DetailFrame): Promise<void> {
		await this.frames.write(detailFrame(detail));
	}
}

/** Does nothing about a caller who left: the answer itself ends with that. */
function ignoreLeaving(): void {}

type ToolCallEvent = Extract<EngineEvent, { type: "tool-call" }>;

function callFields(event: ToolCallEvent, request: ChatRequest): object {
	const call = toolCallOf(event);
	return isDeprecatedCall(request, event.name)
		? { function_call: call.function }
		: { tool_calls: [call] };
}

/** A call as a message holds it. Interface §2.2. */
export function toolCallOf(event: ToolCallEvent): ToolCall {
	return {
		id: event.id,
		type: "function",
		function: { name: event.name, arguments: event.arguments },
	};
}
