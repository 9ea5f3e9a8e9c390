/**
 * Servers that speak OpenAI's chat completions: what they are asked, and what their streams hold.
 * In: messages and functions as OpenAI writes them.
 * Out: text and whole calls, or a failure in the server's own words.
 */
export { listOpenAiModels } from "./listModels.ts";
export { type OllamaDetails, ollamaDetails } from "./ollamaDetails.ts";
export type { CompletionPart, ModelPart } from "./readCompletion.ts";
export { streamCompletion } from "./streamCompletion.ts";
export { pullModel } from "./pullModel.ts";
export { overflowOf, refusesImages, refusesTools, wantsLostState } from "./serverFailure.ts";
export type { CompletionCall } from "./toolCalls.ts";
export {
	callsInWords,
	callsOf,
	type CompletionBody,
	messagesOf,
	toolsOf,
	type WireMessage,
} from "./wireRequest.ts";
