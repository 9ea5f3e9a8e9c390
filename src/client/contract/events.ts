import type { ChatDetail, ProgressStage } from "./details.ts";
import type { ChatMessage, ToolCall } from "./schemas.ts";

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

/** Notices for the user during a request. They never end the wait. */
export type RequestNotice =
	/** The request will be repeated after the delay (docs/faults.md). */
	| {
			readonly type: "retrying";
			readonly attempt: number;
			readonly delayMs: number;
			readonly reason: "notSent" | "rateLimited" | "failed";
	  }
	/** Nothing has arrived for 15 s. */
	| { readonly type: "silent" }
	/** Bytes are arriving, but no content has for 5 min. */
	| { readonly type: "noContent" }
	/** Stage of the local service's model and, if known, its progress from 0 to 1. Repeated every 10 s. */
	| { readonly type: "progress"; readonly stage: ProgressStage; readonly share?: number }
	/** Something arrived after `silent` or `noContent`. */
	| { readonly type: "resumed" };
