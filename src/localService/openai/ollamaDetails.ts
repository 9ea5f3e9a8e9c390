import * as z from "zod/mini";
import { lenient } from "./lenient.ts";

const tagsSchema = z.object({
	models: z.array(z.looseObject({ name: z.string(), size: lenient(z.number()) })),
});
const runningSchema = z.object({
	models: z.array(z.looseObject({ name: z.string(), context_length: lenient(z.number()) })),
});

/** What Ollama alone tells of a model. */
export interface OllamaDetails {
	readonly sizeBytes?: number;
	readonly isLoaded: boolean;
	/** Known once the model is loaded. */
	readonly contextLength?: number;
}

/** Sizes of Ollama's models, which are loaded and with how much context; empty where its own interface does not answer. */
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
	const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
	const loaded = new Map(
		runningSchema.safeParse(running).data?.models.map(model => [model.name, model.context_length]),
	);
	return new Map(
		tagsSchema.safeParse(tags).data?.models.map(({ name, size }) => {
			const contextLength = loaded.get(name);
			return [
				name,
				{
					isLoaded: loaded.has(name),
					...(typeof size === "number" ? { sizeBytes: size } : {}),
					...(typeof contextLength === "number" ? { contextLength } : {}),
				},
			];
		}),
	);
}
