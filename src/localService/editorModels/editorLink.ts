import {
	type EditorModelFailure,
	type EditorModelPart,
	type EditorModelRequest,
	requestNumbers,
} from "../../common/modelSetup.ts";
import { parseJson } from "../../common/json.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { Mailbox } from "../../common/async.ts";
import type { CompletionBody } from "../openai/wireRequest.ts";
import type { CompletionCall } from "../openai/completionCalls.ts";
import type { ModelPart } from "../openai/completionReader.ts";
import { type Refusal, refusalIn, refusalOf, serverMessage } from "../openai/serverFailure.ts";
import { maxChanges, withoutRefused } from "../openai/modelLimits.ts";
import { overflowOf } from "../openai/contextOverflow.ts";

/** Messages to the extension host. */
export type EditorQuestion =
	| { readonly type: "ask-editor"; readonly id: number; readonly request: EditorModelRequest }
	| { readonly type: "cancel-editor"; readonly id: number };

/** Messages from the extension host. */
export type EditorReply =
	| {
			readonly type: "editor-parts";
			readonly id: number;
			readonly parts: readonly EditorModelPart[];
	  }
	| {
			readonly type: "editor-end";
			readonly id: number;
			readonly failure?: EditorModelFailure | undefined;
	  };

/** Access to the editor's models through messages to the extension host. */
export class EditorLink {
	private readonly post: (question: EditorQuestion) => void;
	private readonly waiting = new Map<number, Mailbox<EditorReply>>();
	private lastId = 0;

	constructor(post: (question: EditorQuestion) => void) {
		this.post = post;
	}

	/** Handles a reply. Ignores one of an unknown request. */
	receive(reply: EditorReply): void {
		this.waiting.get(reply.id)?.put(reply);
	}

	/**
	 * Sends a request to a model of the editor, and repeats it without parameters that the model refuses. Throws `HttpFailure` with the editor's
	 * message, also for an empty answer, and `AbortError` if the signal aborts. If the caller stops early, cancels the request.
	 */
	async *ask(body: CompletionBody, signal: AbortSignal): AsyncGenerator<ModelPart> {
		let asked = body;
		for (let changes = 0; ; changes += 1) {
			try {
				yield* this.askOnce(asked, signal);
				return;
			} catch (error) {
				const refusal = refusalIn(error);
				const changed = refusal && changes < maxChanges && withoutRefused(asked, refusal);
				if (!changed) {
					throw error;
				}
				const { model, messages } = body;
				asked = { ...changed.body, model, messages };
				yield { type: "left-out", parameter: changed.name };
			}
		}
	}

	private async *askOnce(body: CompletionBody, signal: AbortSignal): AsyncGenerator<ModelPart> {
		this.lastId += 1;
		const id = this.lastId;
		const replies = new Mailbox<EditorReply>(signal);
		let isOver = false;
		const onEnd = (): void => {
			isOver = true;
		};
		this.waiting.set(id, replies);
		this.post({ type: "ask-editor", id, request: requestOf(body) });
		try {
			yield* completionOf(replies, onEnd);
		} finally {
			// Otherwise the provider would continue, and charge for it.
			if (!isOver) {
				this.post({ type: "cancel-editor", id });
			}
			this.waiting.delete(id);
			replies.dispose();
		}
	}
}

function requestOf({ model, messages, ...rest }: CompletionBody): EditorModelRequest {
	const { tools, tool_choice: choice } = rest;
	const numbers = requestNumbers.flatMap(name =>
		typeof rest[name] === "number" ? [[name, rest[name]] as const] : [],
	);
	return {
		model,
		messages,
		...Object.fromEntries(numbers),
		...(Array.isArray(tools) ? { tools } : {}),
		...(choice === undefined ? {} : { tool_choice: choice }),
	};
}

async function* completionOf(
	replies: Mailbox<EditorReply>,
	onEnd: () => void,
): AsyncGenerator<ModelPart> {
	const calls: CompletionCall[] = [];
	let isEmpty = true;
	let hasBegun = false;
	for (;;) {
		const reply = await replies.take();
		if (reply.type === "editor-end") {
			onEnd();
			throwIfFailed(reply.failure, hasBegun, isEmpty);
			yield { type: "end", calls, isCut: false, thoughts: {}, usage: {} };
			return;
		}
		const { parts } = reply;
		hasBegun ||= parts.some(({ type }) => type !== "context");
		isEmpty &&= parts.every(({ type }) => type === "thinking" || type === "context");
		for (const { id, name, arguments: input } of parts.filter(part => part.type === "call")) {
			calls.push({ id, name, arguments: input, extra: {} });
		}
		yield* parts.filter(part => part.type !== "call");
	}
}

function throwIfFailed(
	failure: EditorModelFailure | undefined,
	hasBegun: boolean,
	isEmpty: boolean,
): void {
	if (failure) {
		throw editorFailure(failure, hasBegun);
	}
	if (isEmpty) {
		throw new HttpFailure(502, "empty_answer", "The model's answer is empty.");
	}
}

/** Avoids 401, 403 and 404, which would be about the local service itself. */
const statuses: Readonly<Record<EditorModelFailure["reason"], number>> = {
	gone: 424,
	notAllowed: 424,
	blocked: 424,
	quota: 402,
	rate: 429,
	noTools: 400,
	noImages: 400,
	failed: 502,
};

/** The reasons that a provider's own words explain. */
const explained: ReadonlySet<EditorModelFailure["reason"]> = new Set(["failed", "rate"]);

/** Creates the failure, with the provider's refusal as its cause unless the answer has begun, so that it is treated as a server's. */
function editorFailure({ reason, words }: EditorModelFailure, hasBegun: boolean): HttpFailure {
	const overflow = reason === "failed" ? overflowOf(words) : undefined;
	const failure =
		overflow ??
		new HttpFailure(
			statuses[reason],
			reason === "rate" ? "model_server_refused" : "editor_model_failed",
			plainWords(words),
		);
	if (reason === "noTools" || reason === "noImages") {
		const what = reason === "noTools" ? "tools" : "images";
		failure.cause = { status: 400, words: `${what} are not supported`, body: "" };
	} else if (explained.has(reason) && !hasBegun) {
		failure.cause = refusalFrom(reason, words);
	}
	return failure;
}

/** Reads a provider's words as an error response. Without a status, they are those of a rejected request. */
function refusalFrom(reason: EditorModelFailure["reason"], words: string): Refusal {
	const named = /\b(?:failed|status|code|error|http)\b["':\s(]{0,4}([45]\d\d)\b/i.exec(words)?.[1];
	const status = reason === "rate" ? 429 : Number(named ?? 400);
	return { ...refusalOf(status, words), words: plainWords(words) };
}

/** Returns words with the message of the JSON in them, as of `Request Failed: 400 {"error": …}`. */
function plainWords(words: string): string {
	const start = words.search(/[[{]/);
	const end = Math.max(words.lastIndexOf("]"), words.lastIndexOf("}")) + 1;
	const json = words.slice(Math.max(start, 0), end);
	return start === -1 || parseJson(json) === undefined
		? words
		: `${words.slice(0, start)}${serverMessage(json)}${words.slice(end)}`;
}
