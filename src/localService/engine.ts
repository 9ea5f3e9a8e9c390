import type { DetailFrame, ChatRequest } from "../client/contract/schemas.ts";
import type { Interpreter } from "./python/codeInterpreter.ts";

/**
 * Events of an engine's answer, in order: for each message one `message-start`, any number of `text-delta` and `tool-call`s and one `message-end`. An
 * answer without messages is empty. docs/interface.md §6.
 */
export type EngineEvent =
	| { readonly type: "message-start"; readonly role: "assistant" }
	| { readonly type: "text-delta"; readonly text: string }
	/** A call of one of the client's tools, in the current message; at most one of a deprecated function. docs/interface.md §2.2. */
	| {
			readonly type: "tool-call";
			readonly id: string;
			readonly name: string;
			/** JSON. */
			readonly arguments: string;
	  }
	| { readonly type: "message-end" }
	| EngineDetail
	/** Part of a model's answer couldn't be read. The client gets an unreadable frame, too. docs/faults.md. */
	| { readonly type: "unreadable" };

/** Details of an answer, which the interface has no fields for. Sent only to clients that request them. */
export type EngineDetail = Exclude<DetailFrame, { readonly type: "thought" | "failed" }>;

const detailTypes: ReadonlySet<EngineEvent["type"]> = new Set<EngineDetail["type"]>([
	"thinking",
	"not-thinking",
	"was-thinking",
	"usage",
	"context",
	"progress",
	"packages",
	"waiting",
	"finish",
	"note",
] as const);

export function isDetail(event: EngineEvent): event is EngineDetail {
	return detailTypes.has(event.type);
}

/** Answers chat requests. The only interface between the service and its models. */
export interface Engine {
	/** Answers a request, with Python if it allows that. Throws `HttpFailure` before the first event, and `AbortError`. */
	answer(
		request: ChatRequest,
		signal: AbortSignal,
		python?: Interpreter,
	): AsyncIterable<EngineEvent>;
}
