import { throwIfAborted } from "../common/async.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { CallOptions, ServiceClient } from "../client/contract/serviceClient.ts";
import type { ChatAnswer, ChatEvent } from "../client/contract/events.ts";
import type { ChatRequest } from "../client/contract/schemas.ts";
import { ServiceError } from "../client/contract/errors.ts";
import type { TurnOutcome } from "./turn/turn.ts";

/** Receives the answer of a running attempt. */
export interface AnswerListener {
	/** Called for every event of a streamed answer except its end, which is the attempt's outcome. */
	onEvent(event: Exclude<ChatEvent, { type: "stream-end" }>): void;
	/** Called with a complete answer without streaming. */
	onAnswer(answer: ChatAnswer): void;
}

/**
 * Sends the single request of an attempt, streamed or not, and returns the outcome. Never throws: a stream without an end is interrupted, and an
 * abort takes precedence over the error it causes.
 */
export async function requestAnswer(
	client: ServiceClient,
	request: ChatRequest,
	options: CallOptions & { readonly signal: AbortSignal },
	listener: AnswerListener,
	log: Log,
): Promise<TurnOutcome> {
	try {
		throwIfAborted(options.signal);
		const isCompleted = request.stream
			? await followStream(client.streamChat(request, options), options.signal, listener)
			: await takeWhole(client.chat(request, options), listener);
		return isCompleted ? { type: "completed" } : failed("interrupted");
	} catch (error) {
		if (options.signal.aborted) {
			return { type: "stopped" };
		}
		if (error instanceof ServiceError) {
			return { type: "failed", error };
		}
		log.error("An answer broke off for a reason of our own", { error: toError(error).message });
		return failed("unreadable");
	}
}

/** Returns whether the stream reached its end. */
async function followStream(
	stream: AsyncIterable<ChatEvent>,
	signal: AbortSignal,
	listener: AnswerListener,
): Promise<boolean> {
	let isCompleted = false;
	for await (const event of stream) {
		throwIfAborted(signal);
		if (event.type === "stream-end") {
			isCompleted = true;
		} else {
			listener.onEvent(event);
		}
	}
	return isCompleted;
}

async function takeWhole(answer: Promise<ChatAnswer>, listener: AnswerListener): Promise<boolean> {
	listener.onAnswer(await answer);
	return true;
}

function failed(kind: "interrupted" | "unreadable"): TurnOutcome {
	return { type: "failed", error: new ServiceError(kind, { charge: "unknown" }) };
}
