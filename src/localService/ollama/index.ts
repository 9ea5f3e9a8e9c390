/**
 * Ollama by its own interface: what its models can do, how it is asked and what its lines hold, and its downloads.
 * In: messages and functions as OpenAI writes them.
 * Out: a wire for a completion, facts about models, the progress of a download.
 */
export { type OllamaDetails, ollamaDetails, ollamaUrl } from "./ollamaDetails.ts";
export { ollamaWire } from "./ollamaWire.ts";
export { pullModel } from "./pullModel.ts";
