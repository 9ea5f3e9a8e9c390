import type { Turn, TurnOptions } from "./turn.ts";

/**
 * Whether the answer can go on where it was cut off: its last message is text of the model and calls for nothing, whether
 * it closed or not.
 */
export function canContinue({ messages, progress }: Turn): boolean {
	const last = messages.at(-1);
	const isCutOff = ["stopped", "interrupted", "endedEarly"].includes(progress.state);
	return isCutOff && last?.role === "assistant" && last.text !== "" && last.toolNames.length === 0;
}

/** Whether the answer was asked to go on and nothing has come since. */
export function isWaitingForContinuation({ messages, continuedAt }: Turn): boolean {
	return continuedAt?.at(-1) === messages.length;
}

/** The turn going on where its answer was cut off: what came stays, and nothing more comes for its last message. */
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
