import * as z from "zod/mini";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { apiBase, urlBelow, type ModelInfo, type ServerSetup } from "../../common/modelSetup.ts";
import { ask } from "../base/network.ts";
import { HttpFailure, withoutKeys } from "../base/failureResponse.ts";
import { readWhole } from "../base/limits.ts";
import { lenient } from "./plainText.ts";
import { readRefusal } from "./serverFailure.ts";

/** Returns the API's base URL. Without a path, it is `/v1`. */
function apiUrl(baseUrl: string): string {
	const url = apiBase(baseUrl);
	return /^https?:\/\/[^/?]+$/i.test(url) ? `${url}/v1` : url;
}

export function completionsUrl(baseUrl: string): string {
	return urlBelow(apiUrl(baseUrl), "/chat/completions");
}

const count = lenient(z.number());
const modelSchema = z.looseObject({
	id: lenient(z.string()),
	/** Cohere and others send only a name. */
	name: lenient(z.string()),
	/** Used by vLLM. */
	max_model_len: count,
	/** Used by OpenRouter. */
	context_length: count,
	/** Fields of LM Studio's own lists: `/api/v0/models`, then their replacements in `/api/v1/models`. */
	max_context_length: count,
	loaded_context_length: count,
	state: lenient(z.string()),
	capabilities: lenient(
		z.union([
			z.array(z.string()),
			z.looseObject({
				vision: lenient(z.boolean()),
				trained_for_tool_use: lenient(z.boolean()),
				/** Used by Mistral. */
				completion_chat: lenient(z.boolean()),
				/** Used by GitHub Copilot. */
				type: lenient(z.string()),
				reasoning: z.optional(z.unknown()),
			}),
		]),
	),
	key: lenient(z.string()),
	size_bytes: count,
	loaded_instances: lenient(
		z.array(
			z.looseObject({
				id: lenient(z.string()),
				config: lenient(z.looseObject({ context_length: count })),
			}),
		),
	),
	/** Used by llama.cpp. */
	meta: lenient(z.looseObject({ n_ctx: count, n_ctx_train: count, size: count })),
	/** Used by LM Studio, whose `vlm` supports images, Together and Vercel. */
	type: lenient(z.string()),
	/** Used by OpenRouter. */
	architecture: lenient(z.looseObject({ output_modalities: lenient(z.array(z.string())) })),
	/** Used by Cohere. */
	endpoints: lenient(z.array(z.string())),
	/** Used by OpenRouter. */
	supported_parameters: lenient(z.array(z.string())),
});
const entriesSchema = z.array(z.unknown());
/** Ollama without models sends null. Together and other gateways send only the array. */
const listSchema = z.union([
	entriesSchema,
	z.pipe(
		z.object({ data: z.nullable(entriesSchema) }),
		z.transform(({ data }) => data ?? []),
	),
	z.pipe(
		z.object({ models: z.nullable(entriesSchema) }),
		z.transform(({ models }) => models ?? []),
	),
]);

/** Types of models in servers' own lists that don't chat, and those that do. Others say nothing. */
const otherTypes = /embed|rerank|image|video|audio|speech|transcri|moderation|tts|asr|ocr/i;
const chatTypes = /^(?:llm|vlm|chat|language|text|code)/i;

/** Names of models that write text but only judge or continue one, so what a server says of all that write doesn't count. Without the owner, such as `openai/`. */
const judgesOrContinues = new RegExp(
	[
		String.raw`(?:^|[-_])moderation|(?:safe|wild|llama-?|prompt-?|nemo|qwen\d?)guard|(?:^|[-_])guard(?:ian)?(?:[-_:.\d]|$)|shieldgemma|content-?safety|bespoke-minicheck`,
		String.raw`(?:^|[-_])(?:reward|prm)(?:[-_:]|$)`,
		String.raw`^(?:text-)?(?:davinci|curie|babbage|ada)(?:-\d+|-code.*)?$|^code-(?:davinci|cushman)|-turbo-instruct|[-_:]base(?:[-_:](?:\d{4}|q\d|fp\d|v\d).*)?$`,
	].join("|"),
	"i",
);

/** Names of models that make vectors, order texts, make or write down speech, or make pictures, videos or music. */
const otherNames = new RegExp(
	[
		String.raw`embed|^(?:bge|gte|gtr|e5|all-minilm|paraphrase|multilingual-e5|m2-bert|uae-large|jina-(?:clip|colbert|v\d))\b`,
		String.raw`^(?:voyage-|stella[-_]|labse|sentence-|sbert|contriever|col(?:bert|pali|qwen)|minilm|clip-|siglip)|^(?:text|code)-(?:search|similarity)-`,
		String.raw`rerank|^ms-marco|^aqa$|^mistral-ocr`,
		String.raw`whisper|transcribe|speech|(?:^|[-_])asr(?:[-_]|$)|parakeet|(?:^|[-_])x?tts(?:[-_\d]|$)|^(?:playai|orpheus|kokoro|cosyvoice|paraformer|sensevoice|eleven_|scribe_|moonshine|wav2vec)`,
		String.raw`^(?:bark|canary-\d|chatterbox|csm|dia-\d|parler|piper)(?:[-_:.\db]|$)|realtime|audio-preview|^gpt-audio|^(?:lyria|musicgen|stable-audio|audioldm|suno)`,
		String.raw`dall-?e-|^(?:chat)?gpt-image|^imagen|^grok-(?:\d-)?imag|stable-?diffusion|^sd(?:xl|3)|^flux\b|^(?:qwen|z|hunyuan)-?image|^cogview|^kolors|^recraft|^ideogram`,
		String.raw`^(?:midjourney|playground-v|pixart|hidream|seedream|omnigen|kandinsky|hunyuan-?(?:dit|3d))|controlnet|upscal|esrgan`,
		String.raw`^sora|^veo-|^wan[x\d]|^cogvideo|^kling|^hunyuan-?video|[-_](?:t2v|i2v|t2i)(?:[-_]|$)|^(?:seedance|hailuo|minimax-hailuo|ltx|mochi-|animatediff|pika|runway)`,
	].join("|"),
	"i",
);

interface KindFacts {
	readonly id: string;
	readonly type?: string | null | undefined;
	/** What the model can do, as `completion`, `chat` or `embedding`. */
	readonly abilities: readonly string[];
	/** Whether the server says that it chats. */
	readonly chats?: boolean | null | undefined;
	/** What its answers are, such as `text` and `image`. */
	readonly output?: readonly string[] | null | undefined;
}

/** Whether a model of a list is of another kind than those that chat: by what its server says, else by its name. */
export function isOtherKind({ id, abilities, chats, ...facts }: KindFacts): boolean {
	const type = facts.type ?? "";
	const output = facts.output ?? [];
	const name = id.slice(id.lastIndexOf("/") + 1);
	if (typeof chats === "boolean") {
		return !chats;
	}
	if (judgesOrContinues.test(name)) {
		return true;
	}
	if (abilities.some(ability => /^(?:completions?|chat|tool_?use|tools)$/i.test(ability))) {
		return false;
	}
	if (abilities.some(ability => /^(?:embed|rerank|transcri|moderation)/i.test(ability))) {
		return true;
	}
	if (output.length > 0 && !output.some(kind => /text/i.test(kind))) {
		return true;
	}
	if (chatTypes.test(type) || otherTypes.test(type)) {
		return !chatTypes.test(type);
	}
	return otherNames.test(name);
}

export type OpenAiModel = Omit<ModelInfo, "label" | "server">;

/** The longest list to read, in bytes; OpenRouter's has less than 1 MB. */
const maxListBytes = 16 * 1024 * 1024;
/** The greatest length of a server's message about its list, in characters. */
const maxWords = 200;

/** Lists a server's chat models. Rejects if the response isn't in OpenAI's format. */
export async function listOpenAiModels(
	server: Pick<ServerSetup, "baseUrl" | "headers">,
	signal: AbortSignal,
): Promise<readonly OpenAiModel[]> {
	const { origin, hostname } = new URL(server.baseUrl);
	const headers = hostname === "api.anthropic.com" ? anthropicHeaders(server) : server.headers;
	const deployment = /\/deployments\/([^/?]+)$/.exec(
		apiUrl(server.baseUrl).replace(/\?.*$/, ""),
	)?.[1];
	if (deployment !== undefined) {
		// An address of Azure names its only model, and has no list.
		return [{ id: decodeURIComponent(deployment) }];
	}
	const models = await listAt(urlBelow(apiUrl(server.baseUrl), "/models"), headers, signal);
	const isTold = models.some(model => model.contextLength ?? model.sizeBytes);
	if (isTold || models.length === 0 || !isLoopbackHost(hostname)) {
		return models;
	}
	// LM Studio reports sizes, contexts and capabilities only in its own lists, which other servers don't have.
	const ownList = async (version: "v0" | "v1"): Promise<readonly OpenAiModel[]> =>
		await listAt(`${origin}/api/${version}/models`, server.headers, signal).catch(() => []);
	const newer = await ownList("v1");
	const own = newer.length > 0 ? newer : await ownList("v0");
	const known = new Map(own.map(model => [model.id, model]));
	return models.map(model => ({ ...model, ...known.get(model.id) }));
}

/** Anthropic's chats are OpenAI-compatible, but its model list needs the key in Anthropic's own header. */
function anthropicHeaders({ headers }: Pick<ServerSetup, "headers">): Record<string, string> {
	const { authorization = "", ...others } = headers;
	const key = authorization.replace(/^Bearer /i, "");
	return { ...others, "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) };
}

async function listAt(
	url: string,
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<readonly OpenAiModel[]> {
	const response = await ask(new URL(url), { headers, signal });
	if (!response.ok) {
		const { status, words } = await readRefusal(response);
		const reason = withoutKeys(words, headers).replace(/\.$/, "").slice(0, maxWords);
		const sentence = `it answered ${status}${reason === "" ? "" : `: ${reason}`}`;
		throw new HttpFailure(status, "model_list_refused", sentence);
	}
	const body = await readWhole(response.body, maxListBytes);
	return listSchema.parse(JSON.parse(body.toString())).flatMap(entry => {
		const model = modelSchema.safeParse(typeof entry === "string" ? { id: entry } : entry).data;
		const id = model?.id ?? model?.name ?? model?.key ?? "";
		// Skips unreadable entries.
		if (!model || id === "" || isOtherKind(kindFacts(id, model))) {
			return [];
		}
		// LM Studio may list a loaded copy of a model under its own name.
		const copies = (model.loaded_instances ?? []).flatMap(({ id: copy }) => copy ?? []);
		return [...new Set([id, ...copies])].map(name => describe(name, model));
	});
}

function kindFacts(
	id: string,
	{ type, capabilities, endpoints, architecture }: z.infer<typeof modelSchema>,
): Parameters<typeof isOtherKind>[0] {
	const isList = Array.isArray(capabilities);
	return {
		id,
		type: type ?? (isList ? undefined : capabilities?.type),
		abilities: [...(isList ? capabilities : []), ...(endpoints ?? [])],
		chats: isList ? undefined : capabilities?.completion_chat,
		output: architecture?.output_modalities,
	};
}

function describe(id: string, model: z.infer<typeof modelSchema>): OpenAiModel {
	const { meta, supported_parameters: parameters, loaded_instances: copies } = model;
	const copy = copies?.find(candidate => candidate.id === id) ?? copies?.[0];
	const contextLength =
		meta?.n_ctx ??
		model.max_model_len ??
		model.loaded_context_length ??
		copy?.config?.context_length ??
		model.context_length;
	const maxContextLength = meta?.n_ctx_train ?? model.max_context_length;
	const sizeBytes = meta?.size ?? model.size_bytes;
	const isLoaded = copies ? copies.length > 0 : model.state ? model.state === "loaded" : undefined;
	return {
		id,
		...(typeof contextLength === "number" ? { contextLength } : {}),
		...(typeof maxContextLength === "number" ? { maxContextLength } : {}),
		...(typeof sizeBytes === "number" ? { sizeBytes } : {}),
		isLoaded,
		...abilitiesOf(model.capabilities),
		...(model.type === "vlm" ? { vision: true } : {}),
		...(parameters
			? { tools: parameters.includes("tools"), thinking: parameters.includes("reasoning") }
			: {}),
	};
}

/** Reads the capabilities in LM Studio's lists. Those that the older list omits are unknown. */
function abilitiesOf(
	capabilities: z.infer<typeof modelSchema>["capabilities"],
): Pick<OpenAiModel, "tools" | "vision" | "thinking"> {
	if (!capabilities || Array.isArray(capabilities)) {
		return capabilities?.includes("tool_use") ? { tools: true } : {};
	}
	const { vision, trained_for_tool_use: tools, reasoning } = capabilities;
	return {
		...(typeof tools === "boolean" ? { tools } : {}),
		...(typeof vision === "boolean" ? { vision } : {}),
		...(reasoning ? { thinking: true } : {}),
	};
}
