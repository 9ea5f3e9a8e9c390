import type { DetailFrame } from "../client/contract/details.ts";
import type { ChatRequest } from "../client/contract/schemas.ts";
import type { ServerTools } from "./tools/serverTools.ts";

/**
 * Events of an engine's answer, in order: for every message one `message-start`, any number of `text-delta`
 * and `tool-call`s and one `message-end`. An answer without any message is an empty one. Interface §6.
 */
export type EngineEvent =
	| { readonly type: "message-start"; readonly role: "assistant" }
	| { readonly type: "text-delta"; readonly text: string }
	/** A call of one of the caller's own tools, in the message that is open; at most one of a deprecated function. Interface §2.2. */
	| {
			readonly type: "tool-call";
			readonly id: string;
			readonly name: string;
			/** JSON. */
			readonly arguments: string;
	  }
	| { readonly type: "message-end" }
	| EngineDetail
	/** Part of a model's answer could not be read. The caller gets a frame that it cannot read either: S10. */
	| { readonly type: "unreadable" };

/** Details an engine may add to its answer, for which the interface has no field: they reach those alone who ask for them. */
export type EngineDetail = Exclude<DetailFrame, { readonly type: "thought" | "failed" }>;

const detailTypes: ReadonlySet<EngineEvent["type"]> = new Set<EngineDetail["type"]>([
	...(["thinking", "not-thinking", "usage", "context", "progress", "finish"] as const),
]);

/** Whether an event goes to the details alone. */
export function isDetail(event: EngineEvent): event is EngineDetail {
	return detailTypes.has(event.type);
}

/** Engine that answers a chat request; the one seam between the service and whatever does the thinking. */
export interface Engine {
	/**
	 * Answers one request, with the tools on the server that it allows. Throws `HttpFailure` before the first event for an error with a status, and `AbortError`
	 * when the signal fires, which it does as soon as the caller leaves.
	 */
	answer(request: ChatRequest, signal: AbortSignal, tools: ServerTools): AsyncIterable<EngineEvent>;
}
