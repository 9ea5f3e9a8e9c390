import { type Clock, systemClock } from "../common/async.ts";
import { type Log, silentLog } from "../common/log.ts";
import {
	type CallDependencies,
	callService,
	repeatedly,
	type ServiceCall,
} from "./request/attempts.ts";
import { uploadFile } from "./files.ts";
import { createImageToVideo, createTextToVideo, getGeneration } from "./generationRequests.ts";
import type {
	Connection,
	ServiceClient,
	ChatAnswer,
	ChatEvent,
	CallOptions,
} from "./contract/serviceClient.ts";
import { readAnswer } from "./stream/chatAnswer.ts";
import { chatEvents, maxAnswerBytes } from "./stream/chatStream.ts";
import { totalMs, type ChatRequest, chatRequestSchema } from "./contract/schemas.ts";
import { ServiceError } from "./contract/serviceError.ts";
import { withoutKey } from "./request/redact.ts";
import { openExchange, type ServiceRequest } from "./request/request.ts";
import { jsonBody, validated } from "./request/jsonAnswer.ts";

const json = "application/json";

/**
 * Streams the answer to a chat request. Class P (docs/faults.md); never repeated once an answer has started. Sends the request when the first event
 * is requested. docs/interface.md §4.4, §6.
 */
export async function* streamChat(
	dependencies: CallDependencies,
	request: ChatRequest,
	options: CallOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
	const call = chatCall({ ...request, stream: true }, `text/event-stream, ${json}`);
	const { events, first, apiKey } = await repeatedly(dependencies, call, options, connection =>
		openAnswer(dependencies, connection, call.request(connection), options),
	);
	try {
		for (let next = first; !next.done; next = await events.next()) {
			yield next.value;
		}
	} catch (error) {
		throw error instanceof ServiceError ? withoutKey(error, apiKey) : error;
	} finally {
		await events.return();
	}
}

interface OpenAnswer {
	readonly events: AsyncGenerator<ChatEvent, void, undefined>;
	readonly first: IteratorResult<ChatEvent, void>;
	readonly apiKey: string | undefined;
}

/** Waits for the answer's first event. The local service may fail after sending the response headers, and such a failure can be retried. */
async function openAnswer(
	dependencies: CallDependencies,
	connection: Connection,
	request: ServiceRequest,
	options: CallOptions,
): Promise<OpenAnswer> {
	const exchange = await openExchange(dependencies, connection, request, options);
	const events = chatEvents(dependencies, exchange, options, connection.hasDetails === true);
	return { events, first: await events.next(), apiKey: connection.apiKey };
}

/** Sends the same request without streaming. Class P (docs/faults.md). docs/interface.md §4.4. */
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
			...(request.stream ? { asksForDetails: true } : { totalMs: totalMs.answer }),
		}),
	};
}

export interface ServiceClientDependencies {
	/**
	 * Returns the address and credentials. Called before every attempt, so that a changed key or a restarted local service takes effect at once. Its
	 * errors become a `ServiceError` of kind `invalidRequest` with the message as detail.
	 */
	readonly connection: () => Promise<Connection>;
	readonly clock?: Clock;
	/** Receives failures and stream endings. Never receives API keys or message text. */
	readonly log?: Log;
	/** Returns a number from 0 to 1, for the jitter of retries. */
	readonly random?: () => number;
}

/** Creates a client. It keeps no connections open and needs no disposal. */
export function createServiceClient(dependencies: ServiceClientDependencies): ServiceClient {
	const callDependencies: CallDependencies = {
		connection: dependencies.connection,
		clock: dependencies.clock ?? systemClock,
		log: dependencies.log ?? silentLog,
		random: dependencies.random ?? Math.random,
	};
	return {
		streamChat: (request, call = {}) => streamChat(callDependencies, request, call),
		chat: (request, call = {}) => chat(callDependencies, request, call),
		createTextToVideo: (request, call = {}) => createTextToVideo(callDependencies, request, call),
		createImageToVideo: (request, call = {}) => createImageToVideo(callDependencies, request, call),
		getGeneration: (id, call = {}) => getGeneration(callDependencies, id, call),
		uploadFile: (file, call = {}) => uploadFile(callDependencies, file, call),
	};
}
