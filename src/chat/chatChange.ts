import type { RequestNotice } from "../client/contract/events.ts";
import type { RequestedCall } from "./tools/requestedCalls.ts";
import type { CallState } from "./tools/toolLoop.ts";
import type { StoreError } from "../storage/storeError.ts";
import type { AnswerMessage, Turn, TurnProgress } from "./turn/turn.ts";
import type { ThoughtStep } from "./turn/answerDetail.ts";

/** One step of a conversation, in the order it happened. */
export type ChatSessionChange =
	| { readonly type: "turn-added"; readonly turn: Turn }
	/** Behind this turn, which is undefined for the beginning of the chat, other turns are shown than before. */
	| { readonly type: "branch-shown"; readonly after: string | undefined }
	| {
			readonly type: "message-started";
			readonly turnId: string;
			readonly index: number;
			/** As it begins: empty in a stream, whole when the answer came whole. */
			readonly message: AnswerMessage;
	  }
	| {
			readonly type: "text";
			readonly turnId: string;
			readonly index: number;
			readonly text: string;
	  }
	| {
			readonly type: "message-finished";
			readonly turnId: string;
			readonly index: number;
			readonly message: AnswerMessage;
	  }
	/** The model thinks on, has thought, or did not think but answer. */
	| { readonly type: "thought"; readonly turnId: string; readonly step: ThoughtStep }
	/** The answer so far is dropped for another one. */
	| { readonly type: "answer-cleared"; readonly turnId: string }
	/** An attempt goes on from the messages it has now, which may be fewer than before. */
	| { readonly type: "turn-resumed"; readonly turnId: string }
	| { readonly type: "turn-progress"; readonly turnId: string; readonly progress: TurnProgress }
	| { readonly type: "notice"; readonly turnId: string; readonly notice: RequestNotice }
	/** The state of a tool call. */
	| {
			readonly type: "tool-call";
			readonly turnId: string;
			readonly call: RequestedCall;
			readonly state: CallState;
	  }
	| { readonly type: "title"; readonly title: string }
	/** The chat goes on in memory; what is not saved is tried again (L6). */
	| { readonly type: "store-failed"; readonly error: StoreError }
	| { readonly type: "store-recovered" };
