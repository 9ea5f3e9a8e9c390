import type { ChatDetail, ProgressStage } from "./details.ts";
import type { ChatMessage, ToolCall } from "./schemas.ts";

/** An answer that came as one JSON body. Interface §4.4. */
export interface ChatAnswer {
	readonly messages: readonly ChatMessage[];
	/** How many parts of each message, by its place, could not be read; absent when all could be. Row S14. */
	readonly unreadable?: readonly number[];
}

/**
 * Events of a streamed answer, in order: for every message one `message-start`, any number of `text-delta`,
 * then its `tool-call`s and one `message-end`; last one `stream-end`. `index` counts the messages of the answer
 * from 0. A `detail` may come anywhere between; its index is that of the message that is open, or comes next. Fragments of text that arrive together are one `text-delta`. A stream that does not reach `stream-end` throws; a
 * message that is cut has no `message-end`. Interface §6.
 */
export type ChatEvent =
	| { readonly type: "message-start"; readonly index: number; readonly role: string }
	| { readonly type: "text-delta"; readonly index: number; readonly text: string }
	/**
	 * Comes only once its message closed properly with `[DONE]` and every frame of it could be read, so a call seen here may
	 * be acted on. The deprecated `function_call` has no id and is in `message-end` alone; it may be acted on when
	 * `isClosed` is true and `unreadableFrames` is 0.
	 */
	| { readonly type: "tool-call"; readonly index: number; readonly call: ToolCall }
	| {
			readonly type: "message-end";
			readonly index: number;
			/**
			 * The whole message as it is sent back in a later request, under the field names it came with. Calls are left out
			 * when `unreadableFrames` is above 0.
			 */
			readonly message: ChatMessage;
			/**
			 * False when the stream moved on or ended without this message's `[DONE]`, or a second message began inside it (S6,
			 * S24).
			 */
			readonly isClosed: boolean;
			/** Parts of this message that could not be read (S10, S11, S14); its tools must not run when above 0. */
			readonly unreadableFrames: number;
			/** True when its text holds U+FFFD, which stands for bytes that are not UTF-8 (S18). */
			readonly hasReplacedBytes: boolean;
			/** Present when a call in it lacks its id, its name or its type and is therefore none, or beside its calls is what is no call (U4). */
			readonly hasUnusableCall?: true;
	  }
	/** What the local service adds to its answer; no other service is asked for it. */
	| { readonly type: "detail"; readonly index: number; readonly detail: ChatDetail }
	| {
			readonly type: "stream-end";
			/** False when the service answered a streamed request with one JSON body (H15). */
			readonly isStreamed: boolean;
	  };

/** Notices for a user while a request is under way; never a reason to stop waiting by itself. */
export type RequestNotice =
	/** A repeat that the rules allow will be sent after the wait (N1, N2, N4, H8, H9; class F: any). */
	| {
			readonly type: "retrying";
			readonly attempt: number;
			readonly delayMs: number;
			readonly reason: "notSent" | "rateLimited" | "failed";
	  }
	/** Nothing has arrived for 15 s (S21). */
	| { readonly type: "silent" }
	/** Bytes arrive, but no content has for 5 min (S22). */
	| { readonly type: "noContent" }
	/** What the model of the local service does, and how much of it is done, 0 to 1, where that is known; repeated every 10 s. */
	| { readonly type: "progress"; readonly stage: ProgressStage; readonly share?: number }
	/** Something arrived after `silent` or `noContent`. */
	| { readonly type: "resumed" };
