import {
	detailsHeader,
	isServerModel,
	type ChatMessage,
	type ChatRequest,
	chatRequestSchema,
	type FunctionCall,
	type ToolCall,
} from "../../client/contract/schemas.ts";
import { streamAnswer, toolCallOf } from "./answerStream.ts";
import { type EngineEvent, isDetail } from "../engine.ts";
import { type HttpExchange, sendJson, type RouteDependencies } from "./exchange.ts";
import type { FileStore } from "../base/fileStore.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { readJson, parseRequest } from "./requestBody.ts";
import { answerWithin, isDeprecatedCall } from "./requestParameters.ts";
import { pythonTool } from "../python/codeInterpreter.ts";
import type { ServedPython } from "../python/servedPython.ts";

/** The models of docs/interface.md §4.4. */
const models: readonly string[] = [
	"llm-4-turbo-tools",
	"llm-3.5-turbo-tools",
	"llm-4-turbo",
	"llm-3.5-turbo",
];

/** `POST /v1/chat/messages`, streaming or not. docs/interface.md §4.4, §6. */
export async function handleChat(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const request = parseRequest(chatRequestSchema, await readJson(exchange, dependencies));
	checkModel(request);
	checkTools(request, dependencies.python);
	checkFiles(request, dependencies.files);
	const conversation = exchange.request.headers[detailsHeader]?.toString();
	const python = dependencies.python?.open(request, dependencies.files, conversation);
	const events = answerWithin(dependencies.engine, request, exchange.signal, python);
	if (request.stream === true) {
		await streamAnswer(exchange, events, request, dependencies.clock);
		return;
	}
	sendJson(exchange.response, 200, { messages: await gatherMessages(events, request) });
}

/** Accepts the interface's models and those of configured servers: NAME/MODEL. */
function checkModel({ model }: ChatRequest): void {
	if (!models.includes(model) && !isServerModel(model)) {
		throw new HttpFailure(400, "unknown_model", `model: must be ${models.join(" or ")}.`);
	}
}

function checkTools({ tools = [] }: ChatRequest, python: ServedPython | undefined): void {
	const missing = tools.filter(tool => !python || tool !== pythonTool);
	if (missing.length > 0) {
		throw new HttpFailure(
			501,
			"not_implemented",
			`This service was started without ${missing.join(" and ")}. Switch it off, or connect to a service that runs it.`,
		);
	}
}

function checkFiles({ files = [] }: ChatRequest, store: FileStore): void {
	const missing = files.findIndex(file => store.get(file.file_id) === undefined);
	if (missing !== -1) {
		throw new HttpFailure(
			400,
			"unknown_file",
			`files[${missing}].file_id: the service holds no such file. Files are kept until it stops.`,
		);
	}
}

/** Collects a whole answer. docs/interface.md §4.4, non-streaming response. */
async function gatherMessages(
	events: AsyncIterable<EngineEvent>,
	request: ChatRequest,
): Promise<ChatMessage[]> {
	const messages: ChatMessage[] = [];
	let role = "assistant";
	let texts: string[] = [];
	let calls: ToolCall[] = [];
	let called: FunctionCall | undefined;
	for await (const event of events) {
		if (isDetail(event)) {
			continue;
		}
		switch (event.type) {
			case "message-start":
				role = event.role;
				texts = [];
				calls = [];
				called = undefined;
				break;
			case "text-delta":
				texts.push(event.text);
				break;
			case "tool-call":
				if (isDeprecatedCall(request, event.name)) {
					called ??= toolCallOf(event).function;
				} else {
					calls.push(toolCallOf(event));
				}
				break;
			case "message-end":
				messages.push({
					role,
					content: texts.join(""),
					...(calls.length > 0 ? { tool_calls: calls } : {}),
					function_call: called,
				});
				break;
			case "unreadable":
				throw new HttpFailure(500, "engine_failed", "The answer failed on its way.");
		}
	}
	return messages;
}
