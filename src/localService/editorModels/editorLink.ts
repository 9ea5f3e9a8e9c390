import { throwIfAborted } from "../../common/async.ts";
import type {
	EditorModelFailure,
	EditorModelPart,
	EditorModelRequest,
} from "../../common/models.ts";
import { HttpFailure } from "../base/index.ts";
import {
	type CompletionBody,
	type CompletionCall,
	type ModelPart,
	overflowOf,
} from "../openai/index.ts";

/** Messages to the extension host. */
export type EditorQuestion =
	| { readonly type: "ask-editor"; readonly id: number; readonly request: EditorModelRequest }
	| { readonly type: "cancel-editor"; readonly id: number };

/** Messages from it. */
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

/** The way to the editor's models. */
export interface EditorLink {
	/**
	 * Asks a model of the editor. Throws `HttpFailure` in the editor's words, also for an answer without anything in it, and
	 * `AbortError` when the signal fires. The editor hears of it when an answer is left before its end.
	 */
	ask(body: CompletionBody, signal: AbortSignal): AsyncGenerator<ModelPart>;
	/** Takes a reply; one that nobody waits for is left out. */
	receive(reply: EditorReply): void;
}

/** Opens the link over something that posts to the extension host. */
export function openEditorLink(post: (question: EditorQuestion) => void): EditorLink {
	const waiting = new Map<number, (reply: EditorReply) => void>();
	let lastId = 0;
	return {
		receive: reply => waiting.get(reply.id)?.(reply),
		async *ask(body, signal) {
			lastId += 1;
			const id = lastId;
			const replies = openReplies(signal);
			let isOver = false;
			const onEnd = (): void => {
				isOver = true;
			};
			waiting.set(id, replies.push);
			post({ type: "ask-editor", id, request: requestOf(body) });
			try {
				yield* completionOf(replies.all, onEnd);
			} finally {
				// A provider that nobody listens to any longer would go on, and charge for it.
				if (!isOver) {
					post({ type: "cancel-editor", id });
				}
				waiting.delete(id);
				replies.close();
			}
		},
	};
}

function requestOf({ model, messages, ...rest }: CompletionBody): EditorModelRequest {
	const { tools, tool_choice: choice } = rest;
	const numbers = ["temperature", "top_p", "max_tokens"].flatMap(name =>
		typeof rest[name] === "number" ? [[name, rest[name]] as const] : [],
	);
	return {
		...{ model, messages, ...Object.fromEntries(numbers) },
		...(Array.isArray(tools) ? { tools } : {}),
		...(choice === undefined ? {} : { tool_choice: choice }),
	};
}

interface Replies {
	readonly push: (reply: EditorReply) => void;
	/** Takes the replies that have come, once there are any. Rejects with `AbortError` when the signal fires. */
	readonly all: () => Promise<readonly EditorReply[]>;
	readonly close: () => void;
}

function openReplies(signal: AbortSignal): Replies {
	let held: EditorReply[] = [];
	let wake: (() => void) | undefined;
	const onAbort = (): void => wake?.();
	signal.addEventListener("abort", onAbort, { once: true });
	return {
		close: () => signal.removeEventListener("abort", onAbort),
		push: reply => {
			held.push(reply);
			wake?.();
		},
		all: async () => {
			if (held.length === 0 && !signal.aborted) {
				await new Promise<void>(resolve => {
					wake = resolve;
				});
			}
			throwIfAborted(signal);
			const taken = held;
			held = [];
			return taken;
		},
	};
}

async function* completionOf(next: Replies["all"], onEnd: () => void): AsyncGenerator<ModelPart> {
	const calls: CompletionCall[] = [];
	let isEmpty = true;
	for (;;) {
		for (const reply of await next()) {
			if (reply.type === "editor-end") {
				onEnd();
				throwIfFailed(reply.failure, isEmpty);
				yield { type: "end", calls, isCut: false, thoughts: {}, usage: {} };
				return;
			}
			const { parts } = reply;
			isEmpty &&= parts.every(({ type }) => type === "thinking" || type === "context");
			for (const { id, name, arguments: input } of parts.filter(part => part.type === "call")) {
				calls.push({ id, name, arguments: input, extra: {} });
			}
			yield* parts.filter(part => part.type !== "call");
		}
	}
}

function throwIfFailed(failure: EditorModelFailure | undefined, isEmpty: boolean): void {
	if (failure) {
		throw failureOf(failure);
	}
	if (isEmpty) {
		throw new HttpFailure(502, "empty_answer", "The model's answer is empty.");
	}
}

/** 401, 403 and 404 would tell of the local service itself. */
const statuses: Readonly<Record<EditorModelFailure["reason"], number>> = {
	...{ gone: 424, notAllowed: 424, blocked: 424, quota: 402, rate: 429, tooLong: 400 },
	...{ noTools: 400, noImages: 400, failed: 502 },
};

function failureOf({ reason, words }: EditorModelFailure): HttpFailure {
	const overflow =
		reason === "tooLong" ? (overflowOf(words) ?? overflowOf("context_length_exceeded")) : undefined;
	const failure = overflow ?? new HttpFailure(statuses[reason], "editor_model_failed", words);
	if (reason === "noTools" || reason === "noImages") {
		const what = reason === "noTools" ? "tools" : "images";
		failure.cause = { status: 400, words: `${what} are not supported`, body: "" };
	}
	return failure;
}
