import * as z from "zod/mini";
import { lenient } from "./lenient.ts";

const shownSchema = z.object({
	capabilities: lenient(z.array(z.string())),
	model_info: lenient(z.record(z.string(), z.unknown())),
});

/** What a model of Ollama can do, and the longest context it can have. */
export interface OllamaAbilities {
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
export async function abilitiesOf(
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
