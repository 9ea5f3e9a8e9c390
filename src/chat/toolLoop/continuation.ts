import type { ChatMessage } from "../../client/contract/schemas.ts";
import { callsOf, isOwnIdOf, type RequestedCall } from "./requestedCalls.ts";
import { missingAnswers } from "./toolMessages.ts";
import { keepThoughts, withOptions } from "../contract/answerDetail.ts";
import { placeOfCall } from "../contract/toolRecord.ts";
import type { Turn } from "../contract/turn.ts";

/** Where a turn can continue without running a call twice. */
export interface Continuation {
	/** The number of messages to keep: up to the last result of a call, or the last call that may have had an effect. */
	readonly keptMessages: number;
	/** Answers for the calls among them without one. */
	readonly missing: readonly ChatMessage[];
	/** The next round, counted from 1. */
	readonly round: number;
	readonly answered: readonly { readonly call: RequestedCall; readonly content: string }[];
}

/** Returns where a turn continues after a failed request, or undefined if none of its calls was answered or started. */
export function continuationOf(turn: Turn): Continuation | undefined {
	const started = (turn.startedTools ?? []).map(({ callId }) => placeOfCall(callId).cardId);
	const keptMessages =
		1 +
		turn.messages.findLastIndex(
			({ raw }, index) =>
				raw &&
				(isAnswer(raw) ||
					callsOf(raw, index).some(({ id }) => started.some(cardId => isOwnIdOf(cardId, id)))),
		);
	if (keptMessages === 0) {
		return undefined;
	}
	const messages = turn.messages.slice(0, keptMessages);
	const missing = missingAnswers({ ...turn, messages });
	const raws = [...messages.flatMap(({ raw }) => (raw ? [raw] : [])), ...missing];
	const contents = new Map(raws.map(({ tool_call_id, content }) => [tool_call_id, content]));
	return {
		keptMessages,
		missing,
		round: firstRound(turn) + answerGroups(raws),
		answered: messages.flatMap(({ raw }, index) =>
			(raw ? callsOf(raw, index) : []).flatMap(call => {
				const content = call.form === "tool" ? contents.get(call.id) : undefined;
				return content === undefined ? [] : [{ call, content }];
			}),
		),
	};
}

/** Resumes the attempt of a turn with its first messages. All their calls have answers or get one next. */
export function resumeAttempt(
	turn: Turn,
	resumed: Pick<Turn, "options"> &
		Partial<Pick<Turn, "attachments">> & { readonly keptMessages: number },
): Turn {
	const { options, attachments = turn.attachments, keptMessages } = resumed;
	const { continuedAt, ...bare } = keepThoughts(withOptions(turn, options), keptMessages);
	const kept = continuedAt?.filter(count => count <= keptMessages) ?? [];
	return {
		...bare,
		...(kept.length > 0 ? { continuedAt: kept } : {}),
		attachments,
		isStreamed: true,
		messages: turn.messages.slice(0, keptMessages),
		progress: { state: "streaming" },
	};
}

/** Returns where a truncated answer continues. No call runs again, and ids of later calls are distinct. */
export function continuationOfAnswer(turn: Turn): Continuation {
	const from = continuationOf(turn);
	const answered = from?.answered ?? [];
	const round = from?.round ?? firstRound(turn);
	return { keptMessages: turn.messages.length, missing: [], round, answered };
}

/** Returns the number of the current attempt's first round. Each continuation increments it. */
function firstRound({ continuedAt = [] }: Turn): number {
	return 1 + continuedAt.length;
}

/** Returns the number of answered rounds of calls. */
function answerGroups(raws: readonly ChatMessage[]): number {
	return raws.filter((raw, index) => isAnswer(raw) && !isAnswer(raws[index - 1])).length;
}

function isAnswer(message: ChatMessage | undefined): boolean {
	return message?.role === "tool" || message?.role === "function";
}
