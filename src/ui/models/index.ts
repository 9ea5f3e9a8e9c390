/**
 * The models behind the local service: which servers are set up, what they have, which one answers.
 * In: settings, keys, clicks.
 * Out: the setup the local service asks with, and a model for the chat.
 */
export { leaveService } from "./modelChoice.ts";
export type { DiagnosisDependencies } from "./diagnoseModels.ts";
export { ModelOffers } from "./offerModels.ts";
export { type ProviderMemory, providerMemoryIn } from "./providerMemory.ts";
