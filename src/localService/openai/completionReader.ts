import * as z from "zod/mini";
import { HttpFailure } from "../base/failureResponse.ts";
import { overflowOf } from "./contextOverflow.ts";
import { endOf, serverFailure, refusalOf, wordsIn, serverMessage } from "./serverFailure.ts";
import { parseJson } from "../../common/json.ts";
import { lenient, plainText, RepeatedFrame } from "./plainText.ts";
import { ThoughtFilter, type ThoughtPiece } from "./thoughts.ts";
import {
	callDeltaSchema,
	CompletionCallCollector,
	type CompletionCall,
} from "./completionCalls.ts";

/** Token counts and speed, as far as a server reports them. */
export interface CompletionUsage {
	readonly input?: number;
	readonly output?: number;
	readonly perSecond?: number;
}

/** Text in the marks of a call that can't be read as one. */
export interface UnreadPart {
	readonly type: "unread";
	readonly text: string;
}

/** Parts of an answer: any number of texts and thoughts, then one `end`. */
export type CompletionPart =
	| ThoughtPiece
	| UnreadPart
	| {
			readonly type: "end";
			readonly calls: readonly CompletionCall[];
			readonly isCut: boolean;
			readonly isPartial?: boolean;
			/** Thinking from separate fields, which some servers need back with the calls. */
			readonly thoughts: Readonly<Record<string, unknown>>;
			/** Empty if the server reports nothing. */
			readonly usage: CompletionUsage;
	  };

/** The model is being loaded or reads the messages, until another part arrives. `share` is the progress from 0 to 1, if known. */
export interface ModelProgress {
	readonly type: "progress";
	readonly stage: "loading" | "reading";
	readonly share?: number;
}

/** The server rejected a parameter, and the request was repeated without it. */
export interface LeftOut {
	readonly type: "left-out";
	readonly parameter: string;
}

/** Parts of an answer and events before them. `context` is the effective context in tokens, sent before the end if known. */
export type ModelPart =
	CompletionPart | ModelProgress | LeftOut | { readonly type: "context"; readonly tokens: number };

const optionalText = lenient(z.string());
const contentPartSchema = z.looseObject({
	text: optionalText,
	/** Used by Mistral. */
	thinking: lenient(z.union([z.string(), z.array(z.looseObject({ text: optionalText }))])),
});
const messageSchema = z.looseObject({
	content: lenient(z.union([z.string(), z.array(contentPartSchema)])),
	/** Used by OpenAI in place of the content. */
	refusal: optionalText,
	reasoning_content: optionalText,
	reasoning: optionalText,
	thinking: optionalText,
	/** Used by MiniMax and OpenRouter. */
	reasoning_details: lenient(z.array(z.looseObject({ text: optionalText }))),
	tool_calls: lenient(z.array(callDeltaSchema)),
	function_call: z.nullish(z.unknown()),
});
const tokens = lenient(z.number().check(z.minimum(0)));
const chunkSchema = z.looseObject({
	choices: lenient(
		z.array(
			z.looseObject({
				delta: z.nullish(messageSchema),
				message: z.nullish(messageSchema),
				finish_reason: optionalText,
			}),
		),
	),
	error: z.nullish(z.unknown()),
	/** Used by MiniMax. */
	base_resp: lenient(z.looseObject({ status_code: lenient(z.number()), status_msg: optionalText })),
	usage: lenient(
		z.looseObject({
			prompt_tokens: tokens,
			completion_tokens: tokens,
			total_tokens: tokens,
			prompt_tokens_details: lenient(z.looseObject({ audio_tokens: tokens })),
			completion_tokens_details: lenient(
				z.looseObject({
					reasoning_tokens: tokens,
					audio_tokens: tokens,
				}),
			),
		}),
	),
	/** Used by llama.cpp. */
	timings: lenient(z.looseObject({ predicted_per_second: tokens })),
});

/** The most frames that aren't JSON; one more ends an answer, and so does this many in a row. Same limits as in the service's own streams. */
const maxUnreadable = 10;
const maxUnreadableInRow = 3;

/** Converts a server's frames to parts of an answer, and checks how it ends. */
export class CompletionReader {
	private readonly collector = new CompletionCallCollector();
	private readonly filter: ThoughtFilter;
	private readonly parts = new PartJoiner<Exclude<CompletionPart, ThoughtPiece | UnreadPart>>();
	private readonly repeated = new RepeatedFrame();
	private readonly thoughts: Record<string, unknown> = {};
	private finish = "";
	private usage: CompletionUsage = {};
	private hasFrames = false;
	private hasText = false;
	/** Length and last piece of the text. The text itself isn't kept, which would take as much CPU time as reading it. */
	private textLength = 0;
	private lastText = "";
	private thought = "";
	private hasDone = false;
	private unreadable = 0;
	private unreadableInRow = 0;
	private readonly server: string;
	private readonly callsAfter: (thought: string) => readonly CompletionCall[];

	/** `callsAfter` returns the calls that a thought ends with, for a model that thought and then wrote nothing. */
	constructor(
		server: string,
		isInThought: boolean,
		callsAfter: (thought: string) => readonly CompletionCall[] = () => [],
	) {
		this.server = server;
		this.callsAfter = callsAfter;
		this.filter = new ThoughtFilter(isInThought);
	}

	/** Yields the parts that `read` produces. If it throws, yields the parts before the error first. */
	*partsOf(read: () => void): Generator<CompletionPart, void, undefined> {
		try {
			read();
		} finally {
			yield* this.parts.take();
		}
	}

	frame(data: string, event?: string): void {
		const known = event === "error" ? undefined : this.repeated.textOf(data);
		if (known === undefined) {
			this.newFrame(data, event);
		} else {
			this.add(this.filter.push(known));
		}
	}

	private newFrame(data: string, event: string | undefined): void {
		const trimmed = data.trim();
		this.hasDone ||= trimmed === "[DONE]";
		if (trimmed === "" || this.hasDone) {
			return;
		}
		const value = parseJson(data);
		if (event === "error") {
			throw failureIn(this.server, value ?? data, this.hasFrames);
		}
		if (value === undefined) {
			this.readOver(trimmed);
			return;
		}
		this.unreadableInRow = 0;
		const text = plainText(value);
		if (text === undefined) {
			this.read(value);
		} else {
			this.hasFrames = true;
			this.repeated.learn(data, text);
			this.add(this.filter.push(text));
		}
	}

	/** Whether the server gave a reason for the end. Token counts may follow. */
	get hasEnd(): boolean {
		return this.finish !== "";
	}

	/** Whether nothing follows, even if the connection stays open. */
	get isOver(): boolean {
		return this.hasDone;
	}

	end(): void {
		// Some servers send only `[DONE]`, without a reason.
		const finish = this.finish === "" && this.hasDone ? "stop" : this.finish;
		const isCut = endOf(finish) === "cut";
		this.add(this.filter.end(isCut));
		const { thoughts, usage, unreadable } = this;
		const sent = this.collector.calls();
		const hasAnswer = this.hasText || sent.length > 0 || endOf(finish) !== "complete";
		const calls = hasAnswer ? sent : this.callsAfter(this.thought);
		this.checkEnd(finish, calls);
		this.parts.push({ type: "end", calls, isCut, isPartial: unreadable > 0, thoughts, usage });
	}

	/** Throws if the answer is incomplete. */
	private checkEnd(finish: string, calls: readonly CompletionCall[]): void {
		const { server } = this;
		if (!this.hasFrames) {
			throw broken(
				this.unreadable > 0
					? `${server} sent a frame that is not JSON.`
					: `${server} sent an empty answer. The conversation may be too long for the model's context.`,
			);
		}
		if (finish === "") {
			throw broken(`${server} broke off before the answer was complete.`);
		}
		const end = endOf(finish);
		if (end === "filtered") {
			throw broken(`The content filter of ${server} ended the answer.`);
		}
		// Some servers know no better word for the end of a complete answer.
		if (end === "failed" && !(this.hasText && /^(?:other|unknown)$/i.test(finish))) {
			throw broken(`${server} gave the answer up: ${finish}.`);
		}
		if (calls.some(({ name }) => name === "")) {
			throw broken("The model called a tool without naming it.");
		}
		if (!this.hasText && calls.length === 0 && end !== "cut") {
			throw broken(
				this.thought.trim() !== ""
					? "The model thought and then did not answer."
					: `${server} sent an empty answer.`,
			);
		}
	}

	/** Skips a frame that isn't JSON, unless there are too many. Comments don't count. */
	private readOver(frame: string): void {
		if (frame.startsWith(":")) {
			return;
		}
		this.unreadable += 1;
		this.unreadableInRow += 1;
		if (this.unreadableInRow >= maxUnreadableInRow || this.unreadable > maxUnreadable) {
			throw broken(`${this.server} sent frames that are not JSON.`);
		}
	}

	private read(value: unknown): void {
		const chunk = chunkSchema.safeParse(value).data;
		if (!chunk || chunk.error || (!chunk.choices && wordsIn(value) !== undefined)) {
			throw failureIn(this.server, value, this.hasFrames);
		}
		const { status_code: code, status_msg: words } = chunk.base_resp ?? {};
		if (!chunk.choices && code) {
			throw broken(`${this.server} failed: ${words ?? code}`);
		}
		this.hasFrames = true;
		this.usage = { ...this.usage, ...usageIn(chunk) };
		for (const { delta, message, finish_reason: reason } of chunk.choices?.slice(0, 1) ?? []) {
			this.finish = reason && reason !== "null" ? reason : this.finish;
			if (delta) {
				this.readMessage(delta);
			} else if (message) {
				this.finish ||= reason === "" ? "stop" : "";
				this.readWhole(message);
			}
		}
	}

	/** Reads a whole message, which may repeat the pieces before it. */
	private readWhole(message: z.infer<typeof messageSchema>): void {
		const content = thinkingText(message.content);
		const isRepeated =
			this.lastText !== "" && content.slice(0, this.textLength).endsWith(this.lastText);
		const rest = isRepeated ? content.slice(this.textLength) : content;
		this.readMessage({ ...message, content: rest });
	}

	private readMessage(message: z.infer<typeof messageSchema>): void {
		const thought =
			message.reasoning_content || message.reasoning || message.thinking || thoughtIn(message);
		if (thought) {
			this.add(this.filter.passAll());
			this.add([{ type: "thinking", text: thought }]);
		}
		keepThoughts(this.thoughts, message);
		this.add(this.filter.push(thinkingText(message.content) || (message.refusal ?? "")));
		this.collector.push(message.tool_calls ?? []);
		if (message.function_call) {
			this.collector.push([callDeltaSchema.parse({ index: 0, function: message.function_call })]);
		}
	}

	private add(pieces: readonly ThoughtPiece[]): void {
		for (const piece of pieces) {
			this.hasText ||= piece.type === "text" && piece.text.trim() !== "";
			if (piece.type === "text") {
				this.textLength += piece.text.length;
				this.lastText = piece.text;
			}
			if (piece.type === "was-thinking") {
				this.hasText = false;
			}
			this.thought += piece.type === "thinking" ? piece.text : "";
			this.parts.push(piece);
		}
	}
}

function usageIn({ usage, timings }: z.infer<typeof chunkSchema>): CompletionUsage {
	const input = usage?.prompt_tokens;
	const output = outputOf(usage);
	const perSecond = timings?.predicted_per_second;
	return {
		...(typeof input === "number" ? { input } : {}),
		...(typeof output === "number" ? { output } : {}),
		...(typeof perSecond === "number" ? { perSecond } : {}),
	};
}

/**
 * Returns the tokens of an answer with those of its thoughts, which Grok counts apart and Gemini only in the total. Without details, the total may have
 * nothing else.
 */
function outputOf(usage: z.infer<typeof chunkSchema>["usage"]): number | undefined {
	const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage ?? {};
	if (typeof output !== "number" || typeof input !== "number" || typeof total !== "number") {
		return output ?? undefined;
	}
	const details = usage?.completion_tokens_details;
	const thoughts = details?.reasoning_tokens ?? 0;
	const audio = usage?.prompt_tokens_details?.audio_tokens ?? details?.audio_tokens ?? 0;
	if (input + output + thoughts === total) {
		return output + thoughts;
	}
	return details || audio > 0 ? output : Math.max(output, total - input);
}

function thoughtIn({ content, reasoning_details: details }: z.infer<typeof messageSchema>): string {
	const told = (details ?? []).map(({ text }) => text ?? "").join("");
	return typeof content === "string" || told !== ""
		? told
		: (content ?? []).map(({ thinking }) => thinkingText(thinking)).join("");
}

function thinkingText(content: z.infer<typeof contentPartSchema>["thinking"]): string {
	return typeof content === "string"
		? content
		: (content ?? []).map(({ text }) => text ?? "").join("");
}

/** Collects fields with thinking: concatenates texts and appends lists. */
function keepThoughts(
	thoughts: Record<string, unknown>,
	message: Readonly<Record<string, unknown>>,
): void {
	for (const name of ["reasoning_content", "reasoning", "reasoning_details", "extra_content"]) {
		const piece = message[name];
		const before = thoughts[name];
		if (typeof piece === "string" && typeof before === "string") {
			thoughts[name] = before + piece;
		} else if (Array.isArray(piece) && Array.isArray(before)) {
			(piece as unknown[]).forEach(item => before.push(item));
		} else if (piece !== undefined && piece !== null) {
			thoughts[name] = piece;
		}
	}
}

/** Returns the failure that a frame reports. As the first frame, it is the server's refusal of the request. */
function failureIn(server: string, value: unknown, hasBegun: boolean): HttpFailure {
	const body = typeof value === "string" ? value : JSON.stringify(value);
	const code = /"(?:code|status)":\s*"?(\d{3})\b/.exec(body)?.[1];
	const refusal = refusalOf(code === undefined ? 400 : Number(code), body);
	const failure =
		code === undefined
			? (overflowOf(body) ?? broken(`${server} failed: ${refusal.words}`))
			: serverFailure(server, refusal);
	failure.cause = hasBegun ? undefined : refusal;
	return failure;
}

/** Creates the failure of an incomplete answer. */
export function broken(sentence: string): HttpFailure {
	return new HttpFailure(502, "model_answer_failed", sentence);
}

/** Creates the failure of a response that is neither a stream nor JSON, such as a proxy's page. */
export function notAnAnswer(server: string, body: string): HttpFailure {
	return broken(`${server} did not send an answer but a page: ${serverMessage(body) || "(empty)"}`);
}

/** Buffers parts of an answer and joins consecutive texts, so that text received together is passed on together. */
export class PartJoiner<Other extends { readonly type: "end" }> {
	private readonly parts: (ThoughtPiece | Other)[] = [];
	private type: "text" | "thinking" = "text";
	private text = "";

	push(part: ThoughtPiece | Other): void {
		if (part.type !== this.type) {
			this.release();
		}
		if (part.type === "text" || part.type === "thinking") {
			this.type = part.type;
			this.text += part.text;
		} else {
			this.parts.push(part);
		}
	}

	take(): readonly (ThoughtPiece | Other)[] {
		this.release();
		return this.parts.splice(0);
	}

	private release(): void {
		const { type, text } = this;
		if (text !== "") {
			this.text = "";
			this.parts.push({ type, text });
		}
	}
}
