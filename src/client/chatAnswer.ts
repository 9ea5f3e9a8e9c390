import { toolCallPieces } from "./chatFrame.ts";
import { ServiceError } from "./errors.ts";
import type { ChatEvent } from "./events.ts";
import { readJson } from "./jsonAnswer.ts";
import type { Exchange } from "./request.ts";
import { type ChatMessage, chatResponseSchema } from "./schemas.ts";
import { isRecord } from "./serviceMessage.ts";
import { toolCallsOf } from "./toolCalls.ts";

/**
 * Reads the messages of an answer that is one JSON body. An answer without text and calls is `empty` (row H18). Interface
 * §4.4.
 */
export async function readMessages(
	exchange: Exchange,
	maxBytes: number,
): Promise<readonly ChatMessage[]> {
	const { messages } = await readJson(exchange, chatResponseSchema, maxBytes, withTexts);
	if (!messages.some(hasSubstance)) {
		throw new ServiceError("empty", {
			charge: "unknown",
			status: exchange.status,
			host: exchange.host,
		});
	}
	return messages;
}

/** The events a stream of the same messages would have given (row H15). */
export function* eventsOfMessages(
	messages: readonly ChatMessage[],
): Generator<ChatEvent, void, undefined> {
	for (const [index, message] of messages.entries()) {
		yield { type: "message-start", index, role: message.role };
		if (message.content !== "") {
			yield { type: "text-delta", index, text: message.content };
		}
		const toolCalls = toolCallsOf(message);
		for (const call of toolCalls === "unusable" ? [] : (toolCalls?.calls ?? [])) {
			yield { type: "tool-call", index, call };
		}
		yield {
			type: "message-end",
			index,
			message: toolCalls === "unusable" ? withoutCalls(message) : message,
			isClosed: true,
			unreadableFrames: toolCalls === "unusable" ? 1 : 0,
			hasReplacedBytes: message.content.includes("\uFFFD"),
			...(toolCalls === "unusable" ? { hasUnusableCall: true } : {}),
		};
	}
	yield { type: "stream-end", isStreamed: false };
}

/** A message without its calls: the service would wait for results of what cannot be answered. */
function withoutCalls({ function_call: _, ...message }: ChatMessage): ChatMessage {
	const { role, content } = message;
	const kept = Object.entries(message).filter(([, value]) => toolCallPieces(value) === undefined);
	return { ...Object.fromEntries(kept), role, content };
}

function hasSubstance(message: ChatMessage): boolean {
	return (
		message.content !== "" ||
		message.function_call !== undefined ||
		toolCallsOf(message) !== undefined
	);
}

/** `null` says as little as a missing field, and a missing text as little as an empty one: both stand beside calls. */
function withTexts(body: unknown): unknown {
	if (!isRecord(body) || !Array.isArray(body["messages"])) {
		return body;
	}
	const messages: readonly unknown[] = body["messages"];
	return { ...body, messages: messages.map(withText) };
}

function withText(message: unknown): unknown {
	if (!isRecord(message)) {
		return message;
	}
	const fields = Object.entries(message).filter(([, value]) => value !== null);
	return { content: "", ...Object.fromEntries(fields) };
}
