import { once } from "node:events";
import {
	type ChatRequest,
	type ToolCall,
	detailsHeader,
	type DetailFrame,
} from "../../client/contract/schemas.ts";
import { type Clock, every, throwIfAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { type EngineEvent, isDetail } from "../engine.ts";
import { commonHeaders, type HttpExchange, type FrameWriter } from "./exchange.ts";
import { isDeprecatedCall } from "./requestParameters.ts";

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
 * Streams an answer as in docs/interface.md §6: each message starts with its role and ends with an empty object and `[DONE]`; `[END]` ends the
 * stream. Throws errors before the first frame. Later errors can be sent only to clients that request details, in frames of their own.
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

/** Whether a request asks for details, which the interface doesn't have. */
export function asksForDetails({ request }: Pick<HttpExchange, "request">): boolean {
	return request.headers[detailsHeader] !== undefined;
}

export function detailFrame(detail: DetailFrame): string {
	return JSON.stringify({ cutaway: detail });
}

/**
 * How often progress is sent, in milliseconds. It is less than the client's {@link noticeAfterMs}, so that a model that takes long to read or to write
 * a call is not shown as silent.
 */
const progressMs = 10_000;

type Progress = Extract<DetailFrame, { type: "progress" | "waiting" | "packages" }>;

function isProgress(event: EngineEvent): event is Progress {
	return event.type === "progress" || event.type === "waiting" || event.type === "packages";
}

const working: Progress = { type: "progress", stage: "working" };

/** Writes details between the interface's frames. */
class DetailWriter implements IDisposable {
	private readonly frames: FrameWriter;
	private readonly clock: Clock;
	private readonly ticker: IDisposable;
	private thinkingSince: number | undefined;
	/** When the text of the open message began. */
	private textSince: number | undefined;
	private progress: Progress = working;
	private progressSince = 0;

	constructor({ response }: HttpExchange, frames: FrameWriter, clock: Clock) {
		this.frames = frames;
		this.clock = clock;
		this.ticker = every(
			progressMs,
			() => {
				// Skips the report if the client isn't reading.
				if (!response.writableNeedDrain) {
					this.send(this.currentProgress()).catch(ignoreLeaving);
				}
			},
			clock,
		);
	}

	/** Writes an event if it is a detail. Ends the current thought before any other event. */
	async write(event: EngineEvent): Promise<void> {
		this.progress = isProgress(event) ? event : working;
		this.progressSince = this.clock.monotonic();
		if (event.type === "thinking") {
			this.thinkingSince ??= this.clock.monotonic();
		} else if (event.type === "not-thinking") {
			this.thinkingSince = undefined;
		} else if (!isDetail(event)) {
			await this.endThought();
		}
		if (event.type === "message-start") {
			this.textSince = this.clock.monotonic();
		}
		if (isDetail(event)) {
			await this.send(event);
		}
		if (event.type === "was-thinking") {
			this.thinkingSince = this.textSince;
			await this.endThought();
		}
	}

	/** Ends the current thought and stops. */
	dispose(): void {
		this.ticker.dispose();
		this.endThought().catch(ignoreLeaving);
	}

	/** Returns the progress, with what is left of a wait. */
	private currentProgress(): Progress {
		const { progress } = this;
		const elapsed = this.clock.monotonic() - this.progressSince;
		return progress.type === "waiting"
			? { ...progress, ms: Math.max(0, progress.ms - elapsed) }
			: progress;
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

/** Ignores that the client left, because that ends the answer itself. */
function ignoreLeaving(): void {}

type ToolCallEvent = Extract<EngineEvent, { type: "tool-call" }>;

function callFields(event: ToolCallEvent, request: ChatRequest): object {
	const call = toolCallOf(event);
	return isDeprecatedCall(request, event.name)
		? { function_call: call.function }
		: { tool_calls: [call] };
}

/** Converts a call for a message. docs/interface.md §2.2. */
export function toolCallOf(event: ToolCallEvent): ToolCall {
	return {
		id: event.id,
		type: "function",
		function: { name: event.name, arguments: event.arguments },
	};
}
