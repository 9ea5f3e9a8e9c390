import * as z from "zod/mini";
import { readWhole, withoutKeys } from "../base/index.ts";
import { lenient } from "./lenient.ts";
import { readRefusal } from "./serverFailure.ts";

/** The address below which a server answers: without a path of its own it is `/v1`. */
function apiUrl(baseUrl: string): string {
	const url = baseUrl.replace(/\/+$/, "");
	return /^https?:\/\/[^/]+$/i.test(url) ? `${url}/v1` : url;
}

/** Where a server takes chats. */
export function completionsUrl(baseUrl: string): string {
	return `${apiUrl(baseUrl)}/chat/completions`;
}

const count = lenient(z.number());
const modelSchema = z.looseObject({
	id: z.string(),
	/** vLLM. */
	max_model_len: count,
	/** OpenRouter. */
	context_length: count,
	/** LM Studio. */
	max_context_length: count,
	/** llama.cpp. */
	meta: lenient(z.looseObject({ n_ctx: count, n_ctx_train: count, size: count })),
	/** LM Studio: an embedding model does not chat. */
	type: lenient(z.string()),
	/** OpenRouter. */
	supported_parameters: lenient(z.array(z.string())),
});
/** Ollama without any model sends null. */
const listSchema = z.object({ data: z.nullable(z.array(modelSchema)) });

/** A model as its server describes it. */
export interface OpenAiModel {
	readonly id: string;
	readonly contextLength?: number;
	readonly maxContextLength?: number;
	readonly sizeBytes?: number;
	readonly tools?: boolean;
	readonly thinking?: boolean;
}

/** The longest list of models that is read; that of OpenRouter has less than 1 MB. */
const maxListBytes = 16 * 1024 * 1024;
/** The most words of a server in a sentence about its list, in characters. */
const maxWords = 200;

/** The models of a server that can chat. Rejects when it does not answer as OpenAI does. */
export async function listOpenAiModels(
	server: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> },
	signal: AbortSignal,
): Promise<readonly OpenAiModel[]> {
	const response = await fetch(`${apiUrl(server.baseUrl)}/models`, {
		headers: { ...server.headers },
		redirect: "manual",
		signal,
	});
	if (!response.ok) {
		const { status, words } = await readRefusal(response);
		const reason = withoutKeys(words, server.headers).replace(/\.$/, "").slice(0, maxWords);
		throw new Error(`it answered ${status}${reason === "" ? "" : `: ${reason}`}`);
	}
	const body = await readWhole(response.body, maxListBytes);
	const { data } = listSchema.parse(JSON.parse(body.toString()));
	return (data ?? []).filter(({ id, type }) => !/embed/i.test(type ?? id)).map(describe);
}

function describe(model: z.infer<typeof modelSchema>): OpenAiModel {
	const { meta, supported_parameters: parameters } = model;
	const contextLength = meta?.n_ctx ?? model.max_model_len ?? model.context_length;
	const maxContextLength = meta?.n_ctx_train ?? model.max_context_length;
	return {
		id: model.id,
		...(typeof contextLength === "number" ? { contextLength } : {}),
		...(typeof maxContextLength === "number" ? { maxContextLength } : {}),
		...(typeof meta?.size === "number" ? { sizeBytes: meta.size } : {}),
		...(parameters
			? { tools: parameters.includes("tools"), thinking: parameters.includes("reasoning") }
			: {}),
	};
}
