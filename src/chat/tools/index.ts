/**
 * Calls of a model in a conversation: reading them from an answer, running them through the gate round by
 * round, and the messages that carry their results back.
 * In: an answer's messages and a gate that runs calls.
 * Out: results, and where an answer can go on without a call running twice.
 */
export {
	type Continuation,
	continuationOf,
	continuationOfAnswer,
	resumeAttempt,
} from "./continuation.ts";
export { CallCollector, OwnIds, type RequestedCall } from "./requestedCalls.ts";
export { hasFiles, runsOnServer, serverToolsOf } from "./serverTools.ts";
export { timedCall, type TimedResult } from "./timedCall.ts";
export { type CallState, type ToolPauseReason, runToolLoop } from "./toolLoop.ts";
export {
	missingAnswers,
	isMissingResultNote,
	maxShownLength,
	shownArguments,
} from "./toolMessages.ts";
