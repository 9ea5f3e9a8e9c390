import { charactersPerToken } from "../../common/modelSetup.ts";
import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import type { Interpreter } from "../python/codeInterpreter.ts";

/**
 * Applies the parameters that are independent of the engine: `max_tokens` truncates the answer; `tool_choice` and the deprecated `function_call`
 * restrict the tools. docs/interface.md §4.4.
 */
export function answerWithin(
	engine: Engine,
	request: ChatRequest,
	signal: AbortSignal,
	python: Interpreter | undefined,
): AsyncIterable<EngineEvent> {
	const maxTokens = request.max_tokens;
	if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens > 0)) {
		throw new HttpFailure(400, "invalid_request", "max_tokens: must be a whole number from 1.");
	}
	const choice = toolChoice(request);
	const events = chosen(engine.answer(offering(request, choice), signal, python), choice);
	return maxTokens === undefined ? events : cut(events, maxTokens * charactersPerToken);
}

/** Whether a call uses the deprecated form, because its tool was passed in `functions`. docs/interface.md §2.2. */
export function isDeprecatedCall(request: ChatRequest, name: string): boolean {
	return !toolNames(request).includes(name) && functionNames(request).includes(name);
}

/** Returns the names of all tools of a request, in both forms. docs/interface.md §4.4. */
export function offeredNames(request: ChatRequest): readonly string[] {
	return [...toolNames(request), ...functionNames(request)];
}

type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

function toolNames({ custom_tools: tools = [] }: ChatRequest): readonly string[] {
	return tools.map(tool => tool.function.name);
}

function functionNames({ functions = [] }: ChatRequest): readonly string[] {
	return functions.map(({ name }) => name).filter(name => typeof name === "string");
}

function toolChoice(request: ChatRequest): ToolChoice {
	const field = request["tool_choice"] === undefined ? "function_call" : "tool_choice";
	const given = request[field] ?? "auto";
	const name = nameIn(given);
	if (name !== undefined && offeredNames(request).includes(name)) {
		return { name };
	}
	if (given === "auto" || given === "none") {
		return given;
	}
	if (given === "required" && offeredNames(request).length > 0) {
		return given;
	}
	const allowed = '"auto", "none", "required" or an offered tool';
	throw new HttpFailure(400, "invalid_request", `${field}: must be ${allowed}.`);
}

/** Returns the tool's name in `{type, function: {name}}` or the deprecated `{name}`. */
function nameIn(choice: unknown): string | undefined {
	if (typeof choice !== "object" || choice === null) {
		return undefined;
	}
	if ("function" in choice) {
		return nameIn(choice.function);
	}
	return "name" in choice && typeof choice.name === "string" ? choice.name : undefined;
}

function offering(request: ChatRequest, choice: ToolChoice): ChatRequest {
	const { custom_tools: tools, functions, ...rest } = request;
	if (choice === "none") {
		return rest;
	}
	if (typeof choice === "string") {
		return request;
	}
	return {
		...rest,
		...(tools ? { custom_tools: tools.filter(tool => tool.function.name === choice.name) } : {}),
		...(functions ? { functions: functions.filter(({ name }) => name === choice.name) } : {}),
	};
}

/** Removes calls that aren't allowed. Doesn't add a required call that is missing. */
async function* chosen(
	events: AsyncIterable<EngineEvent>,
	choice: ToolChoice,
): AsyncGenerator<EngineEvent, void, undefined> {
	const name = typeof choice === "object" ? choice.name : undefined;
	for await (const event of events) {
		const isCall = event.type === "tool-call";
		if (!isCall || (choice !== "none" && (name === undefined || event.name === name))) {
			yield event;
		}
	}
}

/** Truncates the answer's text to this many characters, and ends the answer with that message. */
async function* cut(
	events: AsyncIterable<EngineEvent>,
	maxCharacters: number,
): AsyncGenerator<EngineEvent, void, undefined> {
	let left = maxCharacters;
	for await (const event of events) {
		if (left === 0 && event.type === "message-start") {
			yield { type: "finish", reason: "length" };
			return;
		}
		const characters = event.type === "text-delta" ? [...event.text] : [];
		if (characters.length > left) {
			yield { type: "text-delta", text: characters.slice(0, left).join("") };
			yield { type: "message-end" };
			yield { type: "finish", reason: "length" };
			return;
		}
		left -= characters.length;
		yield event;
	}
}
