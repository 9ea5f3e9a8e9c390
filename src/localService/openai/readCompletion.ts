import { createParser } from "eventsource-parser";
import * as z from "zod/mini";
import { HttpFailure, readWhole } from "../base/index.ts";
import { failureOf, overflowOf, wordsIn, wordsOf } from "./serverFailure.ts";
import { lenient } from "./lenient.ts";
import { PartJoiner } from "./partJoiner.ts";
import { parsed, plainText, RepeatedFrame } from "./plainText.ts";
import { ThoughtFilter, type ThoughtPiece } from "./thoughts.ts";
import { callDeltaSchema, CompletionCallCollector, type CompletionCall } from "./toolCalls.ts";

/** Tokens that were read and written, and how many were written in a second, as far as a server reports them. */
export interface CompletionUsage {
	readonly input?: number;
	readonly output?: number;
	readonly perSecond?: number;
}

/** The parts of an answer: any number of texts and thoughts, then one `end`. */
export type CompletionPart =
	| ThoughtPiece
	| {
			readonly type: "end";
			readonly calls: readonly CompletionCall[];
			/** The model stopped at a limit of length. */
			readonly isCut: boolean;
			/** Its thoughts in fields of their own, which some servers demand back with the call. */
			readonly thoughts: Readonly<Record<string, unknown>>;
			/** Nothing in it where the server reports nothing. */
			readonly usage: CompletionUsage;
	  };

/** The model is loaded, or reads the messages, until something else comes. */
export interface ModelProgress {
	readonly type: "progress";
	readonly stage: "loading" | "reading";
}

/** The server refused a parameter, and was asked again without it. */
export interface LeftOut {
	readonly type: "left-out";
	readonly parameter: string;
}

/** Parts of an answer, what goes on before them, and before the end its context in effect, in tokens, where that is known. */
export type ModelPart =
	CompletionPart | ModelProgress | LeftOut | { readonly type: "context"; readonly tokens: number };

const optionalText = lenient(z.string());
const messageSchema = z.looseObject({
	content: lenient(z.union([z.string(), z.array(z.looseObject({ text: optionalText }))])),
	reasoning_content: optionalText,
	reasoning: optionalText,
	thinking: optionalText,
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
	usage: lenient(z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens })),
	/** llama.cpp. */
	timings: lenient(z.looseObject({ predicted_per_second: tokens })),
});

/** The most that one frame, or an answer that is none of frames, may have. */
const maxFrameLength = 16 * 1024 * 1024;
/** The most bytes of an answer, which hold hundreds of thousands of tokens with the frames around them. */
const maxAnswerBytes = 128 * 1024 * 1024;

/** How an answer is read. */
export interface ReadingOptions {
	/** It may begin inside a thought. */
	readonly isInThought?: boolean;
	/** A line of an answer in lines of JSON, as a chunk of OpenAI's. */
	readonly chunkOf?: ((line: string) => string) | undefined;
}

/** Reads an answer, streamed or whole. Throws `HttpFailure` where it does not come to a proper end. */
export function readCompletion(
	response: Response,
	server: string,
	{ isInThought = false, chunkOf = line => line }: ReadingOptions = {},
): AsyncGenerator<CompletionPart, void, undefined> {
	const reader = new CompletionReader(server, isInThought);
	const type = response.headers.get("content-type") ?? "";
	// The generator that reads is given as it is: one around it would cost every part another turn of the event loop's microtasks.
	return /ndjson/i.test(type)
		? linesOf(response, server, reader, chunkOf)
		: /json|html/i.test(type)
			? wholeOf(response, server, reader)
			: framesOf(response, server, reader);
}

async function* wholeOf(
	response: Response,
	server: string,
	reader: CompletionReader,
): AsyncGenerator<CompletionPart, void, undefined> {
	const body = await readWhole(response.body, maxFrameLength, () => tooLong(server));
	yield* reader.partsOf(() => {
		reader.whole(body.toString());
		reader.end();
	});
}

/** A stream of lines of JSON, such as Ollama's own. */
async function* linesOf(
	response: Response,
	server: string,
	reader: CompletionReader,
	chunkOf: (line: string) => string,
): AsyncGenerator<CompletionPart, void, undefined> {
	const decoder = new TextDecoder();
	let held = "";
	const feed = (text: string): void => {
		// Only what is new is searched: a long line comes in many pieces.
		const end = text.lastIndexOf("\n");
		const lines = end === -1 ? [] : (held + text.slice(0, end)).split("\n");
		held = end === -1 ? held + text : text.slice(end + 1);
		for (const line of lines.filter(entry => entry.trim() !== "")) {
			if (parsed(line) === undefined) {
				throw broken(`${server} sent a line that is not JSON.`);
			}
			reader.frame(chunkOf(line));
		}
		if (held.length > maxFrameLength) {
			throw broken(`${server} sent a line that is too long.`);
		}
	};
	for await (const bytes of response.body ?? []) {
		const read = (): void => feed(decoder.decode(bytes, { stream: true }));
		yield* reader.partsOf(read, bytes.length);
	}
	yield* reader.partsOf(() => {
		feed(`${decoder.decode()}\n`);
		reader.end();
	});
}

async function* framesOf(
	response: Response,
	server: string,
	reader: CompletionReader,
): AsyncGenerator<CompletionPart, void, undefined> {
	const decoder = new TextDecoder();
	let beginning = "";
	let isTooLong = false;
	const parser = createParser({
		maxBufferSize: maxFrameLength,
		onEvent: ({ event, data }) => reader.frame(data, event),
		onError: ({ type }) => {
			isTooLong ||= type === "max-buffer-size-exceeded";
		},
	});
	const feed = (text: string): void => {
		beginning = beginning.length < 4_096 ? beginning + text : beginning;
		parser.feed(text);
		if (isTooLong) {
			throw broken(`${server} sent a frame that is too long.`);
		}
	};
	for await (const bytes of response.body ?? []) {
		const read = (): void => feed(decoder.decode(bytes, { stream: true }));
		yield* reader.partsOf(read, bytes.length);
	}
	yield* reader.partsOf(() => {
		// A last frame may lack its blank line.
		feed(`${decoder.decode()}\n\n`);
		const trimmed = beginning.trimStart();
		if (trimmed.startsWith("{") || trimmed.startsWith("[") || trimmed.startsWith("<")) {
			reader.whole(beginning);
		}
		reader.end();
	});
}

/** Makes parts of what a server sends, and remembers what the end is judged by. */
class CompletionReader {
	private readonly collector = new CompletionCallCollector();
	private readonly filter: ThoughtFilter;
	private readonly parts = new PartJoiner<Exclude<CompletionPart, ThoughtPiece>>();
	private readonly repeated = new RepeatedFrame();
	private readonly thoughts: Record<string, unknown> = {};
	private size = 0;
	private finish = "";
	private usage: CompletionUsage = {};
	private hasFrames = false;
	private hasText = false;
	private hasThoughts = false;
	private readonly server: string;

	constructor(server: string, isInThought: boolean) {
		this.server = server;
		this.filter = new ThoughtFilter(isInThought);
	}

	/** The parts of what `read` reads, which are `bytes` more of the answer; where it throws, those before it come first. */
	*partsOf(read: () => void, bytes = 0): Generator<CompletionPart, void, undefined> {
		this.size += bytes;
		if (this.size > maxAnswerBytes) {
			throw tooLong(this.server);
		}
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
		if (trimmed === "[DONE]" || trimmed === "") {
			return;
		}
		const value = parsed(data);
		if (event === "error") {
			throw failureIn(this.server, value ?? data);
		}
		if (value === undefined) {
			throw broken(`${this.server} sent a frame that is not JSON.`);
		}
		const text = plainText(value);
		if (text === undefined) {
			this.read(value);
		} else {
			this.hasFrames = true;
			this.repeated.learn(data, text);
			this.add(this.filter.push(text));
		}
	}

	whole(body: string): void {
		const value = parsed(body);
		if (value === undefined) {
			const words = wordsOf(body) || "(empty)";
			throw broken(`${this.server} did not send an answer but a page: ${words}`);
		}
		this.read(value);
	}

	end(): void {
		this.add(this.filter.end(this.finish === "length"));
		const { server, finish, hasFrames, hasText, hasThoughts, thoughts, usage } = this;
		const calls = this.collector.calls();
		checkEnd(server, finish, {
			hasFrames,
			isEmpty: !hasText && calls.length === 0,
			hasThoughts,
			isNamed: calls.every(({ name }) => name !== ""),
		});
		this.parts.push({ type: "end", calls, isCut: finish === "length", thoughts, usage });
	}

	private read(value: unknown): void {
		const chunk = chunkSchema.safeParse(value).data;
		if (!chunk || chunk.error || (!chunk.choices && wordsIn(value) !== undefined)) {
			throw failureIn(this.server, value);
		}
		this.hasFrames = true;
		this.usage = { ...this.usage, ...usageIn(chunk) };
		for (const { delta, message, finish_reason: reason } of chunk.choices?.slice(0, 1) ?? []) {
			this.finish = reason || this.finish;
			this.readMessage(delta ?? message ?? {});
		}
	}

	private readMessage(message: z.infer<typeof messageSchema>): void {
		const thought = message.reasoning_content ?? message.reasoning ?? message.thinking;
		if (thought) {
			this.filter.passAll();
			this.add([{ type: "thinking", text: thought }]);
		}
		keepThoughts(this.thoughts, message);
		this.add(this.filter.push(textOf(message.content)));
		this.collector.push(message.tool_calls ?? []);
		if (message.function_call) {
			this.collector.push([callDeltaSchema.parse({ index: 0, function: message.function_call })]);
		}
	}

	private add(pieces: readonly ThoughtPiece[]): void {
		for (const piece of pieces) {
			this.hasText ||= piece.type === "text";
			this.hasThoughts ||= piece.type === "thinking";
			this.parts.push(piece);
		}
	}
}

interface Ending {
	readonly hasFrames: boolean;
	readonly isEmpty: boolean;
	readonly hasThoughts: boolean;
	readonly isNamed: boolean;
}

/** Throws where an answer did not come to a proper end. */
function checkEnd(server: string, finish: string, ending: Ending): void {
	if (!ending.hasFrames) {
		throw broken(
			`${server} sent an empty answer. The conversation may be too long for the model's context.`,
		);
	}
	if (finish === "") {
		throw broken(`${server} broke off before the answer was complete.`);
	}
	if (finish === "content_filter") {
		throw broken(`The content filter of ${server} ended the answer.`);
	}
	if (/error|abort|insufficient/i.test(finish)) {
		throw broken(`${server} gave the answer up: ${finish}.`);
	}
	if (!ending.isNamed) {
		throw broken("The model called a tool without naming it.");
	}
	if (ending.isEmpty && finish !== "length") {
		throw broken(
			ending.hasThoughts
				? "The model thought and then did not answer."
				: `${server} sent an empty answer.`,
		);
	}
}

function usageIn({ usage, timings }: z.infer<typeof chunkSchema>): CompletionUsage {
	const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
	const perSecond = timings?.predicted_per_second;
	return {
		...(typeof input === "number" ? { input } : {}),
		...(typeof output === "number" ? { output } : {}),
		...(typeof perSecond === "number" ? { perSecond } : {}),
	};
}

function textOf(content: z.infer<typeof messageSchema>["content"]): string {
	return typeof content === "string"
		? content
		: (content ?? []).map(({ text }) => text ?? "").join("");
}

/** Fields that hold thoughts, put together as they came: texts joined, lists appended. */
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

function failureIn(server: string, value: unknown): HttpFailure {
	const body = typeof value === "string" ? value : JSON.stringify(value);
	const code = /"(?:code|status)":\s*"?(\d{3})\b/.exec(body)?.[1];
	const words = wordsOf(body);
	return (
		overflowOf(body) ??
		(code === undefined
			? broken(`${server} failed: ${words}`)
			: failureOf(server, { status: Number(code), words, body }))
	);
}

function tooLong(server: string): HttpFailure {
	return broken(`${server} sent an answer without an end, which was left.`);
}

function broken(sentence: string): HttpFailure {
	return new HttpFailure(502, "model_answer_failed", sentence);
}
