import { AbortError } from "../../src/common/errors.ts";
import type {
	CallOptions,
	ServiceClient,
	ChatEvent,
} from "../../src/client/contract/serviceClient.ts";
import type { ChatMessage, ChatRequest } from "../../src/client/contract/schemas.ts";

/** One request a scripted client was asked to make; the test decides what comes back and when. */
export interface ScriptedCall {
	readonly kind: "stream" | "whole";
	readonly request: ChatRequest;
	readonly options: CallOptions;
	/** Delivers events of a stream. */
	send(...events: ChatEvent[]): void;
	/** Delivers one closed message and, unless told otherwise, the end of the stream. */
	sendMessage(text: string, isLast?: boolean): void;
	/** Ends the call: a stream without its end event, a whole answer with `messages`. */
	finish(messages?: readonly ChatMessage[]): void;
	fail(error: unknown): void;
}

/** A client whose chat calls are answered by the test, and honour their signal as the real one does. */
export interface ScriptedClient extends ServiceClient {
	readonly calls: readonly ScriptedCall[];
	/** Waits until the client has been called `count` times. */
	called(count: number): Promise<ScriptedCall>;
}

/** Makes a client that waits for the test. `onCall` may answer by itself. */
export function createScriptedClient(onCall?: (call: ScriptedCall) => void): ScriptedClient {
	const calls: ScriptedCall[] = [];
	const begin = (kind: ScriptedCall["kind"], request: ChatRequest, options: CallOptions): Pipe => {
		const pipe = createPipe(options.signal);
		const call = scriptCall(kind, request, options, pipe);
		calls.push(call);
		onCall?.(call);
		return pipe;
	};
	const unsupported = (): never => {
		throw new TypeError("A chat asks only for chat");
	};
	return {
		calls,
		called: async count => {
			for (;;) {
				const call = calls[count - 1];
				if (call) {
					return call;
				}
				await new Promise(resolve => setImmediate(resolve));
			}
		},
		streamChat: (request, options = {}) => begin("stream", request, options).events(),
		chat: async (request, options = {}) => ({
			messages: await begin("whole", request, options).messages(),
		}),
		createTextToVideo: unsupported,
		createImageToVideo: unsupported,
		getGeneration: unsupported,
		uploadFile: unsupported,
	};
}

/** The events of one closed message. */
export function messageEvents(index: number, text: string, role = "assistant"): ChatEvent[] {
	return [
		{ type: "message-start", index, role },
		...(text === "" ? [] : [{ type: "text-delta" as const, index, text }]),
		{
			type: "message-end",
			index,
			message: { role, content: text },
			isClosed: true,
			unreadableFrames: 0,
			hasReplacedBytes: false,
		},
	];
}

/** The end of a stream. */
export const streamEnd: ChatEvent = { type: "stream-end", isStreamed: true };

function scriptCall(
	kind: ScriptedCall["kind"],
	request: ChatRequest,
	options: CallOptions,
	pipe: Pipe,
): ScriptedCall {
	let messageCount = 0;
	return {
		kind,
		request,
		options,
		send: (...events) => events.forEach(event => pipe.push({ event })),
		sendMessage: (text, isLast = true) => {
			const events = messageEvents(messageCount++, text);
			[...events, ...(isLast ? [streamEnd] : [])].forEach(event => pipe.push({ event }));
			if (isLast) {
				pipe.push({ end: [] });
			}
		},
		finish: (messages = []) => pipe.push({ end: messages }),
		fail: error => pipe.push({ error }),
	};
}

type Item =
	| { readonly event: ChatEvent }
	| { readonly end: readonly ChatMessage[] }
	| { readonly error: unknown };

interface Pipe {
	push(item: Item): void;
	events(): AsyncGenerator<ChatEvent>;
	messages(): Promise<readonly ChatMessage[]>;
}

function createPipe(signal: AbortSignal | undefined): Pipe {
	const items: Item[] = [];
	let wake = (): void => undefined;
	signal?.addEventListener("abort", () => wake());
	const next = async (): Promise<Item> => {
		for (;;) {
			if (signal?.aborted) {
				throw new AbortError();
			}
			const item = items.shift();
			if (item && "error" in item) {
				throw item.error;
			}
			if (item) {
				return item;
			}
			await new Promise<void>(resolve => (wake = resolve));
		}
	};
	return {
		push: item => {
			items.push(item);
			wake();
		},
		events: async function* () {
			for (;;) {
				const item = await next();
				if ("event" in item) {
					yield item.event;
				} else {
					return;
				}
			}
		},
		messages: async () => {
			const item = await next();
			return "end" in item ? item.end : [];
		},
	};
}
