import type { ChatMessage, ChatRequest } from "../../client/index.ts";
import * as z from "zod/mini";
import { toolCallSchema } from "../../client/index.ts";

/** A message as OpenAI writes it. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly role: string };

const callsSchema = z.array(toolCallSchema);

/**
 * The request's messages in OpenAI's form. `restore` gives the message back that a model sent with a call, as it was, where it is
 * still known; results of deprecated functions become those of tools.
 */
export function messagesOf(
	messages: readonly ChatMessage[],
	restore: (callId: string) => WireMessage | undefined,
): WireMessage[] {
	const wire: WireMessage[] = [];
	let functionId = "";
	for (const [index, message] of messages.entries()) {
		const { role, content, name, tool_call_id: callId, function_call: called } = message;
		const calls = callsSchema.safeParse(message["tool_calls"]).data ?? [];
		if (role === "assistant" && called) {
			functionId = `function${index}`;
			calls.push({ id: functionId, type: "function", function: called });
		}
		if (role === "assistant") {
			addAssistant(wire, content, calls, restore(calls[0]?.id ?? ""));
		} else if (role === "tool" || role === "function") {
			wire.push({ role: "tool", tool_call_id: callId ?? functionId, content });
		} else {
			wire.push({ role, content, ...(name === undefined ? {} : { name }) });
		}
	}
	return wire;
}

/** Several messages of one answer become one: many chat templates insist on roles that take turns. */
function addAssistant(
	wire: WireMessage[],
	content: string,
	calls: readonly object[],
	known: WireMessage | undefined,
): void {
	const last = wire.at(-1);
	const before =
		last?.role === "assistant" && last["tool_calls"] === undefined ? last["content"] : undefined;
	if (typeof before === "string") {
		wire.pop();
	}
	const text = [before, content].filter(part => part).join("\n\n");
	if (calls.length > 0) {
		wire.push({ role: "assistant", tool_calls: calls, ...known, content: text });
	} else if (text !== "") {
		wire.push({ role: "assistant", content: text });
	}
}

/** The caller's tools in OpenAI's form; deprecated functions become tools. */
export function toolsOf({ custom_tools: tools = [], functions = [] }: ChatRequest): object[] {
	return [...tools, ...functions.map(described => ({ type: "function", function: described }))];
}
