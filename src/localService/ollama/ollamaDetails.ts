import * as z from "zod/mini";
import { ask } from "../base/network.ts";
import { readWhole } from "../base/limits.ts";
import { apiBase } from "../../common/modelSetup.ts";
import { lenient } from "../openai/plainText.ts";

/** Returns a URL of Ollama's own API, which is beside `/v1`, possibly below a proxy's path. */
export function ollamaUrl(baseUrl: string, path: string): string {
	return `${apiBase(baseUrl)
		.replace(/\?.*$/, "")
		.replace(/\/(?:v1|api)$/i, "")}${path}`;
}

const tagsSchema = z.object({
	models: z.array(
		z.looseObject({
			name: z.string(),
			size: lenient(z.number()),
			digest: lenient(z.string()),
			/** Of models that Ollama's own cloud runs. */
			remote_host: lenient(z.string()),
		}),
	),
});
const runningSchema = z.object({
	models: z.array(z.looseObject({ name: z.string(), context_length: lenient(z.number()) })),
});

/** Facts about a model that only Ollama's own API reports. */
export interface OllamaDetails extends OllamaAbilities {
	readonly sizeBytes?: number;
	readonly isLoaded: boolean;
	/** Whether Ollama's cloud runs the model, so that its length isn't this machine's. */
	readonly isElsewhere: boolean;
	/** Known only while the model is loaded. */
	readonly contextLength?: number;
}

/** Returns sizes and capabilities of Ollama's models, and which are loaded with how much context. Empty if Ollama's own API doesn't respond. */
export async function ollamaDetails(
	server: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> },
	signal: AbortSignal,
): Promise<ReadonlyMap<string, OllamaDetails>> {
	const get = async (path: string): Promise<unknown> => {
		const url = new URL(ollamaUrl(server.baseUrl, path));
		const response = await ask(url, { headers: server.headers, signal });
		return await valueOf(response).catch(() => undefined);
	};
	/** A failure here doesn't fail the list. */
	const show = async (model: string): Promise<unknown> => {
		try {
			const response = await ask(new URL(ollamaUrl(server.baseUrl, "/api/show")), {
				method: "POST",
				headers: { ...server.headers, "Content-Type": "application/json" },
				body: JSON.stringify({ model }),
				signal,
			});
			const shown = await valueOf(response);
			return response.ok ? shown : undefined;
		} catch {
			return undefined;
		}
	};
	const [tags, running] = await Promise.all([get("/api/tags"), get("/api/ps")]);
	const loaded = new Map(
		runningSchema.safeParse(running).data?.models.map(model => [model.name, model.context_length]),
	);
	const models = tagsSchema.safeParse(tags).data?.models ?? [];
	const abilities = await abilitiesOf(
		models.map(({ name, digest }) => ({ name, digest: digest ?? "" })),
		show,
	);
	return new Map(
		models.map(({ name, size, remote_host: host }) => {
			const contextLength = loaded.get(name);
			return [
				name,
				{
					...abilities.get(name),
					isLoaded: loaded.has(name),
					isElsewhere: Boolean(host) || /[:-]cloud$/.test(name),
					...(typeof size === "number" ? { sizeBytes: size } : {}),
					...(typeof contextLength === "number" ? { contextLength } : {}),
				},
			];
		}),
	);
}

/** The longest response to read. Model details include the license. */
const maxAnswerBytes = 16 * 1024 * 1024;

async function valueOf({ body }: Response): Promise<unknown> {
	return JSON.parse((await readWhole(body, maxAnswerBytes)).toString());
}

const shownSchema = z.object({
	capabilities: lenient(z.array(z.string())),
	model_info: lenient(z.record(z.string(), z.unknown())),
	/** Lines with a name and a value, as in a Modelfile. */
	parameters: lenient(z.string()),
});

interface OllamaAbilities {
	readonly tools?: boolean;
	readonly vision?: boolean;
	readonly thinking?: boolean;
	readonly maxContextLength?: number;
	/** The model's own context length, as its Modelfile sets it. */
	readonly ownContextLength?: number;
	/** False for models that only make vectors or images. */
	readonly isChat?: boolean;
}

/** Reads the capabilities from a response of `/api/show`. Undefined in versions of Ollama that don't report them. */
function abilitiesIn(shown: unknown): OllamaAbilities | undefined {
	const parsed = shownSchema.safeParse(shown).data;
	if (!parsed) {
		return undefined;
	}
	const { capabilities, model_info: info } = parsed;
	const own = Number(/^\s*num_ctx\s+(\d{1,9})\s*$/m.exec(parsed.parameters ?? "")?.[1] ?? 0);
	const length = info?.[`${String(info["general.architecture"])}.context_length`];
	return {
		...(capabilities
			? {
					tools: capabilities.includes("tools"),
					vision: capabilities.includes("vision"),
					thinking: capabilities.includes("thinking"),
				}
			: {}),
		...(typeof length === "number" ? { maxContextLength: length } : {}),
		...(own > 0 ? { ownContextLength: own } : {}),
		...(capabilities ? { isChat: capabilities.includes("completion") } : {}),
	};
}

/** Cached by digest, because a model file's capabilities never change. */
const byDigest = new Map<string, OllamaAbilities>();
const maxRemembered = 1_000;
const maxAtOnce = 4;

/** Requests the capabilities of unknown models with `show`, a few at a time. Returns them by name, without models that fail. */
async function abilitiesOf(
	models: readonly { readonly name: string; readonly digest: string }[],
	show: (name: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, OllamaAbilities>> {
	const found = new Map<string, OllamaAbilities>();
	const waiting = [...models];
	const askInTurn = async (): Promise<void> => {
		for (let model = waiting.shift(); model; model = waiting.shift()) {
			const { name, digest } = model;
			const abilities = byDigest.get(digest) ?? abilitiesIn(await show(name));
			if (abilities) {
				found.set(name, abilities);
				remember(digest, abilities);
			}
		}
	};
	await Promise.all(Array.from({ length: maxAtOnce }, askInTurn));
	return found;
}

function remember(digest: string, abilities: OllamaAbilities): void {
	if (digest !== "" && byDigest.size < maxRemembered) {
		byDigest.set(digest, abilities);
	}
}
