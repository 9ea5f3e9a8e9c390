/**
 * Servers that speak OpenAI's chat completions: what they are asked, and what their streams hold.
 * In: messages and functions as OpenAI writes them.
 * Out: text and whole calls, or a failure in the server's own words.
 */
export { listOpenAiModels } from "./listModels.ts";
export type { CompletionPart, ModelPart } from "./completionReader.ts";
export {
	type CompletionOptions,
	type CompletionWire,
	streamCompletion,
} from "./streamCompletion.ts";
export { lenient } from "./lenient.ts";
export { post } from "./post.ts";
export { type ModelLimit, modelLimits, refuses } from "./modelLimits.ts";
export { overflowOf } from "./contextOverflow.ts";
export { readRefusal, wantsLostState, wordsIn, wordsOf } from "./serverFailure.ts";
export type { CompletionCall } from "./toolCalls.ts";
export { ThoughtFilter } from "./thoughts.ts";
export { messagesWithin } from "./turnTaking.ts";
export {
	callsInWords,
	callsOf,
	type CompletionBody,
	messagesOf,
	toolsOf,
	type WireMessage,
} from "./wireRequest.ts";
