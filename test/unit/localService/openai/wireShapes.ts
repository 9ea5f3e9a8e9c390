import { delta, errorReply, frames, type ModelReply } from "../../../helpers/modelServer.ts";

/** A way in which some server writes an answer, and what is made of it. */
export interface Shape {
	readonly name: string;
	readonly reply: ModelReply;
	readonly text?: string;
	/** As «name(arguments)»; ids as «id:name(arguments)» where they matter. */
	readonly calls?: readonly string[];
	/** What a failure's sentence begins with. */
	readonly failure?: string;
	/** It ended at a limit of length, where its calls do not run. */
	readonly isCut?: boolean;
}

const stop = delta({}, "stop");
const toolStop = delta({}, "tool_calls");

interface CallPiece {
	readonly index?: number;
	readonly id?: string;
	readonly name?: string;
	readonly input?: unknown;
}

/** A chunk with pieces of calls. */
function calls(...pieces: readonly CallPiece[]): object {
	return delta({
		tool_calls: pieces.map(({ index, id, name, input }) => ({
			...(index === undefined ? {} : { index }),
			...(id === undefined ? {} : { id }),
			type: "function",
			function: {
				...(name === undefined ? {} : { name }),
				...(input === undefined ? {} : { arguments: input }),
			},
		})),
	});
}

const say = (content: string): object => delta({ content });
const stream = (...chunks: readonly unknown[]): ModelReply => ({ body: frames(...chunks) });
/** A stream without `[DONE]`. */
const open = (...chunks: readonly unknown[]): ModelReply => ({
	body: frames(...chunks).replace("data: [DONE]\n\n", ""),
});
const json = (body: unknown): ModelReply => errorReply(200, body);

/** Text, calls and thoughts. */
const answers: readonly Shape[] = [
	{ name: "plain text", reply: stream(say("Hé"), say("llo 🌍"), stop), text: "Héllo 🌍" },
	{
		name: "the role first, with null",
		reply: stream(delta({ role: "assistant", content: null }), say("Hi"), stop),
		text: "Hi",
	},
	{ name: "the end in the last text", reply: stream(delta({ content: "Hi" }, "stop")), text: "Hi" },
	{
		name: "usage in a chunk without choices",
		reply: stream(say("Hi"), stop, { choices: [], usage: { total_tokens: 3 } }),
		text: "Hi",
	},
	{ name: "no [DONE] after a proper end", reply: open(say("Hi"), stop), text: "Hi" },
	{
		name: "a reset after a proper end",
		reply: { ...open(say("Hi"), stop), ending: "reset" },
		text: "Hi",
	},
	{
		name: "no blank line at the end",
		reply: { body: frames(say("Hi"), stop).trimEnd() },
		text: "Hi",
	},
	{ name: "CRLF", reply: { body: frames(say("Hi"), stop).replaceAll("\n", "\r\n") }, text: "Hi" },
	{
		name: "no space behind data:",
		reply: { body: frames(say("Hi"), stop).replaceAll("data: ", "data:") },
		text: "Hi",
	},
	{
		name: "comments that keep the connection",
		reply: { body: `: OPENROUTER PROCESSING\n\n${frames(say("Hi"), stop)}` },
		text: "Hi",
	},
	{
		name: "a comment in place of a frame",
		reply: { body: `data: : OPENROUTER PROCESSING\n\n${frames(say("Hi"), stop)}` },
		text: "Hi",
	},
	{
		name: "[DONE] without a reason for the end",
		reply: stream(say("Hi")),
		text: "Hi",
	},
	{
		name: "[DONE] with the connection left open",
		reply: { ...stream(say("Hi"), stop), ending: "open" },
		text: "Hi",
	},
	{
		name: "frames under the type of JSON",
		reply: { ...stream(say("Hi"), stop), headers: { "content-type": "application/json" } },
		text: "Hi",
	},
	{
		name: "frames under the type of a page",
		reply: { ...stream(say("Hi"), stop), headers: { "content-type": "text/html" } },
		text: "Hi",
	},
	{
		name: "a whole answer over several lines",
		reply: {
			body: JSON.stringify(
				{ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] },
				null,
				2,
			),
		},
		text: "Hi",
	},
	...["MAX_TOKENS", "max_output_tokens", "model_length", "Length", "max-tokens"].map(reason => ({
		name: `a limit of length as ${reason}`,
		reply: stream(
			say("Hi"),
			calls({ index: 0, id: "a", name: "f", input: "{" }),
			delta({}, reason),
		),
		text: "Hi",
		calls: ["a:f({)"],
		isCut: true,
	})),
	{
		name: "the word «null» for no reason",
		reply: stream(delta({ content: "Hi" }, "null")),
		text: "Hi",
	},
	{
		name: "the word «null» in an answer that breaks off",
		reply: open(delta({ content: "Hi" }, "null")),
		text: "Hi",
		failure: "lm broke off",
	},
	...["STOP", "end_turn", "eos", "stop_sequence", "COMPLETE"].map(reason => ({
		name: `a proper end as ${reason}`,
		reply: stream(say("Hi"), delta({}, reason)),
		text: "Hi",
	})),
	{
		name: "a refusal in place of the content",
		reply: stream(delta({ content: null, refusal: "I can't" }), delta({ refusal: "." }), stop),
		text: "I can't.",
	},
	{
		name: "content as parts",
		reply: stream(delta({ content: [{ type: "text", text: "Hi" }] }), stop),
		text: "Hi",
	},
	{
		name: "a whole answer as JSON",
		reply: json({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }),
		text: "Hi",
	},
	{
		name: "a whole answer as JSON under a stream's type",
		reply: {
			body: JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }),
		},
		text: "Hi",
	},
	{
		name: "a filter's report before the answer",
		reply: stream({ choices: [], prompt_filter_results: [] }, say("Hi"), stop),
		text: "Hi",
	},
	{
		name: "reasoning_content",
		reply: stream(delta({ reasoning_content: "secret" }), say("Hi"), stop),
		text: "Hi",
	},
	{
		name: "reasoning with its details",
		reply: stream(
			delta({ reasoning: "secret", reasoning_details: [{ text: "secret" }] }),
			say("Hi"),
			stop,
		),
		text: "Hi",
	},
	{ name: "thinking", reply: stream(delta({ thinking: "secret" }), say("Hi"), stop), text: "Hi" },
	{
		name: "<think> at the start",
		reply: stream(say("<th"), say("ink>\nsecret</thi"), say("nk>\n\n"), say("Hi"), stop),
		text: "Hi",
	},
	{
		name: "<think> after a line",
		reply: stream(say("\n<think>secret</think>Hi"), stop),
		text: "Hi",
	},
	{ name: "an empty <think>", reply: stream(say("<think></think>"), say("Hi"), stop), text: "Hi" },
	{
		name: "<think> inside the text",
		reply: stream(say("Use <think> here"), stop),
		text: "Use <think> here",
	},
	{ name: "an angle bracket first", reply: stream(say("<"), say("b>Hi"), stop), text: "<b>Hi" },
	{ name: "only an angle bracket", reply: stream(say("<"), stop), text: "<" },
	{
		name: "a text that looks like a call",
		reply: stream(say("[TOOL_CALLS][{}]"), stop),
		text: "[TOOL_CALLS][{}]",
	},
	{
		name: "one call in pieces",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "" }),
			calls({ index: 0, input: '{"x"' }),
			calls({ index: 0, input: ":1}" }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "two calls by index",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{}" }),
			calls({ index: 1, id: "b", name: "g", input: "{}" }),
			toolStop,
		),
		calls: ["a:f({})", "b:g({})"],
	},
	{
		name: "two calls in turns",
		reply: stream(
			calls(
				{ index: 0, id: "a", name: "f", input: "{" },
				{ index: 1, id: "b", name: "g", input: "{" },
			),
			calls({ index: 1, input: "}" }, { index: 0, input: "}" }),
			toolStop,
		),
		calls: ["a:f({})", "b:g({})"],
	},
	{
		name: "index 0 for all, with ids",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{}" }),
			calls({ index: 0, id: "b", name: "g", input: '{"y"' }),
			calls({ index: 0, input: ":2}" }),
			toolStop,
		),
		calls: ["a:f({})", 'b:g({"y":2})'],
	},
	{
		name: "no index, with ids",
		reply: stream(
			calls({ id: "a", name: "f", input: "{}" }, { id: "b", name: "g", input: "{}" }),
			toolStop,
		),
		calls: ["a:f({})", "b:g({})"],
	},
	{
		name: "neither index nor id goes on with the last call",
		reply: stream(calls({ id: "a", name: "f", input: "{" }), calls({ input: "}" }), toolStop),
		calls: ["a:f({})"],
	},
	{
		name: "whole calls without index and id",
		reply: stream(calls({ name: "f", input: "{}" }), calls({ name: "g", input: "{}" }), toolStop),
		calls: ["f({})", "g({})"],
	},
	{
		name: "whole calls without index and id in one chunk",
		reply: stream(calls({ name: "f" }, { name: "f" }), toolStop),
		calls: ["f({})", "f({})"],
	},
	{
		name: "index 0 for all, without ids",
		reply: stream(
			calls({ index: 0, name: "f", input: "{}" }),
			calls({ index: 0, name: "f", input: '{"x":1}' }),
			toolStop,
		),
		calls: ["f({})", 'f({"x":1})'],
	},
	{
		name: "a new id with every piece",
		reply: stream(
			calls({ index: 0, id: "c1", name: "f", input: '{"x"' }),
			calls({ index: 0, id: "c2", input: ":" }),
			calls({ index: 0, id: "c3", input: "1}" }),
			toolStop,
		),
		calls: ['c1:f({"x":1})'],
	},
	{
		name: "a new id and the name with every piece",
		reply: stream(
			calls({ index: 0, id: "c1", name: "f", input: '{"x"' }),
			calls({ index: 0, id: "c2", name: "f", input: ":1}" }),
			calls({ index: 0, id: "c3", name: "f", input: "{}" }),
			toolStop,
		),
		calls: ['c1:f({"x":1})', "c3:f({})"],
	},
	{
		name: "a new id with every piece, the last of which is empty",
		reply: stream(
			calls({ index: 0, id: "c1", name: "f", input: "" }),
			calls({ index: 0, id: "c2", name: "", input: '{"x":1}' }),
			calls({ index: 0, id: "c3", name: "", input: "" }),
			toolStop,
		),
		calls: ['c1:f({"x":1})'],
	},
	{
		name: "an empty call at the end (DeepSeek)",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{}" }),
			calls({ index: 1, id: "", input: null }),
			toolStop,
		),
		calls: ["a:f({})"],
	},
	{
		name: "all arguments once more as a string at the end",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x"' }),
			calls({ index: 0, id: "a", input: ':"}"}' }),
			calls({ index: 0, id: "a", name: "f", input: JSON.stringify('{"x":"}"}') }),
			toolStop,
		),
		calls: ['a:f({"x":"}"})'],
	},
	{
		name: "all arguments twice",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "" }),
			calls({ index: 0, input: '{"x":1}' }),
			calls({ index: 0, input: '{"x":1}' }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "all arguments twice in one piece (GLM)",
		reply: stream(calls({ index: 0, id: "a", name: "f", input: '{"x":1}{"x":1}' }), toolStop),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "all arguments in a JSON string (GLM)",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: JSON.stringify('{"x":1}') }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	},
	...["{}", {}, "null", '""', "[]", [], "{}{}", "{ }\n"].map(nothing => ({
		name: `${JSON.stringify(nothing)} before the arguments`,
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: nothing }),
			calls({ index: 0, input: '{"x":' }),
			calls({ index: 0, input: "1}" }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	})),
	...["{}", {}, "null"].map(nothing => ({
		name: `${JSON.stringify(nothing)} behind the arguments`,
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":1}' }),
			calls({ index: 0, input: nothing }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	})),
	...["{}", "null", '""', "[]"].map(nothing => ({
		name: `${JSON.stringify(nothing)} in the middle of the arguments`,
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":' }),
			calls({ index: 0, input: nothing }),
			calls({ index: 0, input: '"{}1","y":{}}' }),
			toolStop,
		),
		calls: ['a:f({"x":"{}1","y":{}})'],
	})),
	{
		name: "an empty object and the start of the arguments in one piece",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{}{"x":' }),
			calls({ index: 0, input: "1}" }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "the name again with the arguments behind an empty object",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{}" }),
			calls({ index: 0, id: "a", name: "f", input: '{"x":1}' }),
			toolStop,
		),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "an empty object between the arguments",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":' }),
			calls({ index: 0, input: {} }),
			calls({ index: 0, input: "{}}" }),
			toolStop,
		),
		calls: ['a:f({"x":{}})'],
	},
	...["null", '""', "[]", []].map(nothing => ({
		name: `${JSON.stringify(nothing)} for no arguments`,
		reply: stream(calls({ index: 0, id: "a", name: "f", input: nothing }), toolStop),
		calls: ["a:f({})"],
	})),
	{
		name: "two calls under one id (Gemini)",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":1}' }),
			calls({ index: 1, id: "a", name: "g", input: '{"y":2}' }),
			toolStop,
		),
		calls: ['f({"x":1})', 'g({"y":2})'],
	},
	{
		name: "two calls under one id and index",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{}" }),
			calls({ index: 0, id: "a", name: "g", input: '{"y":2}' }),
			toolStop,
		),
		calls: ["f({})", 'g({"y":2})'],
	},
	{
		name: "two calls under one id, whose pieces alternate",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "" }),
			calls({ index: 1, id: "a", name: "g", input: "" }),
			calls({ index: 0, id: "a", input: '{"x":' }, { index: 1, id: "a", input: '{"y":' }),
			calls({ index: 0, id: "a", input: "1}" }),
			calls({ index: 1, id: "a", input: "2}" }),
			toolStop,
		),
		calls: ['f({"x":1})', 'g({"y":2})'],
	},
	{
		name: "two calls of one tool under one id, whose pieces alternate without it",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":' }),
			calls({ index: 1, id: "a", name: "f", input: '{"x":' }),
			calls({ index: 0, input: "1}" }, { index: 1, input: "2}" }),
			toolStop,
		),
		calls: ['f({"x":1})', 'f({"x":2})'],
	},
	{
		name: "two calls of one tool under one id without index",
		reply: stream(
			calls({ id: "a", name: "f", input: '{"x":1}' }),
			calls({ id: "a", name: "f", input: '{"x":2}' }),
			toolStop,
		),
		calls: ['f({"x":1})', 'f({"x":2})'],
	},
	{
		name: "two calls under one id, in turns",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: '{"x":1}' }),
			calls({ index: 1, id: "a", name: "f", input: '{"x"' }),
			calls({ index: 1, id: "a", input: ":2}" }),
			toolStop,
		),
		calls: ['f({"x":1})', 'f({"x":2})'],
	},
	{
		name: "the whole message behind its pieces",
		reply: stream(say("Hel"), say("lo"), {
			choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
		}),
		text: "Hello",
	},
	{
		name: "a whole answer with an empty reason for its end",
		reply: json({ choices: [{ message: { content: "Hi" }, finish_reason: "" }] }),
		text: "Hi",
	},
	...["other", "unknown"].map(reason => ({
		name: `${reason} as the reason for the end of a text`,
		reply: stream(say("Hi"), delta({}, reason)),
		text: "Hi",
	})),
	{
		name: "thoughts in their details alone",
		reply: stream(delta({ reasoning_details: [{ text: "secret" }] }), say("Hi"), stop),
		text: "Hi",
	},
	{
		name: "MiniMax's reason without an answer",
		reply: stream({
			choices: null,
			base_resp: { status_code: 1008, status_msg: "insufficient balance" },
		}),
		failure: "lm failed: insufficient balance",
	},
	{
		name: "an error in a field of its own (old llama.cpp)",
		reply: {
			body: 'error: {"code":500,"message":"out of memory","type":"server_error"}\n\ndata: [DONE]\n\n',
		},
		failure: "lm answered 500: out of memory",
	},
	{
		name: "an error in a field of its own behind text",
		reply: {
			body: `${frames(say("Hi")).replace("data: [DONE]\n\n", "")}error: {"code":500,"message":"out of memory"}\n\n`,
		},
		text: "Hi",
		failure: "lm answered 500: out of memory",
	},
	{
		name: "empty ids after the first",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{" }),
			calls({ index: 0, id: "", input: "}" }),
			toolStop,
		),
		calls: ["a:f({})"],
	},
	{
		name: "a name that comes late",
		reply: stream(
			calls({ index: 0, id: "a" }),
			calls({ index: 0, name: "f", input: "{}" }),
			toolStop,
		),
		calls: ["a:f({})"],
	},
	{
		name: "a name with every piece",
		reply: stream(
			calls({ index: 0, id: "a", name: "f", input: "{" }),
			calls({ index: 0, id: "a", name: "f", input: "}" }),
			toolStop,
		),
		calls: ["a:f({})"],
	},
	{
		name: "an id that comes late",
		reply: stream(
			calls({ index: 0, name: "f" }),
			calls({ index: 0, id: "a", input: "{}" }),
			toolStop,
		),
		calls: ["a:f({})"],
	},
	{
		name: "arguments as an object",
		reply: stream(calls({ index: 0, id: "a", name: "f", input: { x: 1 } }), toolStop),
		calls: ['a:f({"x":1})'],
	},
	{
		name: "no arguments",
		reply: stream(calls({ index: 0, id: "a", name: "f" }), toolStop),
		calls: ["a:f({})"],
	},
	{
		name: "a call with the reason «stop»",
		reply: stream(calls({ index: 0, id: "a", name: "f", input: "{}" }), stop),
		calls: ["a:f({})"],
	},
	{
		name: "text and a call",
		reply: stream(say("Look"), calls({ index: 0, id: "a", name: "f", input: "{}" }), toolStop),
		text: "Look",
		calls: ["a:f({})"],
	},
	{
		name: "a deprecated call",
		reply: stream(
			delta({ function_call: { name: "f", arguments: "{" } }),
			delta({ function_call: { arguments: "}" } }),
			delta({}, "function_call"),
		),
		calls: ["f({})"],
	},
];

const part = say("Hi");

/** Answers that do not come to a proper end. */
const failures: readonly Shape[] = [
	{ name: "neither reason nor [DONE]", reply: open(part), text: "Hi", failure: "lm broke off" },
	{
		name: "an empty 200",
		reply: { body: "" },
		failure: "lm sent an empty answer. The conversation may be too long",
	},
	{
		name: "[DONE] alone",
		reply: stream(),
		failure: "lm sent an empty answer. The conversation may be too long",
	},
	{ name: "no text before «stop»", reply: stream(stop), failure: "lm sent an empty answer." },
	{
		name: "thoughts alone",
		reply: stream(delta({ reasoning: "hm" }), stop),
		failure: "The model thought and then did not answer.",
	},
	{
		name: "thoughts and a blank line",
		reply: stream(delta({ reasoning_content: "hm" }), say("\n\n"), stop),
		text: "\n\n",
		failure: "The model thought and then did not answer.",
	},
	{
		name: "an unfinished <think>",
		reply: stream(say("<think> is a tag"), stop),
		text: "<think> is a tag",
	},
	{
		name: "a broken connection",
		reply: { ...open(part), ending: "reset" },
		text: "Hi",
		failure: "The connection to lm broke",
	},
	{
		name: "a reset before the first byte",
		reply: { body: "", ending: "reset" },
		failure: "The connection to lm broke",
	},
	{
		name: "an error object in a chunk (OpenRouter)",
		reply: open(part, {
			error: { code: 502, message: "Provider gone" },
			choices: [{ delta: {}, finish_reason: "error" }],
		}),
		text: "Hi",
		failure: "lm answered 502: Provider gone",
	},
	{
		name: "an error object (llama.cpp)",
		reply: open(part, { error: { code: 500, message: "CUDA", type: "server_error" } }),
		text: "Hi",
		failure: "lm answered 500: CUDA",
	},
	{
		name: "an error message beside no choices (DeepInfra)",
		reply: open(part, { choices: null, error_type: "Bad", error_message: "Overloaded" }),
		text: "Hi",
		failure: "lm failed: Overloaded",
	},
	{
		name: "error: as a field of the stream (llama.cpp)",
		reply: { body: `${open(part).body}event: error\ndata: {"message":"Boom"}\n\n` },
		text: "Hi",
		failure: "lm failed: Boom",
	},
	{
		name: "event: error (LM Studio)",
		reply: { body: `event: error\ndata: {"error":{"message":"The model has crashed"}}\n\n` },
		failure: "lm failed: The model has crashed",
	},
	{
		name: "event: error in plain words",
		reply: { body: "event: error\ndata: out of memory\n\n" },
		failure: "lm failed: out of memory",
	},
	{
		name: "an array as body (Gemini)",
		reply: errorReply(400, [
			{ error: { code: 400, message: "API key not valid", status: "INVALID_ARGUMENT" } },
		]),
		failure: "lm answered 400: API key not valid",
	},
	{
		name: "an error with status 200",
		reply: json({ error: "model 'x' not found" }),
		failure: "lm failed: model 'x' not found",
	},
	{
		name: "a page with status 200",
		reply: {
			body: "<html><title>Sign in</title></html>",
			headers: { "content-type": "text/html" },
		},
		failure: "lm did not send an answer but a page: Sign in",
	},
	{
		name: "a page under a stream's type",
		reply: { body: "<html><title>Sign in</title></html>" },
		failure: "lm did not send an answer but a page: Sign in",
	},
	{
		name: "a page with status 502",
		reply: errorReply(502, "<html><body><h1>Bad Gateway</h1></body></html>"),
		failure: "lm answered 502: Bad Gateway",
	},
	{
		name: "a frame that is not JSON",
		reply: { body: "data: {oops\n\n" },
		failure: "lm sent a frame that is not JSON.",
	},
	{
		name: "three frames in a row that are not JSON",
		reply: { body: `${open(part).body}${"data: {oops\n\n".repeat(3)}${frames(stop)}` },
		text: "Hi",
		failure: "lm sent frames that are not JSON.",
	},
	{
		name: "plain words with status 200",
		reply: { body: "no healthy upstream" },
		failure: "lm did not send an answer but a page: no healthy upstream",
	},
	...["SAFETY", "content-filter", "refusal"].map(reason => ({
		name: `the filter's reason ${reason}`,
		reply: stream(part, delta({}, reason)),
		text: "Hi",
		failure: "The content filter of lm ended the answer.",
	})),
	...[
		"network_error",
		"MALFORMED_FUNCTION_CALL",
		"function_call_filter: MALFORMED_FUNCTION_CALL",
	].map(reason => ({
		name: `a server that gave up with ${reason}`,
		reply: stream(part, delta({}, reason)),
		text: "Hi",
		failure: `lm gave the answer up: ${reason}`,
	})),
	{
		name: "a filter that ends the answer",
		reply: stream(part, delta({}, "content_filter")),
		text: "Hi",
		failure: "The content filter of lm ended the answer.",
	},
	{
		name: "no room in the middle (DeepSeek)",
		reply: stream(part, delta({}, "insufficient_system_resource")),
		text: "Hi",
		failure: "lm gave the answer up",
	},
	{
		name: "an answer that the server gave up (vLLM)",
		reply: stream(part, delta({}, "abort")),
		text: "Hi",
		failure: "lm gave the answer up",
	},
	{
		name: "a call without a name",
		reply: stream(calls({ index: 0, id: "a", input: "{}" }), toolStop),
		failure: "The model called a tool without naming it.",
	},
	{
		name: "402",
		reply: errorReply(402, { error: { message: "Insufficient credits" } }),
		failure: "lm answered 402: Insufficient credits",
	},
	...[
		[429, "Rate limit reached: too many tokens: limit 6000 per minute, requested 9000"],
		[400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"],
	].map(([status, message]) => ({
		name: `${status} that is not about the context: ${message}`,
		reply: errorReply(Number(status), { error: { message } }),
		failure: `lm answered ${status}: ${message}`,
	})),
	{
		name: "a provider's refusal behind OpenRouter",
		reply: errorReply(400, {
			error: {
				message: "Provider returned error",
				code: 400,
				metadata: { raw: '{"object":"error","message":"Unexpected role"}', provider_name: "X" },
			},
		}),
		failure: "lm answered 400: Unexpected role",
	},
	...["{}", "[]", "502", '""', "<script>x</script>", " "].map(raw => ({
		name: `a gateway's own words where the provider sent ${JSON.stringify(raw)}`,
		reply: errorReply(502, { error: { message: "Provider returned error", metadata: { raw } } }),
		failure: "lm answered 502: Provider returned error",
	})),
	{
		name: "404 (Ollama)",
		reply: errorReply(404, { error: 'model "x" not found, try pulling it first' }),
		failure: 'lm answered 404: model "x" not found',
	},
	{
		name: "a refusal without words",
		reply: errorReply(403, ""),
		failure: "lm answered 403: (no message)",
	},
	{
		name: "detail as a list (FastAPI)",
		reply: errorReply(422, { detail: [{ loc: ["body"], msg: "Field required" }] }),
		failure: "lm answered 422: Field required",
	},
	{
		name: "a redirect",
		reply: { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" },
		failure: "lm answered 302: it redirects",
	},
];

const long = "Too long for this model: about 9,200 tokens, it has 4,096.";

/** Conversations that are too long, in the servers' words. */
const overflows: readonly Shape[] = [
	{
		name: "llama.cpp",
		reply: errorReply(400, {
			error: {
				code: 400,
				message: "the request exceeds the available context size",
				type: "exceed_context_size_error",
				n_prompt_tokens: 9200,
				n_ctx: 4096,
			},
		}),
		failure: long,
	},
	{
		name: "llama.cpp, in words",
		reply: errorReply(400, {
			error: "request (9200 tokens) exceeds the available context size (4096 tokens)",
		}),
		failure: long,
	},
	{
		name: "vLLM",
		reply: errorReply(400, {
			message:
				"This model's maximum context length is 4096 tokens. However, you requested 9200 tokens (9000 in the messages, 200 in the completion).",
		}),
		failure: long,
	},
	{
		name: "OpenAI",
		reply: errorReply(400, {
			error: {
				code: "context_length_exceeded",
				message:
					"This model's maximum context length is 4096 tokens. However, your messages resulted in 9200 tokens.",
			},
		}),
		failure: long,
	},
	{
		name: "LM Studio, in the stream",
		reply: {
			body: `event: error\ndata: ${JSON.stringify({ error: { message: "Trying to keep the first 9200 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens" } })}\n\n`,
		},
		failure: long,
	},
	{
		name: "Anthropic's",
		reply: errorReply(400, {
			error: { message: "prompt is too long: 9200 tokens > 4096 maximum" },
		}),
		failure: long,
	},
	{
		name: "Gemini",
		reply: errorReply(400, [
			{
				error: {
					message:
						"The input token count (9200) exceeds the maximum number of tokens allowed (4096).",
				},
			},
		]),
		failure: long,
	},
	{
		name: "Mistral",
		reply: errorReply(400, {
			message:
				"Prompt contains 9200 tokens and 0 draft tokens, too large for model with 4096 maximum context length",
		}),
		failure: long,
	},
	...[
		"This model's maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains at least 8688 input tokens, for a total of at least 9200 tokens.",
		"Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 9200 tokens: 9000 tokens from the input messages and 200 tokens for the completion.",
		"This endpoint's maximum context length is 4096 tokens. However, you requested about 9200 tokens (9000 of text input, 200 in the output).",
		"input length and `max_tokens` exceed context limit: 9000 + 200 > 4096, decrease input length or `max_tokens` and try again",
		"This model's maximum prompt length is 4096 but the request contains 9200 tokens.",
		"Invalid request: Your request exceeded model token limit: 4096 (requested: 9200)",
		"prompt token count of 9200 exceeds the limit of 4096",
		"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9200>= n_ctx: 4096). Try to load the model with a larger context length",
		"The prompt is too long: 9200, model maximum context length: 4096",
		"Prompt tokens (9200) exceeds context size (4096)",
		"Please reduce the length of the messages or completion. Current length is 9200 while limit is 4096",
		"Input tokens exceed the configured limit of 4096 tokens. Your messages resulted in 9200 tokens.",
		"Cannot truncate prompt with n_keep (9200) >= n_ctx (4096)",
		"The decoder prompt (length 9200) is longer than the maximum model length of 4096.",
		"You passed 9200 input tokens and requested 512 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3584 tokens.",
		"The input (9200 tokens) is longer than the model's context length (4096 tokens).",
		"Input length (9200 tokens) exceeds the maximum allowed length (4096 tokens). Use a shorter input or enable --allow-auto-truncate.",
		"Input validation error: `inputs` must have less than 4096 tokens. Given: 9200",
		"Requested tokens (9200) exceed context window of 4096",
		"length of prompt_tokens (9200) must be less than max_seq_len (4096).",
		"The sum of prompt length (9200.0), query length (0) should not exceed max_num_tokens (4096)",
		"the number of input tokens 9200 cannot exceed the total tokens limit 4096 for this model",
		"too many tokens: total number of tokens in the prompt cannot exceed 4096 - received 9200",
		"Too many input tokens. Max input tokens: 4096, request input token count: 9200",
		"Unable to submit request because the input token count is 9200 but model only supports up to 4096. Reduce the input token count and try again.",
		"Prompt length 9200 exceeds max context 4096",
		"The sum of prompt length (9200), max_tokens (100) should not exceed max_num_tokens (4096)",
		"Prompt too long: 9200 tokens exceeds max context window of 4096 tokens",
		"Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 4096, Requested 9200, please reduce your message size and try again.",
	].map(message => ({
		name: message,
		reply: errorReply(400, { error: { message } }),
		failure: long,
	})),
	...[
		"'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 100 input tokens (4096 > 4096 - 100).",
		"Input is too long for requested model.",
		"invalid params, context window exceeds limit (2013)",
		"Please reduce the length of the messages or completion.",
		"Range of input length should be [1, 129024]",
		"Your input exceeds the context window of this model. Please adjust your input and try again.",
		"litellm.ContextWindowExceededError: litellm.BadRequestError",
		"`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`",
		"max_tokens must be at least 1, got -5104.",
		"Context size has been exceeded.",
		"Reached context length of 4096 tokens with this model, but this model does not currently support mid-generation context overflow",
		"Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
		"too many tokens: size limit exceeded by 5104 tokens. The limit for this model is 4096 tokens.",
		"prompt too long; exceeded max context length by 5104 tokens",
		"Total tokens of image and text exceed max message tokens",
		"tokens in request more than max tokens allowed",
		"Input prompt is too big compared to KV size. Please try increasing KV size.",
	].map(message => ({
		name: message,
		reply: errorReply(400, { error: { message } }),
		failure: "Too long for this model. ",
	})),
	{
		name: "a body that is too large for GitHub's models",
		reply: errorReply(413, {
			error: {
				code: "tokens_limit_reached",
				message: "Request body too large. Max size: 8000 tokens.",
			},
		}),
		failure: "Too long for this model. ",
	},
	{
		name: "Ollama, without figures",
		reply: errorReply(400, { error: "the input length exceeds the context length" }),
		failure: "Too long for this model. ",
	},
	{
		name: "LM Studio's newer words, in the stream",
		reply: {
			body: `event: error\ndata: ${JSON.stringify({ error: { message: "Input does not fit in context length. The input has 9200 tokens, but the context length only supports 4096 tokens." } })}\n\n`,
		},
		failure: long,
	},
	{
		name: "a single request above what OpenAI's account may send in a minute",
		reply: errorReply(429, {
			error: {
				message:
					"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 4,096, Requested 9,200. The input or output tokens must be reduced in order to run successfully.",
			},
		}),
		failure: long,
	},
].map(shape => ({ ...shape, name: `too long: ${shape.name}` }));

/** Refusals for another reason, though they name tokens, lengths or limits. */
const otherRefusals: readonly Shape[] = [
	"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
	"max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for this model",
	"Number of request tokens has exceeded your per-minute rate limit",
	"image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
	"Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
	"tools: array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
	"input (9200 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
].map(message => ({
	name: `not too long: ${message}`,
	reply: errorReply(400, { error: { message } }),
	failure: `lm answered 400: ${message}`,
}));

const lines = (...parts: readonly unknown[]): ModelReply => ({
	body: parts.map(part => `${JSON.stringify(part)}\n`).join(""),
	headers: { "content-type": "application/x-ndjson" },
});
const line = (message: object): object => ({ model: "m", message, done: false });
const done = (reason: string): object => ({
	message: { role: "assistant", content: "" },
	done: true,
	done_reason: reason,
});
const ollamaCall = (name: string, input: object): object => ({
	function: { name, arguments: input },
});

/** Ollama's own streams. */
const ollama: readonly Shape[] = [
	{
		name: "text",
		reply: lines(line({ content: "Hé" }), line({ content: "llo" }), done("stop")),
		text: "Héllo",
	},
	{
		name: "thinking",
		reply: lines(line({ content: "", thinking: "secret" }), line({ content: "Hi" }), done("stop")),
		text: "Hi",
	},
	{
		name: "calls without ids",
		reply: lines(
			line({ tool_calls: [ollamaCall("f", { x: 1 })] }),
			line({ tool_calls: [ollamaCall("f", { x: 2 }), ollamaCall("g", {})] }),
			done("stop"),
		),
		calls: ['f({"x":1})', 'f({"x":2})', "g({})"],
	},
	{
		name: "under the type of JSON",
		reply: {
			...lines(line({ content: "Hé" }), line({ content: "llo" }), done("stop")),
			headers: { "content-type": "application/json" },
		},
		text: "Héllo",
	},
	{
		name: "one whole answer",
		reply: {
			body: JSON.stringify(
				{ message: { content: "Hi" }, done: true, done_reason: "stop" },
				null,
				1,
			),
			headers: { "content-type": "application/json" },
		},
		text: "Hi",
	},
	{
		name: "an error in the middle",
		reply: lines(line({ content: "Hi" }), { error: "llama runner terminated" }),
		text: "Hi",
		failure: "lm failed: llama runner terminated",
	},
	{
		name: "no last line",
		reply: lines(line({ content: "Hi" })),
		text: "Hi",
		failure: "lm broke off",
	},
].map(shape => ({ ...shape, name: `Ollama: ${shape.name}` }));

/** All shapes. */
export const shapes: readonly Shape[] = [
	...answers,
	...failures,
	...overflows,
	...otherRefusals,
	...ollama,
];
