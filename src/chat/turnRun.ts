import { type Clock, throwIfAborted } from "../common/async.ts";
import type { Log } from "../common/log.ts";
import type {
	CallOptions,
	ServiceClient,
	ChatAnswer,
	ChatEvent,
} from "../client/contract/serviceClient.ts";
import { eventsOfMessages } from "../client/stream/chatAnswer.ts";
import { ServiceError } from "../client/contract/serviceError.ts";
import type { ToolGate, ToolProgress } from "../tools/gate/toolGate.ts";
import type { Continuation } from "./toolLoop/continuation.ts";
import type { CallCollector, RequestedCall } from "./toolLoop/requestedCalls.ts";
import { runsOnServer } from "./toolLoop/toolMessages.ts";
import {
	timedCall,
	type TimedResult,
	type CallState,
	type ToolPauseReason,
	runToolLoop,
} from "./toolLoop/toolLoop.ts";
import type { Conversation } from "./conversation.ts";
import { buildChatRequest, contextLengthOf } from "./chatRequest.ts";
import { toolCallId } from "./contract/toolRecord.ts";
import type { TurnOutcome } from "./contract/turn.ts";
import { toError } from "../common/errors.ts";
import type { ChatRequest } from "../client/contract/schemas.ts";

/** The tools of a chat, and the prompt for continuing. */
export interface ChatTools extends Pick<ToolGate, "offered" | "isReader" | "run"> {
	/** Returns the current service. The user is asked before a round uses a different one than the previous round. */
	service(): string;
	/** Asks whether the model may continue calling tools. Each round may be charged. */
	mayContinue(reason: ToolPauseReason, signal: AbortSignal): Promise<boolean>;
}

interface TurnRunDependencies {
	readonly client: ServiceClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly chatId: string;
	readonly conversation: Conversation;
	/** If undefined, no tools are offered, and calls aren't run. */
	readonly tools: ChatTools | undefined;
	/** Where the turn continues; undefined to ask its question. */
	readonly from: Continuation | undefined;
	readonly options: CallOptions & { readonly signal: AbortSignal };
	onCall(call: RequestedCall, state: CallState): void;
}

/** Runs the last turn's current attempt: its request, and follow-ups for tool calls. Never throws. */
export function runTurn(dependencies: TurnRunDependencies): Promise<TurnOutcome> {
	const { tools, conversation, options, from } = dependencies;
	if (!tools) {
		return askOnce(dependencies, from?.round ?? 1, undefined);
	}
	let asked = tools.service();
	return runToolLoop(
		{
			signal: options.signal,
			ask: async (round, collector) => {
				if (round > 1) {
					await conversation.save();
				}
				asked = tools.service();
				return askOnce(dependencies, round, collector);
			},
			awaitsAnswer: name =>
				offeredTo(conversation, tools).length > 0 && !runsOnServer(conversation.last, name),
			isReader: name => tools.isReader(name),
			run: (call, round, onProgress) =>
				runCall({ ...dependencies, tools, asked }, call, round, onProgress),
			answer: message => conversation.applyToolAnswer(message),
			onCall: (call, state) => dependencies.onCall(call, state),
			service: () => tools.service(),
			mayContinue: reason => tools.mayContinue(reason, options.signal),
		},
		from,
	);
}

async function runCall(
	{
		conversation,
		chatId,
		clock,
		tools,
		options,
		asked,
	}: TurnRunDependencies & { readonly tools: ChatTools; readonly asked: string },
	call: RequestedCall,
	round: number,
	onProgress: (progress: ToolProgress) => void,
): Promise<TimedResult> {
	const { id: turnId, attempt } = conversation.last;
	const callId = toolCallId({ turnId, attempt, round, cardId: call.id });
	const result = await timedCall(clock, onProgress, onTimedProgress =>
		tools.run(
			{
				callId,
				chatId,
				turnId,
				name: call.name,
				arguments: call.arguments,
				mayBrowse: conversation.last.options.mayBrowse === true,
				...(asked === tools.service() ? { service: asked } : {}),
			},
			{ begin: entry => conversation.beginTool(entry) },
			options.signal,
			onTimedProgress,
		),
	);
	const { state, durationMs } = result;
	conversation.endTool({ callId, state, durationMs });
	return result;
}

async function askOnce(
	{ client, log, chatId, conversation, tools, options }: TurnRunDependencies,
	round: number,
	collector: CallCollector | undefined,
): Promise<TurnOutcome> {
	const isFollowUp = round > 1 || conversation.last.continuedAt !== undefined;
	const first = isFollowUp ? conversation.last.messages.length : 0;
	const extras = { tools: tools ? offeredTo(conversation, tools) : [], isFollowUp };
	let isAtLimit = false;
	const outcome = await requestAnswer(
		client,
		buildChatRequest(conversation.turns, extras),
		{ ...options, conversation: conversationId(chatId, conversation) },
		{
			onEvent: event => {
				// Indices count through the whole turn.
				const placed = { ...event, index: event.index + first };
				if (placed.type === "detail") {
					isAtLimit ||= placed.detail.type === "finish";
					conversation.applyDetail(placed.detail, placed.index);
					return;
				}
				collector?.take(placed);
				conversation.applyEvent(placed);
			},
			onAnswer: answer => {
				for (const event of eventsOfMessages(answer.messages, answer.unreadable)) {
					collector?.take(event);
				}
				conversation.applyAnswer(answer);
			},
		},
		log,
	);
	return isAtLimit && outcome.type !== "stopped"
		? { type: "failed", error: cutAtLimit() }
		: outcome;
}

/** Returns the id of the conversation for the service's tools: all turns after one attempt at the first question. */
function conversationId(chatId: string, { turns: [first] }: Conversation): string {
	return `${chatId}/${first?.id}/${first?.attempt}`;
}

function offeredTo(
	{ last: { options }, turns }: Conversation,
	tools: ChatTools,
): ReturnType<ChatTools["offered"]> {
	return tools.offered(options.mayBrowse === true, contextLengthOf(turns, options.model));
}

/** However the stream ended, the answer is truncated and can be continued. */
function cutAtLimit(): ServiceError {
	return new ServiceError("endedEarly", { charge: "unknown", reason: "cut_at_limit" });
}

interface AnswerListener {
	/** Called for every event of a streamed answer except its end, which is the attempt's outcome. */
	onEvent(event: Exclude<ChatEvent, { type: "stream-end" }>): void;
	onAnswer(answer: ChatAnswer): void;
}

/** Sends an attempt's single request and returns the outcome. Never throws; an abort takes precedence over its error. */
async function requestAnswer(
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
