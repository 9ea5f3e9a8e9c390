import type {
	VideoDetail,
	ChatDetail,
	PackageQuestion,
	ProgressStage,
	ChatRequest,
	FileReference,
	Generation,
	ImageToVideoRequest,
	TextToVideoRequest,
	ChatMessage,
	ToolCall,
} from "./schemas.ts";

/** An answer as one JSON body. docs/interface.md §4.4. */
export interface ChatAnswer {
	readonly messages: readonly ChatMessage[];
	/** The number of unreadable parts by message index. Absent if all were readable. */
	readonly unreadable?: readonly number[];
}

/**
 * Events of a streamed answer, in order: for each message one `message-start`, any number of `text-delta`, its `tool-call`s and one `message-end`;
 * finally one `stream-end`. `index` counts the messages from 0. A `detail` may come anywhere in between, with the index of the current or next
 * message. Text that arrives together is one `text-delta`. A stream without `stream-end` throws; a truncated message has no `message-end`.
 * docs/interface.md §6.
 */
export type ChatEvent =
	| { readonly type: "message-start"; readonly index: number; readonly role: string }
	| { readonly type: "text-delta"; readonly index: number; readonly text: string }
	/**
	 * Sent only after the message was closed with `[DONE]` and all its frames were readable, so the call may be executed. The deprecated
	 * `function_call` has no id and is only in `message-end`; it may be executed if `isClosed` is true and `unreadableFrames` is 0.
	 */
	| { readonly type: "tool-call"; readonly index: number; readonly call: ToolCall }
	| {
			readonly type: "message-end";
			readonly index: number;
			/** The message as it is sent back in a later request, with its original field names. Without calls if `unreadableFrames` is above 0. */
			readonly message: ChatMessage;
			/** False if the stream continued or ended without this message's `[DONE]`, or another message started inside it. */
			readonly isClosed: boolean;
			/** The number of unreadable parts. If above 0, the message's tools must not run. */
			readonly unreadableFrames: number;
			/** Whether the text contains U+FFFD, which replaces invalid UTF-8. */
			readonly hasReplacedBytes: boolean;
			/** Set if one of its calls lacks its id, name or type and is invalid, or an item beside its calls isn't a call. */
			readonly hasUnusableCall?: true;
	  }
	/** A detail that the local service adds to its answer. Other services have none. */
	| { readonly type: "detail"; readonly index: number; readonly detail: ChatDetail }
	| {
			readonly type: "stream-end";
			/** False if the service answered a streaming request with one JSON body. */
			readonly isStreamed: boolean;
	  };

/** Silence after which the user is told that Cutaway is still waiting, in milliseconds; also for a model behind the local service, which reports progress. */
export const noticeAfterMs = 15_000;

/** Notices for the user during a request. They never end the wait. */
export type RequestNotice =
	/** The request will be repeated after the delay (docs/faults.md). */
	| {
			readonly type: "retrying";
			readonly attempt: number;
			readonly delayMs: number;
			readonly reason: "notSent" | "rateLimited" | "failed";
	  }
	/** Nothing has arrived for {@link noticeAfterMs}. */
	| { readonly type: "silent" }
	/** Bytes are arriving, but no content has for 5 min. */
	| { readonly type: "noContent" }
	/** Stage of the local service's model and, if known, its progress from 0 to 1. Repeated every 10 s. */
	| { readonly type: "progress"; readonly stage: ProgressStage; readonly share?: number }
	| PackageQuestion
	/** Something arrived after `silent` or `noContent`. */
	| { readonly type: "resumed" };

/** Address and credentials of requests, determined before every request. */
export interface Connection {
	/** Absolute http(s) URL without the `/v1` prefix; plain http for loopback, or where `isPlainAllowed`. docs/interface.md, base address. */
	readonly baseUrl: string;
	/** Whether the user allowed plain http to a host of the user's own network. */
	readonly isPlainAllowed?: true;
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
