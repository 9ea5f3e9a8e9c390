import { toolCallPieces } from "./chatFrame.ts";
import { ServiceError } from "../contract/serviceError.ts";
import {
	assumptions,
	type ChatMessage,
	chatMessageSchema,
	chatResponseSchema,
} from "../contract/schemas.ts";
import type { ChatAnswer, ChatEvent } from "../contract/serviceClient.ts";
import { readJson } from "../request/jsonAnswer.ts";
import type { ResponseStream } from "../request/request.ts";
import { isRecord } from "../../common/json.ts";
import { type MessageToolCalls, toolCallsOf } from "./toolCalls.ts";

/**
 * Reads an answer from a single JSON body. Leaves out and counts unreadable parts, as in a stream. An answer without text and calls fails as
 * `unreadable` if there were any, otherwise as `empty`. docs/interface.md §4.4.
 */
export async function readAnswer(exchange: ResponseStream, maxBytes: number): Promise<ChatAnswer> {
	const body = await readJson(exchange, chatResponseSchema, maxBytes);
	const { messages, unreadable } = readMessages(body.messages);
	const isReadable = unreadable.every(count => count === 0);
	if (!messages.some(hasSubstance)) {
		throw new ServiceError(isReadable ? "empty" : "unreadable", {
			charge: "unknown",
			status: exchange.status,
			host: exchange.host,
		});
	}
	return isReadable ? { messages } : { messages, unreadable };
}

export function* eventsOfMessages(
	messages: readonly ChatMessage[],
	unreadable: readonly number[] = [],
): Generator<ChatEvent, void, undefined> {
	for (const [index, message] of messages.entries()) {
		yield { type: "message-start", index, role: message.role };
		if (message.content !== "") {
			yield { type: "text-delta", index, text: message.content };
		}
		const lost = unreadable[index] ?? 0;
		const toolCalls = toolCallsOf(message);
		const isUnusable = toolCalls === "unusable";
		const kept = lost > 0 || isUnusable ? undefined : toolCalls;
		for (const call of kept?.calls ?? []) {
			yield { type: "tool-call", index, call };
		}
		yield {
			type: "message-end",
			index,
			message: lost > 0 || isUnusable ? withoutCalls(message) : withCalls(message, kept),
			isClosed: true,
			unreadableFrames: lost + (isUnusable ? 1 : 0),
			hasReplacedBytes: message.content.includes("\uFFFD"),
			...(isUnusable || toolCalls?.hasUnknownItems ? { hasUnusableCall: true } : {}),
		};
	}
	yield { type: "stream-end", isStreamed: false };
}

/** Returns a message without unrecognized call items, which a service may reject. */
function withCalls(message: ChatMessage, toolCalls: MessageToolCalls | undefined): ChatMessage {
	return toolCalls?.hasUnknownItems ? { ...message, [toolCalls.field]: toolCalls.calls } : message;
}

/** Removes a message's calls if they can't be answered, because the service would wait for their results. */
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

/** Reads messages without their unreadable fields. Items that aren't messages count with the next message, or else the last. */
function readMessages(items: readonly unknown[]): Required<ChatAnswer> {
	const messages: ChatMessage[] = [];
	const unreadable: number[] = [];
	let between = 0;
	for (const item of items) {
		const message = isRecord(item) ? readMessage(item) : undefined;
		if (message) {
			messages.push(message.readable);
			unreadable.push(between + (message.isWhole ? 0 : 1));
		}
		between = message ? 0 : between + 1;
	}
	const last = Math.max(0, messages.length - 1);
	unreadable[last] = (unreadable[last] ?? 0) + between;
	return { messages, unreadable };
}

/** `null` means missing. A missing text is empty, as beside calls; a missing role is treated as in a stream. */
function readMessage(
	item: Readonly<Record<string, unknown>>,
): { readonly readable: ChatMessage; readonly isWhole: boolean } | undefined {
	const fields = Object.entries(item).filter(([, value]) => value !== null);
	const isReadable = ([name, value]: readonly [string, unknown]): boolean =>
		!isKnownField(name) || chatMessageSchema.shape[name].safeParse(value).success;
	const readable = fields.filter(isReadable);
	const isMessage = readable.some(
		([name, value]) => isKnownField(name) || toolCallPieces(value) !== undefined,
	);
	if (!isMessage) {
		return undefined;
	}
	const given = { role: assumptions.answerRole, content: "", ...Object.fromEntries(readable) };
	return { readable: chatMessageSchema.parse(given), isWhole: readable.length === fields.length };
}

function isKnownField(name: string): name is keyof typeof chatMessageSchema.shape {
	return Object.hasOwn(chatMessageSchema.shape, name);
}
