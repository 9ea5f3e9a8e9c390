import type { VideoDetail } from "../../client/contract/details.ts";
import type { GenerationRecord, GenerationRequest, StoredFormat } from "./generationRecord.ts";

/** Creates and looks up videos, in the local renderer or on a remote server. */
export interface GenerationDesk {
	/** Records and starts a job. Resolves to its id, 128 random bits. Throws `HttpFailure`, with status 429 if too many are waiting. */
	create(request: GenerationRequest): Promise<string>;
	/** Reads a job. If its service has ended, for example after a reload, takes over and continues it here. */
	find(id: string): Promise<GenerationRecord | undefined>;
	clipPath(id: string, format?: StoredFormat): string;
	/** Returns further details of a job that a server with a model makes. */
	details(record: GenerationRecord): VideoDetail | undefined;
	/** Stops all work. Another service can take over unfinished jobs. */
	stop(): Promise<void>;
}
