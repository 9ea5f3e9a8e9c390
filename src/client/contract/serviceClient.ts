import type { VideoDetail } from "./details.ts";
import type { ChatAnswer, ChatEvent, RequestNotice } from "./events.ts";
import type {
	ChatRequest,
	FileReference,
	Generation,
	ImageToVideoRequest,
	TextToVideoRequest,
} from "./schemas.ts";

/** Address and credentials of requests, determined before every request. */
export interface Connection {
	/** Absolute http(s) URL without the `/v1` prefix; plain http for loopback only. docs/interface.md, base address. */
	readonly baseUrl: string;
	/** Omitted from the request if absent. docs/interface.md, authentication. */
	readonly apiKey?: string;
	/** Header of the key, and the scheme before it (may be empty). docs/interface.md. */
	readonly auth: { readonly header: string; readonly scheme: string };
	/** Path and multipart field of the Files API. docs/interface.md. */
	readonly files: { readonly path: string; readonly field: string };
	/** `direct` sends all requests with undici; `auto` only those to loopback. docs/architecture.md. */
	readonly network: "auto" | "direct";
	/** Set for the local service, which is the only one that details are requested from. */
	readonly hasDetails?: true;
}

export interface CallOptions {
	/** Ends the call with `AbortError`. */
	readonly signal?: AbortSignal;
	/** Receives notices while the call waits. */
	readonly onNotice?: (notice: RequestNotice) => void;
	/** Id of the conversation of a chat request, which identifies its Python session in the local service. Not sent to other services. */
	readonly conversation?: string;
	/** Disables retries, for callers with their own schedule. */
	readonly isSingleAttempt?: boolean;
}

/** Bytes to upload. `open` is called once per attempt and yields the bytes in order. */
export interface FileUpload {
	readonly name: string;
	readonly type: string;
	/** Size in bytes, known before sending. */
	readonly size: number;
	readonly open: () => AsyncIterable<Uint8Array>;
	/** Called with the number of bytes passed to the network so far. */
	readonly onProgress?: (sentBytes: number) => void;
}

/** A generation with the local service's details of its video, if there are any. */
export type DetailedGeneration = Generation & { readonly detail?: VideoDetail };

/**
 * Typed client of the service. All methods throw only `ServiceError` or `AbortError`. Lookups are retried as class F of docs/faults.md. Requests that
 * may be charged are retried only if they were provably not sent, or on 429 (class P).
 */
export interface ServiceClient {
	/** Streams the answer to a chat request. Breaking out of the loop aborts the exchange. docs/interface.md §4.4, §6. */
	streamChat(request: ChatRequest, options?: CallOptions): AsyncIterable<ChatEvent>;
	/** Sends the same request without streaming and returns all messages. docs/interface.md §4.4. */
	chat(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer>;
	/** Starts a video from text and returns its generation id. docs/interface.md §4.1. */
	createTextToVideo(request: TextToVideoRequest, options?: CallOptions): Promise<string>;
	/** Starts a video from an image and returns its generation id. docs/interface.md §4.2. */
	createImageToVideo(request: ImageToVideoRequest, options?: CallOptions): Promise<string>;
	/** Reads a generation. Free, so it is retried. docs/interface.md §4.3. */
	getGeneration(id: string, options?: CallOptions): Promise<DetailedGeneration>;
	/** Uploads a file and returns its reference for chat requests. docs/interface.md §2.3. */
	uploadFile(file: FileUpload, options?: CallOptions): Promise<FileReference>;
}
