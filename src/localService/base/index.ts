/**
 * Base of several parts of the local service: failures with their status, limits, files that were sent, addresses
 * outside that may be fetched.
 * In: nothing.
 * Out: small functions and types without a state of their own.
 */
export { directNetwork, type NetworkSetup } from "../../client/index.ts";
export { clipLooksSchema } from "./clipLooks.ts";
export { FileStore, type HeldFile } from "./fileStore.ts";
export { isRunning, machineName, newFilesFolder, removeStaleFolders } from "./filesFolder.ts";
export { failureBody, HttpFailure } from "./httpFailure.ts";
export { defaultLimits, describeBytes, type Limits } from "./limits.ts";
export { escapeMarkdown, fence } from "./markdownText.ts";
export { ask, isProxied, sendRequest, setNetwork } from "./network.ts";
export { readPackedFile } from "./packedFile.ts";
export { ProxyError } from "./proxyChoice.ts";
export {
	createPublicFetch,
	createPublicRequest,
	type NetworkOptions,
	type PublicAnswer,
	PublicFetchError,
} from "./publicFetch.ts";
export { BodyTooLongError, readWhole } from "./wholeBody.ts";
export { withoutKeys } from "./withoutKeys.ts";
