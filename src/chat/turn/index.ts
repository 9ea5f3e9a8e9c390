/**
 * One question with its answer as plain values, and the pure steps between its states; the tree of versions; the records
 * of calls.
 * In: events of the client, records of the log.
 * Out: the next turn. Nothing here reads a file or sends a request.
 */
export {
	addUsage,
	applyThought,
	keepThoughts,
	type ThoughtStep,
	thoughtStepOf,
} from "./answerDetail.ts";
export { applyToolRecord, callIdOf } from "./applyToolRecord.ts";
export { questionContent } from "./attachedText.ts";
export { isWaitingForContinuation, canContinue, continueAttempt } from "./continuedAnswer.ts";
export { isFileRefusal, wasRefusedForFiles } from "./fileRefusal.ts";
export { timeSchema } from "./recordTime.ts";
export { modelLimit, type TurnFailure } from "./toFailure.ts";
export { clickRound, placeOfCall, toolCallId } from "./toolCallId.ts";
export {
	type BlockCall,
	type ToolEnd,
	type ToolRecord,
	toolRecordSchemas,
	toolStartedRecord,
} from "./toolRecord.ts";
export {
	type AnswerMessage,
	applyEvent,
	endTurn,
	hasContent,
	replaceAnswer,
	startAttempt,
	startTurn,
	type Thought,
	type Turn,
	type TurnOptions,
	type TurnOutcome,
	type TurnProgress,
	type TurnUsage,
} from "./turn.ts";
export { emptyTree, TurnTree, type TurnTreeState, type TurnVersions } from "./turnTree.ts";
