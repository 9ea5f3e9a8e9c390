import { createParser } from "eventsource-parser";
import * as z from "zod/mini";
import { HttpFailure } from "../base/index.ts";
import { failureOf, overflowOf, wordsIn, wordsOf } from "./serverFailure.ts";
import { lenient } from "./lenient.ts";
import { chunkOfLine } from "./ollamaWire.ts";
import { filterThoughts } from "./thoughts.ts";
import { callDeltaSchema, collectCalls, type CompletionCall } from "./toolCalls.ts";

/** What an answer is made of: any number of texts and thoughts, then one `end`. */
export type CompletionPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "thinking"; readonly text: string }
	| {
			readonly type: "end";
			readonly calls: readonly CompletionCall[];
			/** The model stopped at a limit of length. */
			readonly isCut: boolean;
			/** What it thought in fields of its own, which some servers demand back with the call. */
			readonly thoughts: Readonly<Record<string, unknown>>;
	  };

const optionalText = lenient(z.string());
const messageSchema = z.looseObject({
	content: lenient(z.union([z.string(), z.array(z.looseObject({ text: optionalText }))])),
	reasoning_content: optionalText,
	reasoning: optionalText,
	thinking: optionalText,
	tool_calls: lenient(z.array(callDeltaSchema)),
	function_call: z.nullish(z.unknown()),
});
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
});

const maxFrameLength = 16 * 1024 * 1024;

/** Reads an answer, streamed or whole. Throws `HttpFailure` where it does not come to a proper end. */
export async function* readCompletion(
	response: Response,
	server: string,
): AsyncGenerator<CompletionPart, void, undefined> {
	const reader = new CompletionReader(server);
	const type = response.headers.get("content-type") ?? "";
	if (/ndjson/i.test(type)) {
		yield* linesOf(response, server, reader);
	} else if (/json|html/i.test(type)) {
		const body = await response.text();
		yield* reader.whole(body);
	} else {
		yield* framesOf(response, server, reader);
	}
	yield* reader.end();
}

/** Ollama's own stream: a line of JSON for each part. */
async function* linesOf(
	response: Response,
	server: string,
	reader: CompletionReader,
): AsyncGenerator<CompletionPart, void, undefined> {
	const decoder = new TextDecoder();
	let held = "";
	const take = function* (text: string): Parts {
		const lines = (held + text).split("\n");
		held = lines.pop() ?? "";
		for (const line of lines.filter(entry => entry.trim() !== "")) {
			if (parsed(line) === undefined) {
				throw broken(`${server} sent a line that is not JSON.`);
			}
			yield* reader.frame(chunkOfLine(line));
		}
		if (held.length > maxFrameLength) {
			throw broken(`${server} sent a line that is too long.`);
		}
	};
	for await (const bytes of response.body ?? []) {
		yield* take(decoder.decode(bytes, { stream: true }));
	}
	yield* take(`${decoder.decode()}\n`);
}

interface Frame {
	readonly event: string | undefined;
	readonly data: string;
}

async function* framesOf(
	response: Response,
	server: string,
	reader: CompletionReader,
): AsyncGenerator<CompletionPart, void, undefined> {
	const frames: Frame[] = [];
	const decoder = new TextDecoder();
	let beginning = "";
	let isTooLong = false;
	const parser = createParser({
		maxBufferSize: maxFrameLength,
		onEvent: ({ event, data }) => frames.push({ event, data }),
		onError: ({ type }) => {
			isTooLong ||= type === "max-buffer-size-exceeded";
		},
	});
	const feed = function* (text: string): Generator<CompletionPart, void, undefined> {
		beginning = beginning.length < 4_096 ? beginning + text : beginning;
		parser.feed(text);
		if (isTooLong) {
			throw broken(`${server} sent a frame that is too long.`);
		}
		for (const { event, data } of frames.splice(0)) {
			yield* reader.frame(data, event);
		}
	};
	for await (const bytes of response.body ?? []) {
		yield* feed(decoder.decode(bytes, { stream: true }));
	}
	// A last frame may lack its blank line.
	yield* feed(`${decoder.decode()}\n\n`);
	const trimmed = beginning.trimStart();
	if (trimmed.startsWith("{") || trimmed.startsWith("[") || trimmed.startsWith("<")) {
		yield* reader.whole(beginning);
	}
}

/** Makes parts of what a server sends, and remembers what the end is judged by. */
class CompletionReader {
	private readonly collector = collectCalls();
	private readonly filter = filterThoughts();
	private readonly thoughts: Record<string, unknown> = {};
	private finish = "";
	private hasFrames = false;
	private hasText = false;
	private hasThoughts = false;
	private readonly server: string;

	constructor(server: string) {
		this.server = server;
	}

	*frame(data: string, event?: string): Parts {
		if (data.trim() === "[DONE]" || data.trim() === "") {
			return;
		}
		const value = parsed(data);
		if (event === "error") {
			throw failureIn(this.server, value ?? data);
		}
		if (value === undefined) {
			throw broken(`${this.server} sent a frame that is not JSON.`);
		}
		yield* this.read(value);
	}

	*whole(body: string): Parts {
		const value = parsed(body);
		if (value === undefined) {
			const words = wordsOf(body) || "(empty)";
			throw broken(`${this.server} did not send an answer but a page: ${words}`);
		}
		yield* this.read(value);
	}

	*end(): Parts {
		const rest = this.filter.end();
		if (rest !== "") {
			this.hasText = true;
			yield { type: "text", text: rest };
		}
		const { server, finish, hasFrames, hasText, hasThoughts, thoughts } = this;
		const calls = this.collector.calls();
		checkEnd(server, finish, {
			hasFrames,
			isEmpty: !hasText && calls.length === 0,
			hasThoughts,
			isNamed: calls.every(({ name }) => name !== ""),
		});
		yield { type: "end", calls, isCut: finish === "length", thoughts };
	}

	private *read(value: unknown): Parts {
		const chunk = chunkSchema.safeParse(value).data;
		if (!chunk || chunk.error || (!chunk.choices && wordsIn(value) !== undefined)) {
			throw failureIn(this.server, value);
		}
		this.hasFrames = true;
		for (const { delta, message, finish_reason: reason } of chunk.choices?.slice(0, 1) ?? []) {
			this.finish = reason || this.finish;
			yield* this.readMessage(delta ?? message ?? {});
		}
	}

	private *readMessage(message: z.infer<typeof messageSchema>): Parts {
		const thought = message.reasoning_content ?? message.reasoning ?? message.thinking;
		if (thought) {
			this.hasThoughts = true;
			yield { type: "thinking", text: thought };
		}
		keepThoughts(this.thoughts, message);
		const text = this.filter.push(textOf(message.content));
		if (text !== "") {
			this.hasText = true;
			yield { type: "text", text };
		}
		this.collector.push(message.tool_calls ?? []);
		if (message.function_call) {
			this.collector.push([callDeltaSchema.parse({ index: 0, function: message.function_call })]);
		}
	}
}

type Parts = Generator<CompletionPart, void, undefined>;

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
			thoughts[name] = [...(before as unknown[]), ...(piece as unknown[])];
		} else if (piece !== undefined && piece !== null) {
			thoughts[name] = piece;
		}
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
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

function broken(sentence: string): HttpFailure {
	return new HttpFailure(502, "model_answer_failed", sentence);
}
