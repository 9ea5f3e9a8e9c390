import { HttpFailure } from "../base/httpFailure.ts";

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
	figures(`limit of ${number} tokens`, `resulted in ${number}`, true),
	// LM Studio
	figures(`first ${number} tokens`, `context length of only ${number}`),
	figures(`n_keep: ${number}`, `n_ctx: ${number}`),
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

/** Error messages of the same meaning without numbers. */
const overflowWords = new RegExp(
	[
		"exceed_context_size|context_length_exceeded|ContextWindowExceeded|tokens_limit_reached|request_too_large",
		"exceeds? (?:the )?(?:available |model )?context|context window exceeds|exceed context limit",
		"(?:maximum|model'?s) context (?:length|window)|context length of only",
		"greater than (?:the )?(?:context length|max_seq_len)|max(?:imum)? prompt length",
		"(?:prompt|input|conversation|request) is too long|exceeded model token limit|exceeds max(?:imum)? length",
		"reduce the length of the (?:messages|prompt)|range of input length should be",
		"max_new_tokens.{1,3}must be <=|must have less than \\d+ tokens|too many tokens:",
	].join("|"),
	"i",
);

/** Returns the failure of a conversation that is too long for its model, or undefined if a body doesn't report that. */
export function overflowOf(body: string): HttpFailure | undefined {
	let isTooLong = false;
	for (const { first, second, isRoomFirst = false } of overflows) {
		const before = first.exec(body);
		const after = before && second.exec(body.slice(before.index + before[0].length));
		if (after) {
			const [one, other] = [sumOf(before), sumOf(after)];
			const [has, room] = isRoomFirst ? [other, one] : [one, other];
			if (has > room) {
				return tooLong({ has, room });
			}
			// One of the numbers has another meaning, for example the answer alone.
			isTooLong = true;
		}
	}
	return isTooLong || overflowWords.test(body) ? tooLong() : undefined;
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
