/** The one door of the client room. */
export { assumptions } from "./assumptions.ts";
export { eventsOfMessages } from "./chatAnswer.ts";
export { type Download, openDownload } from "./download.ts";
export { ServiceError, type ChargeState, type ServiceErrorKind } from "./errors.ts";
export type { ChatAnswer, ChatEvent, RequestNotice } from "./events.ts";
export { createServiceClient, type ServiceClientOptions } from "./createServiceClient.ts";
export type { CallOptions, Connection, FileUpload, ServiceClient } from "./serviceClient.ts";
export * from "./schemas.ts";
export type { HostAddress, HostLookup } from "./transport/transport.ts";
export { prefetchTransport } from "./transport/lazyTransport.ts";
