import type { VideoDetail } from "../../client/contract/details.ts";
import type { GenerationRecord, GenerationRequest, StoredFormat } from "./generationRecord.ts";

/** Those who make the service's videos: the local renderer, and servers with models before it. */
export interface GenerationDesk {
	/** Records a job and begins it; returns its id, 128 random bits. Throws `HttpFailure`, 429 when too many wait. */
	create(request: GenerationRequest): Promise<string>;
	/** Reads a job. One whose service is gone, as after a restart or a reload, is taken over and goes on here. */
	find(id: string): Promise<GenerationRecord | undefined>;
	/** Where the clip of a complete job is. */
	clipPath(id: string, format?: StoredFormat): string;
	/** What is known of a job beyond its record, where a server with a model makes it. */
	details(record: GenerationRecord): VideoDetail | undefined;
	/** Ends all work; what is unfinished can be taken over. */
	stop(): Promise<void>;
}
