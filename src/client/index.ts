/**
 * The service, typed: its requests with their deadlines and repeats, its streams as events, its failures by kind.
 * In: a connection and requests.
 * Out: answers and events whose type is certain, or a `ServiceError`. What may cost money is sent once.
 */
export { assumptions } from "./contract/assumptions.ts";
export { eventsOfMessages } from "./stream/chatAnswer.ts";
export { Download } from "./download.ts";
export {
	type ChatDetail,
	type ProgressStage,
	type VideoDetail,
	videoDetailSchema,
} from "./contract/details.ts";
export { ServiceError, type ChargeState, type ServiceErrorKind } from "./contract/errors.ts";
export type { ChatAnswer, ChatEvent, RequestNotice } from "./contract/events.ts";
export { createServiceClient, type ServiceClientDependencies } from "./createServiceClient.ts";
export type {
	CallOptions,
	Connection,
	FileUpload,
	ServiceClient,
} from "./contract/serviceClient.ts";
export * from "./contract/schemas.ts";
export { noRepeats, planRepeat } from "./request/retry.ts";
export { parseRetryAfter } from "./request/retryAfter.ts";
export { inflate } from "./transport/inflate.ts";
export { isLoopbackHost } from "./transport/chooseTransport.ts";
export { directNetwork, type NetworkSetup } from "./transport/networkSetup.ts";
export type { HostAddress, HostLookup } from "./transport/transport.ts";
export { prefetchTransport } from "./transport/lazyTransport.ts";
