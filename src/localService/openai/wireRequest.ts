import {
	type ChatMessage,
	type ChatRequest,
	type ToolCall,
	toolCallSchema,
} from "../../client/contract/schemas.ts";
import * as z from "zod/mini";

/** A message as OpenAI writes it. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/** A request to a model, as OpenAI writes it. */
export type CompletionBody = Readonly<Record<string, unknown>> & {
	readonly model: string;
	readonly messages: readonly WireMessage[];
};

const callsSchema = z.array(toolCallSchema);

/**
 * The request's messages in OpenAI's form. `restore` gives the message back that a model sent with a call, as it was, where it is
 * still known; results of deprecated functions become those of tools.
 */
export function messagesOf(
	messages: readonly ChatMessage[],
	restore: (calls: readonly ToolCall[]) => WireMessage | undefined,
): WireMessage[] {
	const wire: WireMessage[] = [];
	let functionId = "";
	for (const [index, message] of messages.entries()) {
		const { role, content, name, tool_call_id: callId, function_call: called } = message;
		const calls = callsOf(message);
		if (role === "assistant" && called) {
			functionId = `function${index}`;
			calls.push({ id: functionId, type: "function", function: called });
		}
		if (role === "assistant") {
			addAssistant(wire, content, calls, restore(calls));
		} else if (role === "tool" || role === "function") {
			wire.push({ role: "tool", tool_call_id: callId ?? functionId, content });
		} else {
			wire.push({ role, content, name });
		}
	}
	return wire;
}

/** The calls of a message; none of one that holds no list of calls. */
export function callsOf(message: Readonly<Record<string, unknown>>): ToolCall[] {
	return callsSchema.safeParse(message["tool_calls"]).data ?? [];
}

/**
 * The messages with earlier calls and their results told in words, for a server that demands back with them what is lost. Nothing
 * where no message lacks it. A message keeps its calls when it still has what the model sent with them.
 */
export function callsInWords(messages: readonly WireMessage[]): WireMessage[] | undefined {
	const told = new Set<string>();
	const plain = messages.map((message): WireMessage => {
		const { role, content } = message;
		const calls = isBare(message) ? callsOf(message) : [];
		if (role === "assistant" && calls.length > 0) {
			calls.forEach(({ id }) => told.add(id));
			const words = calls.map(
				call => `(I called ${call.function.name} with ${call.function.arguments})`,
			);
			return { role, content: [content, ...words].filter(Boolean).join("\n\n") };
		}
		return role === "tool" && told.has(String(message["tool_call_id"]))
			? resultInWords(message)
			: message;
	});
	return told.size > 0 ? plain : undefined;
}

/** The result of a call as the user's words. */
export function resultInWords({ content }: WireMessage): WireMessage {
	return { role: "user", content: `The result of the call:\n\n${String(content)}` };
}

const bareFields = new Set(["role", "content", "tool_calls", "id", "type", "function"]);

/** Whether nothing of what a model sent is in a message but its text and calls. */
function isBare(message: WireMessage): boolean {
	const parts = [message, ...z.array(z.looseObject({})).parse(message["tool_calls"] ?? [])];
	return parts.every(part => Object.keys(part).every(field => bareFields.has(field)));
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
	} else if (text.trim() !== "") {
		wire.push({ role: "assistant", content: text });
	}
}

/** The caller's tools in OpenAI's form, without bounds; deprecated functions become tools. */
export function toolsOf({ custom_tools: tools = [], functions = [] }: ChatRequest): object[] {
	const described = [...tools.map(tool => tool.function), ...functions];
	return described.map(each => ({
		type: "function",
		function: {
			...each,
			...("parameters" in each ? { parameters: withoutBounds(each.parameters) } : {}),
		},
	}));
}

/**
 * Fields of a JSON Schema that bound a value. llama.cpp makes a grammar of them that may be too large to read, and gateways to Gemini
 * refuse those they do not know. Whoever runs a call checks its arguments by the whole schema.
 */
const bounds = new Set([
	...["$schema", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"],
	...["uniqueItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
	...["minProperties", "maxProperties", "propertyNames", "additionalProperties"],
]);

/** Fields that hold schemas by the names of properties, which may be called like a bound. */
const maps = new Set(["properties", "$defs", "definitions"]);

/** A JSON Schema without bounds at any depth. */
function withoutBounds(schema: unknown): unknown {
	if (Array.isArray(schema)) {
		return schema.map(withoutBounds);
	}
	if (typeof schema !== "object" || schema === null) {
		return schema;
	}
	const kept = Object.entries(schema).filter(([name]) => !bounds.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, maps.has(name) ? byName(value) : withoutBounds(value)]),
	);
}

function byName(schemas: unknown): unknown {
	return typeof schemas === "object" && schemas !== null
		? Object.fromEntries(
				Object.entries(schemas).map(([name, schema]) => [name, withoutBounds(schema)]),
			)
		: schemas;
}
