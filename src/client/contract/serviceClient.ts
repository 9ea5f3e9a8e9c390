import type { VideoDetail } from "./details.ts";
import type { ChatAnswer, ChatEvent, RequestNotice } from "./events.ts";
import type {
	ChatRequest,
	FileReference,
	Generation,
	ImageToVideoRequest,
	TextToVideoRequest,
} from "./schemas.ts";

/** Where requests go and what they carry; read afresh before every request (fault L12). */
export interface Connection {
	/** Absolute http(s) address without the `/v1` prefix; plain http only for loopback. Interface, base address. */
	readonly baseUrl: string;
	/** Left out of the request when absent. docs/interface.md, authentication. */
	readonly apiKey?: string;
	/** Header that carries the key, and the word before it (may be empty). docs/interface.md. */
	readonly auth: { readonly header: string; readonly scheme: string };
	/** Path and multipart field of the Files API. docs/interface.md. */
	readonly files: { readonly path: string; readonly field: string };
	/** `direct` sends everything through undici; `auto` only loopback. docs/architecture.md. */
	readonly network: "auto" | "direct";
	/** It is the local service, which is asked for what the interface has no field for. No other one is. */
	readonly hasDetails?: true;
}

/** Choices that every call of the client accepts. */
export interface CallOptions {
	/** Ends the call with `AbortError`. */
	readonly signal?: AbortSignal;
	/** Hears what happens while the call waits. */
	readonly onNotice?: (notice: RequestNotice) => void;
	/** Id of the conversation that a chat request belongs to; the local service keeps its Python by it. No other service gets it. */
	readonly conversation?: string;
	/** Never repeats by itself, for callers with a schedule of their own (row J5). */
	readonly isSingleAttempt?: boolean;
}

/** Bytes to upload. `open` is called once per attempt and yields the bytes in order. */
export interface FileUpload {
	readonly name: string;
	/** MIME type. */
	readonly type: string;
	/** Size in bytes, known before sending. */
	readonly size: number;
	readonly open: () => AsyncIterable<Uint8Array>;
	/** Hears how many bytes were handed to the network so far. */
	readonly onProgress?: (sentBytes: number) => void;
}

/** A generation, and what the local service adds about its video; nothing is added where it has nothing, or another service answers. */
export type DetailedGeneration = Generation & { readonly detail?: VideoDetail };

/**
 * The service, typed. Every method throws `ServiceError` or `AbortError` and nothing else. Lookups repeat by themselves
 * as the fault matrix's class F; whatever may cost money repeats only when provably not sent or told 429 (class P).
 */
export interface ServiceClient {
	/** Streams the answer to a chat request. Breaking out of the loop aborts the exchange. Interface §4.4, §6. */
	streamChat(request: ChatRequest, options?: CallOptions): AsyncIterable<ChatEvent>;
	/** The same request with streaming off: all messages at once. Interface §4.4. */
	chat(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer>;
	/** Starts a video from text and returns its generation id. Interface §4.1. */
	createTextToVideo(request: TextToVideoRequest, options?: CallOptions): Promise<string>;
	/** Starts a video from an image and returns its generation id. Interface §4.2. */
	createImageToVideo(request: ImageToVideoRequest, options?: CallOptions): Promise<string>;
	/** Reads a generation; free, so it repeats by itself. Interface §4.3. */
	getGeneration(id: string, options?: CallOptions): Promise<DetailedGeneration>;
	/** Uploads a file and returns how a chat request refers to it. Interface §2.3, docs/interface.md. */
	uploadFile(file: FileUpload, options?: CallOptions): Promise<FileReference>;
}
