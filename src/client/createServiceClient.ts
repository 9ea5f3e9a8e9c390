import { type Clock, systemClock } from "../common/async.ts";
import { type Log, silentLog } from "../common/log.ts";
import type { CallDependencies } from "./request/attempts.ts";
import { chat, streamChat } from "./chat.ts";
import { uploadFile } from "./files.ts";
import { createImageToVideo, createTextToVideo, getGeneration } from "./generations.ts";
import type { Connection, ServiceClient } from "./contract/serviceClient.ts";

export interface ServiceClientDependencies {
	/**
	 * Returns the address and credentials. Called before every attempt, so that a changed key or a restarted local service takes effect at once. Its
	 * errors become a `ServiceError` of kind `invalidRequest` with the message as detail.
	 */
	readonly connection: () => Promise<Connection>;
	readonly clock?: Clock;
	/** Receives failures and stream endings. Never receives API keys or message text. */
	readonly log?: Log;
	/** Returns a number from 0 to 1, for the jitter of retries. */
	readonly random?: () => number;
}

/** Creates a client. It keeps no connections open and needs no disposal. */
export function createServiceClient(dependencies: ServiceClientDependencies): ServiceClient {
	const callDependencies: CallDependencies = {
		connection: dependencies.connection,
		clock: dependencies.clock ?? systemClock,
		log: dependencies.log ?? silentLog,
		random: dependencies.random ?? Math.random,
	};
	return {
		streamChat: (request, call = {}) => streamChat(callDependencies, request, call),
		chat: (request, call = {}) => chat(callDependencies, request, call),
		createTextToVideo: (request, call = {}) => createTextToVideo(callDependencies, request, call),
		createImageToVideo: (request, call = {}) => createImageToVideo(callDependencies, request, call),
		getGeneration: (id, call = {}) => getGeneration(callDependencies, id, call),
		uploadFile: (file, call = {}) => uploadFile(callDependencies, file, call),
	};
}
