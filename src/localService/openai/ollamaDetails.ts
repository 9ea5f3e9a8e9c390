import * as z from "zod/mini";
import { lenient } from "./lenient.ts";
import { abilitiesOf, type OllamaAbilities } from "./ollamaAbilities.ts";

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

/** What Ollama alone tells of a model. */
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
	const ask = async (path: string): Promise<unknown> => {
		const url = new URL(path, server.baseUrl);
		const response = await fetch(url, {
			headers: { ...server.headers },
			redirect: "manual",
			signal,
		});
		return await response.json().catch(() => undefined);
	};
	/** What a model can do is worth no failure of the list. */
	const show = async (model: string): Promise<unknown> => {
		try {
			const response = await fetch(new URL("/api/show", server.baseUrl), {
				method: "POST",
				headers: { ...server.headers, "Content-Type": "application/json" },
				body: JSON.stringify({ model }),
				redirect: "manual",
				signal,
			});
			const shown: unknown = await response.json();
			return response.ok ? shown : undefined;
		} catch {
			return undefined;
		}
	};
	const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
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
