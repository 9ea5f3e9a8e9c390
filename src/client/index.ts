/** The one door of the client room. */
export { assumptions } from "./contract/assumptions.ts";
export { eventsOfMessages } from "./stream/chatAnswer.ts";
export { type Download, openDownload } from "./download.ts";
export { ServiceError, type ChargeState, type ServiceErrorKind } from "./contract/errors.ts";
export type { ChatAnswer, ChatEvent, RequestNotice } from "./contract/events.ts";
export { createServiceClient, type ServiceClientOptions } from "./createServiceClient.ts";
export type {
	CallOptions,
	Connection,
	FileUpload,
	ServiceClient,
} from "./contract/serviceClient.ts";
export * from "./contract/schemas.ts";
export type { HostAddress, HostLookup } from "./transport/transport.ts";
export { prefetchTransport } from "./transport/lazyTransport.ts";
