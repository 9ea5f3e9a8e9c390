import { noRepeats, type PlannedRepeat } from "../../client/request/retry.ts";
import type { ChatRequest } from "../../client/contract/schemas.ts";
import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import type { EngineEvent } from "../engine.ts";
import { offeredNames } from "../http/requestParameters.ts";
import {
	callsInWords,
	callsOf,
	type CompletionBody,
	maxFunctions,
	messagesOf,
	nameOf,
	type OfferedFunctions,
	offeredOf,
	toolsOf,
	type WireMessage,
} from "../openai/wireRequest.ts";
import type { CompletionCall } from "../openai/completionCalls.ts";
import type { CompletionPart, ModelPart } from "../openai/completionReader.ts";
import {
	acceptedTools,
	maxRefusedTools,
	type ModelLimit,
	modelLimits,
	refusedTool,
	refuses,
} from "../openai/modelLimits.ts";
import { hasThoughts, messagesWithin, messageText } from "../openai/turnTaking.ts";
import { planWait, type Refusal, refusalIn, wantsLostState } from "../openai/serverFailure.ts";
import { type Interpreter, pythonTool } from "../python/codeInterpreter.ts";
import type { CallMemory } from "./callMemory.ts";
import { type ImagePart, readImages, withImages } from "./images.ts";
import { announceFiles } from "../python/announceFiles.ts";
import { describePython, type PythonOutcome, runPython } from "../python/pythonTool.ts";

/** A source of answers: a model server, or the editor. */
export interface ModelSource {
	readonly name: string;
	/** Requests an answer. `body` is an OpenAI request without `stream`. */
	ask(body: CompletionBody, signal: AbortSignal): AsyncIterable<ModelPart>;
	/** Returns the model's context in tokens, if it is known before the request and may be small. */
	contextOf?(model: string, signal: AbortSignal): Promise<number | undefined>;
}

/** The most rounds of tool calls in an answer. */
const maxRounds = 16;

interface ModelMemory {
	readonly calls: CallMemory;
	/** What each model is known not to support, by model id. */
	readonly limits: Map<string, Set<ModelLimit>>;
	/** Names of tools whose descriptions a server refused, by model id. */
	readonly refusedTools: Map<string, Set<string>>;
	/** How many tools a model's server takes, where it refused more, by model id. */
	readonly maxTools: Map<string, number>;
}

interface PendingAnswer {
	readonly server: ModelSource;
	readonly request: ChatRequest;
	readonly signal: AbortSignal;
	readonly clock: Clock;
	readonly log: Log;
	readonly memory: ModelMemory;
	readonly messages: WireMessage[];
	/** Absent if the caller has a tool of its name. */
	readonly python: Interpreter | undefined;
	readonly offered: ReadonlySet<string>;
	readonly functions: OfferedFunctions;
	readonly images: readonly ImagePart[];
}

type End = Extract<CompletionPart, { type: "end" }>;
interface Round {
	readonly end: End;
	readonly text: string;
	readonly isOpen: boolean;
}

/** Answers requests with a model. Records what a model needs back with its calls; everything else is remembered until the service stops. */
export class AnswerLoop {
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly memory: ModelMemory;

	constructor(clock: Clock, log: Log, calls: CallMemory) {
		this.clock = clock;
		this.log = log;
		this.memory = { calls, limits: new Map(), refusedTools: new Map(), maxTools: new Map() };
	}

	async *answer(
		server: ModelSource,
		request: ChatRequest,
		signal: AbortSignal,
		allowed?: Interpreter,
	): AsyncGenerator<EngineEvent, void, undefined> {
		const { clock, log, memory } = this;
		const offered = new Set(offeredNames(request));
		const python = offered.has(pythonTool) ? undefined : allowed;
		const known = await memory.calls.recall(request.model, request.messages.map(callsOf));
		const messages = messagesOf(request.messages, known);
		const files = python ? await announceFiles(python.files) : "";
		const turn: PendingAnswer = {
			server,
			request,
			signal,
			clock,
			log,
			memory,
			python,
			offered,
			messages: files === "" ? [...messages] : withFiles(messages, files),
			functions: await offeredOf(
				[
					...(python
						? [
								{
									type: "function",
									function: await describePython(python),
								},
							]
						: []),
					...toolsOf(request),
				],
				() => server.contextOf?.(modelOf(request.model), signal),
			),
			images: await readImages(allowed?.files ?? []),
		};
		yield* answerInRounds(turn);
	}
}

/** Adds the list of files to the last question, so that the text before it stays the same and a server's cache of it counts. */
function withFiles(messages: readonly WireMessage[], files: string): WireMessage[] {
	const last = messages.findLastIndex(({ role }) => role === "user");
	const asked = messages[last];
	return asked
		? messages.with(last, { ...asked, content: `${messageText(asked)}\n\n${files}` })
		: [...messages, { role: "user", content: files }];
}

async function* answerInRounds(turn: PendingAnswer): AsyncGenerator<EngineEvent, void, undefined> {
	for (let round = 0; round < maxRounds; round += 1) {
		const { end, text, isOpen } = yield* askRemembering(turn);
		if (end.isCut) {
			if (isOpen) {
				yield { type: "message-end" };
			}
			yield* endCut(turn.request, end.calls.length > 0);
			return;
		}
		const own = end.calls.filter(({ name }) => !turn.offered.has(name));
		const callers = end.calls.filter(({ name }) => turn.offered.has(name));
		await keepCalling(turn, end, callers, text);
		if (isOpen && (own.length > 0 || callers.length === 0)) {
			yield { type: "message-end" };
		}
		turn.messages.push(messageWith(end, end.calls, text));
		for (const call of own) {
			yield* runTool(turn, call);
		}
		if (callers.length > 0) {
			yield* passCallsOn(callers, isOpen && own.length === 0);
			return;
		}
		if (own.length === 0) {
			return;
		}
	}
	yield* say(`The model called tools ${maxRounds} times in a row; the answer ends here.`);
}

/** Retries with earlier calls as text if the server needs lost data back with them. The rejected request wasn't charged. */
async function* askRemembering(turn: PendingAnswer): AsyncGenerator<EngineEvent, Round, undefined> {
	try {
		return yield* askOnce(turn);
	} catch (error) {
		const refusal = refusalIn(error);
		const told = refusal && wantsLostState(refusal) ? callsInWords(turn.messages) : undefined;
		if (!told) {
			throw error;
		}
		turn.log.warn("What a model sent with its calls is lost", { server: turn.server.name });
		turn.messages.splice(0, turn.messages.length, ...told);
		return yield* askOnce(turn);
	}
}

/** Sends a request. Retries after a wait that the server asks for, and without what the model, its template or its server doesn't support. */
async function* askOnce(turn: PendingAnswer): AsyncGenerator<EngineEvent, Round, undefined> {
	const { limits, refusedTools, maxTools } = turn.memory;
	const { model } = turn.request;
	for (let waits = noRepeats; ;) {
		const most = maxTools.get(model) ?? maxFunctions;
		const kept = turn.functions.kept.slice(0, most);
		const leftOut = [...turn.functions.kept.slice(most).map(nameOf), ...turn.functions.leftOut];
		const known = limits.get(model) ?? new Set();
		const refused = refusedTools.get(model) ?? new Set();
		const functions = known.has("tools") ? [] : kept.filter(each => !refused.has(nameOf(each)));
		const refusedHere = kept.map(nameOf).filter(name => refused.has(name));
		const images = known.has("images") ? [] : turn.images;
		if (functions.length === 0 && kept.length > 0) {
			yield { type: "note", kind: "noTools", names: [] };
		} else if (refusedHere.length > 0) {
			yield { type: "note", kind: "refusedTools", names: refusedHere };
		} else if (leftOut.length > 0) {
			yield { type: "note", kind: "fewerTools", names: leftOut };
		}
		if (images.length < turn.images.length) {
			yield { type: "note", kind: "noImages", names: [] };
		}
		const mayThink = functions.length === 0 || !known.has("thinking");
		if (!mayThink) {
			yield { type: "note", kind: "noThinking", names: [] };
		}
		const messages = messagesWithin(turn.messages, known);
		try {
			const body = bodyOf(turn.request, withImages(messages, images), functions);
			return yield* stream(turn, mayThink ? body : { ...body, reasoning_effort: "none" });
		} catch (error) {
			const refusal = refusalIn(error);
			const wait = refusal && planWait(refusal, waits);
			if (wait) {
				waits = wait.history;
				yield* waitFor(turn, wait);
				continue;
			}
			const used = usesOf(messages, functions.length > 0, images.length > 0);
			if (!refusal || !learn(turn, refusal, functions.map(nameOf), used)) {
				throw error;
			}
		}
	}
}

/**
 * Records what a model's server doesn't accept, by an error response to a request with these tools and features. Returns false if that is known
 * already, so the retries end, or the error is about something else.
 */
function learn(
	{ memory: { limits, refusedTools, maxTools }, request: { model }, log }: PendingAnswer,
	refusal: Refusal,
	tools: readonly string[],
	used: Readonly<Record<ModelLimit, boolean>>,
): boolean {
	const accepted = acceptedTools(refusal, tools.length) ?? 0;
	const refused = refusedTools.get(model) ?? new Set();
	const mayLeaveOne = tools.length > 1 && refused.size < maxRefusedTools;
	const tool = accepted === 0 && mayLeaveOne ? refusedTool(refusal, tools) : undefined;
	const known = limits.get(model) ?? new Set();
	const limit = modelLimits.find(each => !known.has(each) && used[each] && refuses(each, refusal));
	if (accepted > 0) {
		maxTools.set(model, accepted);
	} else if (tool !== undefined) {
		refusedTools.set(model, new Set([...refused, tool]));
	} else if (limit) {
		limits.set(model, new Set([...known, limit]));
	} else {
		return false;
	}
	log.warn("A model's server cannot take a part of a request", { model, accepted, tool, limit });
	return true;
}

/** Returns what a request has that a model may not support. */
function usesOf(
	messages: readonly WireMessage[],
	hasTools: boolean,
	hasImages: boolean,
): Readonly<Record<ModelLimit, boolean>> {
	return {
		tools: hasTools,
		thinking: hasTools,
		images: hasImages,
		thoughts: messages.some(({ role }) => role === "assistant"),
		oldThoughts: messages.some(hasThoughts),
		text: messages.some(each => callsOf(each).length > 0 && Boolean(each["content"])),
		system: messages[0]?.role === "system",
		ids: messages.some(({ role }) => role === "tool"),
		empty: messages.some(({ content }) => content === ""),
	};
}

async function* waitFor(
	{ server, signal, clock, log }: PendingAnswer,
	{ delayMs, history }: PlannedRepeat,
): AsyncGenerator<EngineEvent, void, undefined> {
	log.warn("A model's server asks to wait", { server: server.name, ms: delayMs });
	yield { type: "waiting", ms: delayMs, attempt: history.repeats + 1 };
	await delay(delayMs, signal, clock);
	yield { type: "progress", stage: "working" };
}

async function* stream(
	turn: PendingAnswer,
	body: CompletionBody,
): AsyncGenerator<EngineEvent, Round, undefined> {
	const { server, signal } = turn;
	const texts: string[] = [];
	let isOpen = false;
	for await (const part of server.ask(body, signal)) {
		throwIfAborted(signal);
		if (part.type === "text") {
			if (!isOpen) {
				isOpen = true;
				yield { type: "message-start", role: "assistant" };
			}
			texts.push(part.text);
			yield { type: "text-delta", text: part.text };
		} else if (part.type === "left-out") {
			yield { type: "note", kind: "withoutParameter", names: [part.parameter] };
		} else if (part.type === "unread") {
			turn.log.warn("A model's call came as text that can't be read", { server: turn.server.name });
			yield { type: "note", kind: "unreadCall", names: [], text: part.text };
		} else if (part.type !== "end") {
			if (part.type === "was-thinking") {
				texts.length = 0;
			}
			yield part;
		} else {
			if (part.isPartial === true) {
				// The client displays it as unreadable and runs no tools of that message.
				yield { type: "unreadable" };
			}
			if (Object.keys(part.usage).length > 0) {
				yield { type: "usage", ...part.usage };
			}
			return { end: part, text: texts.join(""), isOpen };
		}
	}
	throw new HttpFailure(502, "model_answer_failed", `${server.name} sent no end of its answer.`);
}

/** Fields that the local service handles or rewrites itself. */
const ownFields = new Set([
	"messages",
	"model",
	"stream",
	"stream_options",
	"tools",
	"custom_tools",
	"functions",
	"function_call",
	"tool_choice",
	"files",
	"n",
]);

function bodyOf(
	request: ChatRequest,
	messages: readonly WireMessage[],
	functions: readonly object[],
): CompletionBody {
	const passed = Object.entries(request).filter(([name]) => !ownFields.has(name));
	return {
		...Object.fromEntries(passed),
		model: modelOf(request.model),
		messages,
		...(functions.length > 0 ? { tools: functions, ...choiceOf(request, messages) } : {}),
	};
}

function modelOf(model: string): string {
	return model.slice(model.indexOf("/") + 1);
}

/** Forces a tool call only once; after its result the model is free to answer. */
function choiceOf(request: ChatRequest, messages: readonly WireMessage[]): object {
	const choice = request["tool_choice"] ?? request["function_call"];
	if (choice === undefined || choice === "none" || messages.at(-1)?.role !== "user") {
		return {};
	}
	const isNamed = typeof choice === "object" && choice !== null && "name" in choice;
	return { tool_choice: isNamed ? { type: "function", function: choice } : choice };
}

function messageWith(end: End, calls: readonly CompletionCall[], text: string): WireMessage {
	return {
		role: "assistant",
		content: text,
		...end.thoughts,
		...(calls.length > 0
			? {
					tool_calls: calls.map(({ id, name, arguments: input, extra }) => ({
						...extra,
						id,
						type: "function",
						function: { name, arguments: input },
					})),
				}
			: {}),
	};
}

async function keepCalling(
	{ memory, request }: PendingAnswer,
	end: End,
	callers: readonly CompletionCall[],
	text: string,
): Promise<void> {
	const holdsMore =
		Object.keys(end.thoughts).length > 0 ||
		callers.some(({ extra }) => Object.keys(extra).length > 0);
	if (callers.length > 0 && holdsMore) {
		const message = messageWith(end, callers, text);
		await memory.calls.keep(request.model, callsOf(message), message);
	}
}

function* passCallsOn(
	calls: readonly CompletionCall[],
	isOpen: boolean,
): Generator<EngineEvent, void, undefined> {
	if (!isOpen) {
		yield { type: "message-start", role: "assistant" };
	}
	for (const { id, name, arguments: input } of calls) {
		yield { type: "tool-call", id, name, arguments: input };
	}
	yield { type: "message-end" };
}

/** Runs Python and shows its output. Reports an unknown name only to the model. */
async function* runTool(
	{ python, messages, signal }: PendingAnswer,
	call: CompletionCall,
): AsyncGenerator<EngineEvent, void, undefined> {
	const results: string[] = [];
	const outcomes: Iterable<PythonOutcome> | AsyncIterable<PythonOutcome> =
		python && call.name === pythonTool
			? runPython(python, call.arguments, signal)
			: [{ result: `There is no tool ${call.name}.` }];
	for await (const { detail, text, result } of outcomes) {
		if (detail) {
			yield detail;
		}
		if (text !== undefined) {
			yield* say(text);
		}
		if (result !== undefined) {
			results.push(result);
		}
	}
	messages.push({ role: "tool", tool_call_id: call.id, content: results.join("\n\n") });
}

/**
 * Ends an answer that reached the model's limit. A streamed answer fails, so that it can be continued; otherwise a note is added. Tool calls at the
 * limit may be incomplete and aren't run.
 */
function* endCut(
	{ stream: isStreamed, max_tokens: max }: ChatRequest,
	hasCalls: boolean,
): Generator<EngineEvent> {
	yield { type: "finish", reason: "length" };
	if (max !== undefined && !hasCalls) {
		return;
	}
	const sentence = hasCalls
		? "Cut at the model's limit inside a tool call, which was not run."
		: "Cut at the model's limit.";
	if (isStreamed === true) {
		throw new HttpFailure(502, "cut_at_limit", sentence);
	}
	yield* say(sentence);
}

function* say(text: string): Generator<EngineEvent, void, undefined> {
	yield { type: "message-start", role: "assistant" };
	yield { type: "text-delta", text };
	yield { type: "message-end" };
}
