import { HttpFailure } from "../base/failureResponse.ts";

/** Patterns for the two numbers in a message: the conversation's tokens and the limit. */
interface Figures {
	readonly first: RegExp;
	/** Matched once, after `first`, so that matching takes linear time. */
	readonly second: RegExp;
	readonly isRoomFirst?: boolean;
}

const number = String.raw`(\d[\d,]{0,15})`;

function figures(first: string, second: string, isRoomFirst = false): Figures {
	return { first: new RegExp(first, "i"), second: new RegExp(second, "i"), isRoomFirst };
}

function anyOf(...patterns: readonly string[]): RegExp {
	return new RegExp(patterns.join("|"), "i");
}

/** Error messages with the size of a conversation and its limit. Two numbers in the first part are added. */
const overflows: readonly Figures[] = [
	// llama.cpp
	figures(`"n_prompt_tokens":\\s*${number}`, `"n_ctx":\\s*${number}`),
	figures(`"n_ctx":\\s*${number}`, `"n_prompt_tokens":\\s*${number}`, true),
	figures(`(?:request|prompt tokens) \\(${number}(?: tokens)?\\) exceeds`, `\\(${number}`),
	// vLLM and SGLang include the answer in the count; OpenAI, OpenRouter, DeepSeek and older ones not always.
	figures(
		`maximum context length (?:is|of) ${number} tokens`,
		`total of (?:at least )?${number}`,
		true,
	),
	figures(
		`maximum context length (?:is|of) ${number} tokens`,
		`(?:requested|resulted in|contains|has)[^\\d]{0,80}${number}`,
		true,
	),
	figures(`passed ${number} input tokens`, `context length is only ${number}`),
	figures(`limit of ${number} tokens`, `resulted in ${number}`, true),
	// LM Studio
	figures(`first ${number} tokens`, `context length of only ${number}`),
	figures(`n_keep:? \\(?${number}`, `n_ctx:? \\(?${number}`),
	// TGI, Bedrock and watsonx
	figures(`less than ${number} tokens`, `^\\. Given: ${number}`, true),
	figures(`cannot exceed ${number}`, `^ - received ${number}`, true),
	figures(`token count is ${number}`, `^ but model only supports up to ${number}`),
	figures(`input tokens: ${number}`, `token count: ${number}`, true),
	// Anthropic and Fireworks
	figures(`too long: ${number} tokens`, `^ > ${number}`),
	figures(`too long: ${number}`, `maximum context length: ${number}`),
	figures(`exceed context limit: ${number} \\+ ${number}`, `^ > ${number}`),
	// Gemini and GitHub Copilot
	figures(`token count (?:of )?\\(?${number}\\)? exceeds`, number),
	// Mistral, xAI, Kimi, Cerebras, ExLlama
	figures(`contains ${number} tokens`, `${number} maximum context`),
	figures(`maximum prompt length is ${number}`, `contains ${number}`, true),
	figures(`exceeded model token limit: ${number}`, `requested: ${number}`, true),
	figures(`current length is ${number}`, `limit is ${number}`),
	figures(`length ${number} is greater`, `max_seq_len ${number}`),
];

/** Error messages of the same meaning, with numbers in any order or without. */
const overflowWords = anyOf(
	"exceed_context_size|context_length_exceeded|ContextWindowExceeded|context_window_exceeded",
	"tokens_limit_reached|request_too_large|prompt_tokens_exceeded|input tokens exceeded",
	"exceeds? (?:the )?(?:available |model )?context|context window exceeds|exceed context limit",
	"(?:maximum|model'?s) context (?:length|window)|context length of only",
	"greater than (?:the )?(?:context length|max_seq_len)|max(?:imum)? prompt length",
	"(?:prompt|input|conversation|request|messages?|context) (?:is |are )?too long\\b",
	"(?:prompt|input|context) (?:is )?too (?:large|big)\\b(?! to process)",
	"exceeded model token limit|exceed(?:s|ed)? (?:max(?:imum)? (?:length|context)|max_num_tokens)|prompt exceeds the length limit",
	"context (?:length|size|window|limit) (?:has been |was |is )?(?:exceeded|reached)",
	"reached (?:the )?(?:context (?:length|limit)|max(?:imum)? context)|too big compared to kv size",
	"reduce the length of the (?:messages|prompt|input)|range of input length should be",
	"max_new_tokens.{1,3}must be <=|must have less than [\\d,]+ tokens|too many (?:input )?tokens[:.]",
	"too large for model with|max_tokens must be at least 1, got -",
	"(?:input|context|prompt|total tokens)[^.。]{0,20}(?:超过|超出|超长)|(?:超过|超出)[^.。]{0,20}(?:上下文|最大长度)",
);

const isMore = String.raw`\b(?:exceed(?:s|ed|ing)?|(?:longer|larger|greater|bigger|more) than|(?:does not|doesn't|do not|don't|cannot|can't) fit|only supports?|must be (?:less|shorter|fewer) than)\b`;
const bound = String.raw`\b(?:context (?:length|size|window|limit)|n_ctx|max_(?:model_len|seq_len|input_len|num_tokens|context\w*)|(?:maximum|max|allowed) (?:model |sequence |input |prompt |allowed |token |context )*length|token limit|(?:tokens?|total tokens) limit|(?:maximum|max) (?:number of )?(?:input |prompt |message )?tokens|limit of [\d,]+)\b`;
/** A few words of the same sentence. */
const within = String.raw`(?:[^.\n]|\.\d){0,60}`;
/** Any other wording: the size, that it is more than the limit, and the limit. */
const overflowPhrase = anyOf(
	String.raw`\b(?:prompt|input|inputs|request|messages?|conversation|context|sequence|tokens?)\b${within}${isMore}${within}${bound}`,
	String.raw`${bound} (?:of [\d,]+ )?(?:tokens )?(?:has been |was |is )?exceeded`,
);
/** Wordings about the answer's length, or about how much may be sent in a time. */
const otherLimits =
	/(?:output|completion|generated) tokens?\b|max_(?:completion_|output_|new_)?tokens|\bper[ _-]?(?:sec|min|hour|day|month)|rate.?limit|quota|\b[TR]P[MD]\b/i;

/** A limit and a larger request, without an amount used before. Waiting doesn't help then. Used by Groq and OpenAI. */
const atOnce = figures(`\\blimit:? ${number}`, `^,? (?:and )?requested:? ${number}`, true);

/** Returns the failure of a single request that is larger than what its model may be sent in a time, or undefined. */
export function overflowAtOnce(body: string): HttpFailure | undefined {
	const size = sizeIn(body, atOnce);
	return size && size.has > size.room ? tooLong(size) : undefined;
}

/** Returns the failure of a conversation that is too long for its model, or undefined if a body doesn't report that. */
export function overflowOf(body: string): HttpFailure | undefined {
	let isTooLong = false;
	for (const each of overflows) {
		const size = sizeIn(body, each);
		if (size && size.has > size.room) {
			return tooLong(size);
		}
		// One of the numbers has another meaning, for example the answer alone.
		isTooLong ||= size !== undefined;
	}
	isTooLong ||= overflowWords.test(body) || (overflowPhrase.test(body) && !otherLimits.test(body));
	return isTooLong ? tooLong(onlyTwo(body)) : overflowAtOnce(body);
}

type Size = NonNullable<HttpFailure["tokens"]>;

function sizeIn(body: string, { first, second, isRoomFirst = false }: Figures): Size | undefined {
	const before = first.exec(body);
	const after = before && second.exec(body.slice(before.index + before[0].length));
	if (!after) {
		return undefined;
	}
	const [one, other] = [sumOf(before), sumOf(after)];
	return isRoomFirst ? { has: other, room: one } : { has: one, room: other };
}

/** Fewer tokens than a chat needs: a number below is a status or a count of something else. */
const fewestTokens = 512;

/** Returns the larger and the smaller one of exactly two numbers of tokens in a message. */
function onlyTwo(body: string): Size | undefined {
	if (/\bby [\d,]+ tokens?/i.test(body)) {
		return undefined;
	}
	const found = body.matchAll(
		/(?<![\w.#/-]|"code": ?|"status": ?)\d[\d,]{2,9}(?:\.0)?(?![\w/-]|\.\d)/g,
	);
	const numbers = new Set(
		Array.from(found, ([digits]) => Number(digits.replaceAll(",", ""))).filter(
			count => count >= fewestTokens,
		),
	);
	return numbers.size === 2 ? { has: Math.max(...numbers), room: Math.min(...numbers) } : undefined;
}

function sumOf([, ...digits]: readonly string[]): number {
	return digits.reduce((sum, each) => sum + Number(each.replaceAll(",", "")), 0);
}

/** Creates the failure of a conversation that is too long for its model. */
export function tooLong(tokens?: HttpFailure["tokens"]): HttpFailure {
	const figuresInWords = tokens
		? `: about ${tokens.has.toLocaleString("en")} tokens, it has ${tokens.room.toLocaleString("en")}`
		: "";
	const failure = new HttpFailure(
		400,
		"context_length_exceeded",
		`Too long for this model${figuresInWords}. A larger context, another model, fewer files or a new chat helps.`,
	);
	failure.tokens = tokens;
	return failure;
}
