/**
 * Servers that speak OpenAI's chat completions: what they are asked, and what their streams hold.
 * In: messages and functions as OpenAI writes them.
 * Out: text and whole calls, or a failure in the server's own words.
 */
export { listOpenAiModels } from "./listModels.ts";
export { ollamaDetails } from "./ollamaDetails.ts";
export { type CompletionPart, streamCompletion } from "./streamCompletion.ts";
export { refusesTools } from "./serverFailure.ts";
export type { CompletionCall } from "./toolCalls.ts";
export { messagesOf, toolsOf, type WireMessage } from "./wireRequest.ts";
