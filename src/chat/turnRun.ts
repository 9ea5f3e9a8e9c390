import type { Clock } from "../common/async.ts";
import type { Log } from "../common/log.ts";
import type { CallOptions, ServiceClient } from "../client/contract/serviceClient.ts";
import { eventsOfMessages } from "../client/stream/chatAnswer.ts";
import { ServiceError } from "../client/contract/errors.ts";
import type { ToolGate, ToolProgress } from "../tools/gate/toolGate.ts";
import { requestAnswer } from "./answer.ts";
import type { Continuation } from "./tools/continuation.ts";
import type { CallCollector, RequestedCall } from "./tools/requestedCalls.ts";
import { runsOnServer } from "./tools/toolMessages.ts";
import {
	timedCall,
	type TimedResult,
	type CallState,
	type ToolPauseReason,
	runToolLoop,
} from "./tools/toolLoop.ts";
import type { Conversation } from "./conversation.ts";
import { buildChatRequest } from "./chatRequest.ts";
import { contextLengthOf } from "./contextUse.ts";
import { toolCallId } from "./turn/toolRecord.ts";
import type { TurnOutcome } from "./turn/turn.ts";

/** The tools of a chat, and the prompt for continuing. */
export interface ChatTools extends Pick<ToolGate, "offered" | "isReader" | "run"> {
	/** Returns the current service. The user is asked before a round uses a different one than the previous round. */
	service(): string;
	/** Asks whether the model may continue calling tools. Each round may be charged. */
	mayContinue(reason: ToolPauseReason, signal: AbortSignal): Promise<boolean>;
}

export interface TurnRunDependencies {
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
			answer: message => conversation.takeToolAnswer(message),
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
				...{ callId, chatId, turnId, name: call.name, arguments: call.arguments },
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
					conversation.takeDetail(placed.detail, placed.index);
					return;
				}
				collector?.take(placed);
				conversation.takeEvent(placed);
			},
			onAnswer: answer => {
				for (const event of eventsOfMessages(answer.messages, answer.unreadable)) {
					collector?.take(event);
				}
				conversation.takeAnswer(answer);
			},
		},
		log,
	);
	return isAtLimit && outcome.type !== "stopped"
		? { type: "failed", error: cutAtLimit() }
		: outcome;
}

/**
 * Returns the id that identifies the conversation for the service's tools: all turns after one attempt at the first question. Editing or repeating
 * the first question starts another one.
 */
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
