import { charactersPerToken } from "../../common/modelSetup.ts";
import {
	type ChatMessage,
	type ChatRequest,
	type ToolCall,
	toolCallSchema,
} from "../../client/contract/schemas.ts";
import * as z from "zod/mini";

/** A message in OpenAI's format. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/** A request in OpenAI's format. */
export type CompletionBody = Readonly<Record<string, unknown>> & {
	readonly model: string;
	readonly messages: readonly WireMessage[];
};

const callsSchema = z.array(toolCallSchema);

/**
 * Converts a request's messages to OpenAI's format. `restore` returns the original message that a model sent with calls, if it is still known.
 * Results of deprecated functions become tool results.
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

export function callsOf(message: Readonly<Record<string, unknown>>): ToolCall[] {
	return callsSchema.safeParse(message["tool_calls"]).data ?? [];
}

/** Converts calls whose data is lost to text, for servers that need it back. Returns undefined if nothing changes. */
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

export function resultInWords({ content }: WireMessage): WireMessage {
	return { role: "user", content: `The result of the call:\n\n${String(content)}` };
}

const bareFields = new Set(["role", "content", "tool_calls", "id", "type", "function"]);

/** Whether a message contains only text and calls, without further data of the model. */
function isBare(message: WireMessage): boolean {
	const parts = [message, ...z.array(z.looseObject({})).parse(message["tool_calls"] ?? [])];
	return parts.every(part => Object.keys(part).every(field => bareFields.has(field)));
}

/** Merges several messages of an answer, because many chat templates require alternating roles. */
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

/** Returns the client's tools in OpenAI's format without value constraints. Deprecated functions become tools. */
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
 * Value constraints of JSON Schema. llama.cpp would convert them to a grammar that may be too large, and gateways to Gemini reject unknown ones.
 * Arguments are still validated by the complete schema when a call is run.
 */
const bounds = new Set([
	"$schema",
	"minLength",
	"maxLength",
	"pattern",
	"format",
	"minItems",
	"maxItems",
	"uniqueItems",
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"minProperties",
	"maxProperties",
	"propertyNames",
	"additionalProperties",
]);

/** Fields that contain schemas by property name; a property may have the name of a constraint. */
const maps = new Set(["properties", "$defs", "definitions"]);

function withoutBounds(schema: unknown): unknown {
	if (Array.isArray(schema)) {
		return schema.map(withoutBounds);
	}
	if (typeof schema !== "object" || schema === null) {
		return schema;
	}
	const kept = Object.entries(schema).filter(([name]) => !bounds.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) =>
			name === "type" && Array.isArray(value)
				? // Google's servers take one type alone.
					[name, value.find(type => type !== "null")]
				: [name, maps.has(name) ? byName(value) : withoutBounds(value)],
		),
	);
}

function byName(schemas: unknown): unknown {
	return typeof schemas === "object" && schemas !== null
		? Object.fromEntries(
				Object.entries(schemas).map(([name, schema]) => [name, withoutBounds(schema)]),
			)
		: schemas;
}

/** The share of a model's context for tool descriptions. */
const toolShare = 1 / 3;
/** Lower bound of any model's context. Descriptions that fit its share fit every model. */
const shortestContext = 4_096;

/** The most functions in a request that services accept, those of the local service included. */
export const maxFunctions = 128;

/** The functions offered to a model, and the names of the omitted ones. */
export interface OfferedFunctions {
	readonly kept: readonly object[];
	readonly leftOut: readonly string[];
}

/** Returns the functions to offer a model. Asks for its context only if they may be too many. */
export async function offeredOf(
	functions: readonly object[],
	contextOf: () => Promise<number | undefined> | undefined,
): Promise<OfferedFunctions> {
	return functionsThatFit(functions, mayBeTooMany(functions) ? await contextOf() : undefined);
}

/** Whether a model's context must be known before these functions are offered. */
export function mayBeTooMany(functions: readonly object[]): boolean {
	return tokensOf(functions) > shortestContext * toolShare;
}

/** Returns the first functions that fit into a third of the context, and into a request. `contextLength` is in tokens, or undefined if unknown. */
export function functionsThatFit(
	functions: readonly object[],
	contextLength: number | undefined,
): OfferedFunctions {
	let room = (contextLength ?? Infinity) * toolShare;
	const kept: object[] = [];
	const leftOut: string[] = [];
	for (const described of functions) {
		const tokens = tokensOf([described]);
		if (tokens <= room && kept.length < maxFunctions) {
			room -= tokens;
			kept.push(described);
		} else {
			leftOut.push(nameOf(described));
		}
	}
	return { kept, leftOut };
}

const namedSchema = z.object({ function: z.object({ name: z.string() }) });

export function nameOf(described: object): string {
	return namedSchema.parse(described).function.name;
}

function tokensOf(functions: readonly object[]): number {
	return JSON.stringify(functions).length / charactersPerToken;
}
