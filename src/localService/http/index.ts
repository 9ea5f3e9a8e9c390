/**
 * The service's interface over HTTP: the server, its guards, the routes, streams and their faults on purpose.
 * In: requests of any client, and an engine that answers.
 * Out: responses as docs/interface.md has them.
 */
export { offeredNames } from "./requestParameters.ts";
export { LocalServer } from "./server.ts";
