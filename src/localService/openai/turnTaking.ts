import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../../common/json.ts";
import type { ModelLimit } from "./modelLimits.ts";
import { callsOf, resultInWords, type WireMessage } from "./wireRequest.ts";

/** Texts between two messages that a template requires. */
const opening = "(The conversation begins with the following answer.)";
const stopped = "(The answer was stopped here.)";
const noResult = "(The call has no result.)";

/** Adapts the messages to a model's known limits. */
export function messagesWithin(
	messages: readonly WireMessage[],
	limits: ReadonlySet<ModelLimit>,
): readonly WireMessage[] {
	const ordered = takingTurns(messages.map(withObjects), !limits.has("system"));
	const named = limits.has("ids") ? withShortIds(ordered) : ordered;
	const apart = limits.has("text") ? withoutTextsOfCalls(named) : named;
	const filled = limits.has("empty") ? withoutEmptyTexts(apart) : apart;
	const bare = limits.has("oldThoughts") ? filled.map(withoutThoughts) : filled;
	return limits.has("thoughts") ? withThoughts(bare) : bare;
}

/**
 * Reorders the messages so that every chat template accepts them: instructions once at the start, alternating users and assistants, and after a
 * message with calls one result for each. Merges neighbors of the same role, which occur after a stopped answer. `hasSystem` is false for a model
 * without a system role.
 */
function takingTurns(messages: readonly WireMessage[], hasSystem: boolean): WireMessage[] {
	const instructions = messages.filter(isInstruction).map(messageText).join("\n\n");
	const rest = messages.filter(message => !isInstruction(message));
	const lead = { role: hasSystem ? "system" : "user", content: instructions };
	const turns: WireMessage[] = instructions === "" ? [] : [lead];
	for (const message of withResults(rest)) {
		const last = turns.at(-1);
		if (message.role === "user" && last?.role === "tool") {
			turns.push({ role: "assistant", content: stopped });
		} else if (message.role === "assistant" && (!last || isInstruction(last))) {
			turns.push({ role: "user", content: opening });
		} else if (last?.role === message.role && message.role !== "tool") {
			const content = [messageText(last), messageText(message)]
				.filter(text => text !== "")
				.join("\n\n");
			turns.splice(-1, 1, { ...last, ...message, content });
			continue;
		}
		turns.push(message);
	}
	return turns;
}

function withoutEmptyTexts(messages: readonly WireMessage[]): WireMessage[] {
	return messages.map(message =>
		message.role === "assistant" && messageText(message) === ""
			? { ...message, content: null }
			: message,
	);
}

/** Leaves out what a model said before its calls. */
function withoutTextsOfCalls(messages: readonly WireMessage[]): WireMessage[] {
	return messages.map(message =>
		callsOf(message).length > 0 ? { ...message, content: "" } : message,
	);
}

/** Whether a message contains thinking in fields of its own. */
export function hasThoughts(message: WireMessage): boolean {
	return thoughtFields.some(name => message[name] !== undefined);
}

const thoughtFields = ["reasoning_content", "reasoning", "reasoning_details"];

function withoutThoughts(message: WireMessage): WireMessage {
	const fields = Object.entries(message).filter(([name]) => !thoughtFields.includes(name));
	return { ...Object.fromEntries(fields), role: message.role };
}

/** Adds empty thoughts to answers whose thoughts aren't known. */
function withThoughts(messages: readonly WireMessage[]): WireMessage[] {
	return messages.map(message =>
		message.role === "assistant" ? { reasoning_content: "", ...message } : message,
	);
}

const callsSchema = z.array(
	z.looseObject({ id: z.string(), function: z.looseObject({ arguments: z.string() }) }),
);

/** Puts arguments that aren't an object into one. Templates that list the arguments of earlier calls would fail in every later request. */
function withObjects(message: WireMessage): WireMessage {
	const calls = callsSchema.safeParse(message["tool_calls"]).data ?? [];
	if (calls.every(call => isRecord(parseJson(call.function.arguments)))) {
		return message;
	}
	const readable = calls.map(call => {
		const { arguments: input } = call.function;
		return isRecord(parseJson(input))
			? call
			: { ...call, function: { ...call.function, arguments: JSON.stringify({ input }) } };
	});
	return { ...message, tool_calls: readable };
}

/** Changes call ids to Mistral's format, nine letters and digits. */
function withShortIds(messages: readonly WireMessage[]): WireMessage[] {
	return messages.map(message => {
		const id = message["tool_call_id"];
		const calls = callsSchema.safeParse(message["tool_calls"]).data;
		return {
			...message,
			...(typeof id === "string" ? { tool_call_id: shortId(id) } : {}),
			...(calls ? { tool_calls: calls.map(call => ({ ...call, id: shortId(call.id) })) } : {}),
		};
	});
}

function isInstruction({ role }: WireMessage): boolean {
	return role === "system" || role === "developer";
}

export function messageText({ content }: WireMessage): string {
	return typeof content === "string" ? content : "";
}

/** Moves results after the message with their calls. Converts a result without a call to a user message. */
function withResults(messages: readonly WireMessage[]): WireMessage[] {
	const ids = messages.map(message => callsOf(message).map(({ id }) => id));
	const used = new Set<WireMessage>();
	const resultOf = (id: string, from: number): WireMessage => {
		for (let at = from; at < messages.length && !ids[at]?.includes(id); at += 1) {
			const message = messages[at];
			if (message?.role === "tool" && message["tool_call_id"] === id && !used.has(message)) {
				used.add(message);
				return message;
			}
		}
		return { role: "tool", tool_call_id: id, content: noResult };
	};
	return messages.flatMap((message, at) => {
		if (message.role === "tool") {
			return used.has(message) ? [] : [resultInWords(message)];
		}
		return [message, ...(ids[at] ?? []).map(id => resultOf(id, at + 1))];
	});
}

function shortId(id: string): string {
	return /^[a-z0-9]{9}$/i.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}
