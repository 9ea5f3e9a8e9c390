import {
	type CallDependencies,
	callService,
	repeatedly,
	type ServiceCall,
} from "./request/attempts.ts";
import { readAnswer } from "./stream/chatAnswer.ts";
import { chatEvents, maxAnswerBytes } from "./stream/chatStream.ts";
import { totalMs } from "./contract/assumptions.ts";
import { ServiceError } from "./contract/errors.ts";
import type { ChatAnswer, ChatEvent } from "./contract/events.ts";
import { withoutKey } from "./request/redact.ts";
import { type ResponseStream, openExchange, type ServiceRequest } from "./request/request.ts";
import { type ChatRequest, chatRequestSchema } from "./contract/schemas.ts";
import type { CallOptions, Connection } from "./contract/serviceClient.ts";
import { DetailStream, withWords } from "./details.ts";
import { jsonBody, validated } from "./request/jsonAnswer.ts";

const json = "application/json";

/**
 * Streams the answer to a chat request; class P, and never repeated once an answer began. The request goes out when the
 * first event is asked for. Interface §4.4, §6.
 */
export async function* streamChat(
	dependencies: CallDependencies,
	request: ChatRequest,
	options: CallOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
	const call = chatCall({ ...request, stream: true }, `text/event-stream, ${json}`);
	const { exchange, details, apiKey } = await repeatedly(dependencies, call, options, connection =>
		openAnswer(dependencies, connection, call.request(connection), options),
	);
	try {
		yield* chatEvents(dependencies, exchange, options.signal);
		await details?.settled();
	} catch (error) {
		const words = await details?.settled();
		throw error instanceof ServiceError ? withoutKey(withWords(error, words), apiKey) : error;
	} finally {
		details?.close();
	}
}

interface OpenAnswer {
	readonly exchange: ResponseStream;
	/** Details told beside it, where they can be had. */
	readonly details: DetailStream | undefined;
	readonly apiKey: string | undefined;
}

async function openAnswer(
	dependencies: CallDependencies,
	connection: Connection,
	request: ServiceRequest,
	options: CallOptions,
): Promise<OpenAnswer> {
	let heard = (): void => {};
	const details = await DetailStream.open(dependencies, connection, options, () => heard());
	try {
		const asked = {
			...request,
			...(details ? { detailsId: details.id } : {}),
			onWatched: (noteLife: () => void) => {
				heard = noteLife;
			},
		};
		const exchange = await openExchange(dependencies, connection, asked, options);
		return { exchange, details, apiKey: connection.apiKey };
	} catch (error) {
		await details?.settled();
		details?.close();
		throw error;
	}
}

/** The same request with streaming off; class P. Interface §4.4. */
export async function chat(
	dependencies: CallDependencies,
	request: ChatRequest,
	options: CallOptions,
): Promise<ChatAnswer> {
	const call = chatCall({ ...request, stream: false }, json);
	return await callService(dependencies, call, options, exchange =>
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
