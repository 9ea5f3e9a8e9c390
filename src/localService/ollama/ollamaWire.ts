import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import { toolCallSchema } from "../../client/contract/schemas.ts";
import type { CompletionWire } from "../openai/streamCompletion.ts";
import { lenient } from "../openai/plainText.ts";
import { ollamaUrl } from "./ollamaDetails.ts";

type OllamaBody = Readonly<Record<string, unknown>>;

const messagesSchema = z.array(
	z.looseObject({
		role: z.string(),
		content: z.union([
			z.nullish(z.string()),
			z.array(
				z.object({
					text: z.optional(z.string()),
					image_url: z.optional(z.object({ url: z.string() })),
				}),
			),
		]),
		tool_call_id: z.optional(z.string()),
		tool_calls: z.optional(z.array(toolCallSchema)),
	}),
);

/**
 * Ollama's own API, the only one with a context length, and the only one that rejects conversations that are too long instead of truncating them.
 * `contextLength` is in tokens; 0 lets Ollama choose.
 */
export function ollamaWire(contextLength: number): CompletionWire {
	return {
		url: baseUrl => ollamaUrl(baseUrl, "/api/chat"),
		bodyOf: body => ollamaBody(body, contextLength),
		chunkOf: chunkOfLine,
	};
}

/** Top-level fields of a request. Everything else goes into the options. */
const besideModel = new Set([
	"model",
	"tools",
	"think",
	"keep_alive",
	"format",
	"logprobs",
	"top_logprobs",
]);
/** Fields of OpenAI's requests that Ollama names differently or doesn't support. */
const otherwise = new Set([
	"messages",
	"max_tokens",
	"max_completion_tokens",
	"reasoning_effort",
	"response_format",
	"tool_choice",
	"options",
]);

function ollamaBody(body: OllamaBody, contextLength: number): OllamaBody {
	const known = Object.entries(body).filter(([name]) => !otherwise.has(name));
	const options = {
		...Object.fromEntries(known.filter(([name]) => !besideModel.has(name))),
		num_predict: body["max_completion_tokens"] ?? body["max_tokens"],
		num_ctx: contextLength > 0 ? contextLength : undefined,
		...optionsSchema.parse(body["options"]),
	};
	return {
		model: body["model"],
		messages: ollamaMessages(body["messages"]),
		...thinkOf(body["reasoning_effort"]),
		...formatOf(body["response_format"]),
		...Object.fromEntries(known.filter(([name]) => besideModel.has(name))),
		options,
		stream: true,
		truncate: false,
		shift: false,
	};
}

const optionsSchema = lenient(z.record(z.string(), z.unknown()));

function thinkOf(effort: unknown): OllamaBody {
	return typeof effort === "string" ? { think: effort === "none" ? false : effort } : {};
}

const formatSchema = z.union([
	z.object({ type: z.literal("json_object") }),
	z.object({
		type: z.literal("json_schema"),
		json_schema: z.object({ schema: z.looseObject({}) }),
	}),
]);

function formatOf(wanted: unknown): OllamaBody {
	const format = formatSchema.safeParse(wanted).data;
	if (!format) {
		return {};
	}
	return { format: format.type === "json_object" ? "json" : format.json_schema.schema };
}

/** In Ollama's messages, arguments are objects, results name their tool, and images are separate base64 fields. */
function ollamaMessages(given: unknown): object[] {
	const names = new Map<string, string>();
	return messagesSchema.parse(given).map(message => {
		const { tool_calls: calls, tool_call_id: callId = "", content, ...others } = message;
		const rest = Array.isArray(content)
			? {
					...others,
					content: content.map(({ text = "" }) => text).join(""),
					images: content.flatMap(({ image_url: image }) => image?.url.split(",")[1] ?? []),
				}
			: { ...others, content };
		for (const { id, function: called } of calls ?? []) {
			names.set(id, called.name);
		}
		if (message.role === "tool") {
			return { ...rest, tool_name: names.get(callId) ?? "" };
		}
		return calls
			? {
					...rest,
					tool_calls: calls.map(({ function: { name, arguments: input } }) => ({
						function: { name, arguments: objectOf(input) },
					})),
				}
			: rest;
	});
}

function objectOf(input: string): unknown {
	const value = parseJson(input);
	return value === undefined ? { input } : value;
}

const lineSchema = z.looseObject({
	message: z.looseObject({}),
	done: lenient(z.boolean()),
	done_reason: lenient(z.string()),
	prompt_eval_count: lenient(z.number()),
	eval_count: lenient(z.number()),
	eval_duration: lenient(z.number()),
});

function chunkOfLine(line: string): string {
	const value: unknown = JSON.parse(line);
	const part = lineSchema.safeParse(value).data;
	if (!part) {
		return line;
	}
	const finish = part.done === true ? part.done_reason || "stop" : null;
	return JSON.stringify({
		choices: [{ delta: part.message, finish_reason: finish }],
		...(finish === null ? {} : usageOf(part)),
	});
}

function usageOf(part: z.infer<typeof lineSchema>): object {
	const { prompt_eval_count: input, eval_count: output, eval_duration: duration } = part;
	return {
		usage: { prompt_tokens: input, completion_tokens: output },
		...(output && duration ? { timings: { predicted_per_second: (output / duration) * 1e9 } } : {}),
	};
}
