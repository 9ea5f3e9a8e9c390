import * as z from "zod/mini";
import { ask } from "../base/network.ts";
import { readWhole } from "../base/wholeBody.ts";
import { apiBase } from "../../common/models.ts";
import { lenient } from "../openai/lenient.ts";

/** Where Ollama answers in its own way: beside `/v1`, which may be below a path of a proxy. */
export function ollamaUrl(baseUrl: string, path: string): string {
	return `${apiBase(baseUrl).replace(/\/(?:v1|api)$/i, "")}${path}`;
}

const tagsSchema = z.object({
	models: z.array(
		z.looseObject({
			name: z.string(),
			size: lenient(z.number()),
			digest: lenient(z.string()),
		}),
	),
});
const runningSchema = z.object({
	models: z.array(z.looseObject({ name: z.string(), context_length: lenient(z.number()) })),
});

/** Facts about a model that Ollama alone tells. */
export interface OllamaDetails extends OllamaAbilities {
	readonly sizeBytes?: number;
	readonly isLoaded: boolean;
	/** Known once the model is loaded. */
	readonly contextLength?: number;
}

/** Sizes and abilities of Ollama's models, which are loaded and with how much context; empty where its own interface does not answer. */
export async function ollamaDetails(
	server: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> },
	signal: AbortSignal,
): Promise<ReadonlyMap<string, OllamaDetails>> {
	const get = async (path: string): Promise<unknown> => {
		const url = new URL(ollamaUrl(server.baseUrl, path));
		const response = await ask(url, { headers: server.headers, signal });
		return await valueOf(response).catch(() => undefined);
	};
	/** What a model can do is worth no failure of the list. */
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
		models.map(({ name, size }) => {
			const contextLength = loaded.get(name);
			return [
				name,
				{
					...abilities.get(name),
					isLoaded: loaded.has(name),
					...(typeof size === "number" ? { sizeBytes: size } : {}),
					...(typeof contextLength === "number" ? { contextLength } : {}),
				},
			];
		}),
	);
}

/** The longest answer that is read; what Ollama tells of a model holds its licence. */
const maxAnswerBytes = 16 * 1024 * 1024;

async function valueOf({ body }: Response): Promise<unknown> {
	return JSON.parse((await readWhole(body, maxAnswerBytes)).toString());
}

const shownSchema = z.object({
	capabilities: lenient(z.array(z.string())),
	model_info: lenient(z.record(z.string(), z.unknown())),
});

/** The abilities of a model of Ollama, and the longest context it can have. */
interface OllamaAbilities {
	readonly tools?: boolean;
	readonly vision?: boolean;
	readonly thinking?: boolean;
	readonly maxContextLength?: number;
}

/** The abilities in an answer of `/api/show`; versions of Ollama that tell none leave them unknown. */
function abilitiesIn(shown: unknown): OllamaAbilities | undefined {
	const parsed = shownSchema.safeParse(shown).data;
	if (!parsed) {
		return undefined;
	}
	const { capabilities, model_info: info } = parsed;
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
	};
}

/** Files of models never change what they can do. */
const byDigest = new Map<string, OllamaAbilities>();
const maxRemembered = 1_000;
const maxAtOnce = 4;

/** Asks with `show` for models whose files are not known yet, a few at the same time; by name, without those that do not answer. */
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
