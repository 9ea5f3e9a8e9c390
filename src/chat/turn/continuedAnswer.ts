import type { Turn, TurnOptions } from "./turn.ts";

/** Whether a truncated answer can be continued: its last message is text of the model without calls, closed or not. */
export function canContinue({ messages, progress }: Turn): boolean {
	const last = messages.at(-1);
	const isCutOff = ["stopped", "interrupted", "endedEarly"].includes(progress.state);
	return isCutOff && last?.role === "assistant" && last.text !== "" && last.toolNames.length === 0;
}

/** Whether a continuation was requested and nothing has arrived since. */
export function isWaitingForContinuation({ messages, continuedAt }: Turn): boolean {
	return continuedAt?.at(-1) === messages.length;
}

/** Continues a turn's truncated answer. Keeps its messages; the last one gets no further text. */
export function continueAttempt(turn: Turn, options: TurnOptions): Turn {
	const { messages, continuedAt = [] } = turn;
	return {
		...turn,
		options,
		isStreamed: true,
		messages: messages.map(message =>
			message.isFinished ? message : { ...message, isFinished: true },
		),
		continuedAt: isWaitingForContinuation(turn) ? continuedAt : [...continuedAt, messages.length],
		progress: { state: "streaming" },
	};
}
