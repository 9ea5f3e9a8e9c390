/**
 * The service that is asked: its address, its key, and whether it answers.
 * In: settings, secrets, clicks.
 * Out: a connection for the client, and reports in sentences.
 */
export type { ConnectDependencies } from "./connect.ts";
export {
	ConnectionError,
	type LocalServiceAddress,
	ServiceConnection,
	type ServiceEndpoint,
} from "./connection.ts";
export { type EndpointCheck, parseEndpoint } from "./endpoint.ts";
export { ApiKeys, KeyStoreError } from "./secrets.ts";
