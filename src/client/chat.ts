import { type CallContext, callService, repeatedly, type ServiceCall } from "./request/attempts.ts";
import { readAnswer } from "./stream/chatAnswer.ts";
import { chatEvents, maxAnswerBytes } from "./stream/chatStream.ts";
import { totalMs } from "./contract/deadlines.ts";
import { ServiceError } from "./contract/errors.ts";
import type { ChatAnswer, ChatEvent } from "./contract/events.ts";
import { withoutKey } from "./request/redact.ts";
import { openExchange } from "./request/request.ts";
import { type ChatRequest, chatRequestSchema } from "./contract/schemas.ts";
import type { CallOptions } from "./contract/serviceClient.ts";
import { jsonBody, validated } from "./request/validate.ts";

const json = "application/json";

/**
 * Streams the answer to a chat request; class P, and never repeated once an answer began. The request goes out when the
 * first event is asked for. Interface §4.4, §6.
 */
export async function* streamChat(
	context: CallContext,
	request: ChatRequest,
	options: CallOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
	const call = chatCall({ ...request, stream: true }, `text/event-stream, ${json}`);
	const { exchange, apiKey } = await repeatedly(context, call, options, async connection => ({
		exchange: await openExchange(context, connection, call.request(connection), options),
		apiKey: connection.apiKey,
	}));
	try {
		yield* chatEvents(context, exchange, options.signal);
	} catch (error) {
		throw error instanceof ServiceError ? withoutKey(error, apiKey) : error;
	}
}

/** The same request with streaming off; class P. Interface §4.4. */
export async function chat(
	context: CallContext,
	request: ChatRequest,
	options: CallOptions,
): Promise<ChatAnswer> {
	const call = chatCall({ ...request, stream: false }, json);
	return await callService(context, call, options, exchange =>
		readAnswer(exchange, maxAnswerBytes),
	);
}

function chatCall(request: ChatRequest, accept: string): ServiceCall {
	const body = jsonBody(validated(chatRequestSchema, request));
	return {
		name: request.stream ? "streamChat" : "chat",
		repeatClass: "paid",
		request: () => ({
			method: "POST",
			path: "/v1/chat/messages",
			accept,
			contentType: json,
			body,
			...(request.stream ? {} : { totalMs: totalMs.answer }),
		}),
	};
}
