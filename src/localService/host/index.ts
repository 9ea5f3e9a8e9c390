/**
 * The extension's side of the local service: starts its thread, knows its address and token, starts it again.
 * In: the folder of the build and of the files.
 * Out: an address that answers. What the service does is reached over HTTP alone.
 */
export {
	type FromWorker,
	type ToWorker,
	toWorkerSchema,
	workerDataSchema,
} from "./workerMessages.ts";
