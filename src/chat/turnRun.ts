import type { Log } from "../common/log.ts";
import {
	type CallOptions,
	type ChatEvent,
	eventsOfMessages,
	type ServiceClient,
} from "../client/index.ts";
import type { ToolGate } from "../tools/toolGate.ts";
import { requestAnswer } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import { buildChatRequest } from "./prompt.ts";
import type { CallCollector, RequestedCall } from "./requestedCalls.ts";
import { toolCallId } from "./toolCallId.ts";
import { type CallState, type PauseReason, runToolLoop } from "./toolLoop.ts";
import type { TurnOutcome } from "./turn.ts";

/** The tools of a chat, and the person's word on going on. */
export interface ChatTools extends Pick<ToolGate, "offered" | "isReader" | "run"> {
	/** Asks whether the model may go on calling tools, each round of which may cost money (row U9). */
	mayContinue(reason: PauseReason, signal: AbortSignal): Promise<boolean>;
}

/** What running a turn needs. */
export interface TurnRunParts {
	readonly client: ServiceClient;
	readonly log: Log;
	readonly chatId: string;
	readonly conversation: Conversation;
	/** Without them no tool is offered, and a call that comes all the same is not run. */
	readonly tools: ChatTools | undefined;
	readonly options: CallOptions & { readonly signal: AbortSignal };
	onCall(call: RequestedCall, state: CallState): void;
}

/** Runs the attempt under way of the last turn: its request, and with tools as many follow-ups as it takes. Never throws. */
export function runTurn(parts: TurnRunParts): Promise<TurnOutcome> {
	const { tools, conversation, chatId, options } = parts;
	const { id, attempt } = conversation.last;
	if (!tools) {
		return askOnce(parts, 1, undefined);
	}
	return runToolLoop({
		signal: options.signal,
		ask: async (round, collector) => {
			if (round > 1) {
				await conversation.save();
			}
			return askOnce(parts, round, collector);
		},
		isReader: name => tools.isReader(name),
		run: (call, round, onProgress) =>
			tools.run(
				{
					callId: toolCallId({ turnId: id, attempt, round, cardId: call.id }),
					chatId,
					turnId: id,
					name: call.name,
					arguments: call.arguments,
				},
				{ begin: entry => conversation.beginTool(entry) },
				options.signal,
				onProgress,
			),
		answer: message => conversation.takeToolAnswer(message),
		onCall: (call, state) => parts.onCall(call, state),
		mayContinue: reason => tools.mayContinue(reason, options.signal),
	});
}

function askOnce(
	{ client, log, conversation, tools, options }: TurnRunParts,
	round: number,
	collector: CallCollector | undefined,
): Promise<TurnOutcome> {
	const isFollowUp = round > 1;
	const first = isFollowUp ? conversation.last.messages.length : 0;
	const extras = { tools: tools?.offered() ?? [], isFollowUp };
	return requestAnswer(
		client,
		buildChatRequest(conversation.turns, extras),
		options,
		{
			onEvent: event => {
				collector?.take(event);
				conversation.takeEvent(shifted(event, first));
			},
			onAnswer: messages => {
				for (const event of eventsOfMessages(messages)) {
					collector?.take(event);
				}
				conversation.takeAnswer(messages);
			},
		},
		log,
	);
}

/** The event of a follow-up's message, counted through the whole turn. */
function shifted(
	event: Exclude<ChatEvent, { type: "stream-end" }>,
	by: number,
): Exclude<ChatEvent, { type: "stream-end" }> {
	return { ...event, index: event.index + by };
}
