import { once } from "node:events";
import type { ChatRequest, ToolCall } from "../../client/contract/schemas.ts";
import { throwIfAborted } from "../../common/async.ts";
import type { DetailWriter } from "./answerDetails.ts";
import { type EngineEvent, isDetail } from "../engine.ts";
import { commonHeaders, type HttpExchange } from "./exchange.ts";
import { isDeprecatedCall } from "./requestParameters.ts";
import type { FrameWriter } from "./exchange.ts";

/** Makes a writer on a response that has not started. */
function createFrameWriter({ response, signal }: HttpExchange): FrameWriter {
	return {
		write: async data => {
			throwIfAborted(signal);
			if (!response.headersSent) {
				response.writeHead(200, { ...commonHeaders, "Content-Type": "text/event-stream" });
			}
			if (!response.write(`data: ${data}\n\n`)) {
				await once(response, "drain", { signal });
			}
		},
	};
}

/**
 * Streams an answer, to the letter of interface §6: every message opens with its role, closes with an empty object and
 * `[DONE]`, and `[END]` closes the stream. Errors before the first frame are thrown; there is no way to tell one later.
 */
export async function streamAnswer(
	exchange: HttpExchange,
	events: AsyncIterable<EngineEvent>,
	request: ChatRequest,
	details: Pick<DetailWriter, "take">,
): Promise<void> {
	const frames = createFrameWriter(exchange);
	for await (const event of events) {
		details.take(event);
		if (isDetail(event)) {
			continue;
		}
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
		}
	}
	await frames.write("[END]");
	exchange.response.end();
}

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
