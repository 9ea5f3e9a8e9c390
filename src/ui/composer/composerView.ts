import { canUseServerTools } from "../../client/contract/schemas.ts";
import type { ComposerView } from "../../shared/chat.ts";
import type { ChatSettings, ModelSearch } from "./chatSettings.ts";
import { isAskedLocally, namedModels, type Settings } from "../base/settings.ts";

/** Settings, with or without a chat. */
type ComposerSettings = Pick<Settings, "get"> &
	Partial<Pick<ChatSettings, "summary" | "surroundings">>;

/** Returns the composer's state from the settings and the chat's surroundings. */
export function composerView(settings: ComposerSettings): ComposerView {
	const model = settings.get("chat.model");
	const tools = settings.get("chat.serverTools");
	const { search, suggestions = [] } = settings.surroundings ?? {};
	const isDemo = settings.get("endpoint") === "" && !isAskedLocally(settings, model);
	return {
		model,
		models: offeredModels(settings),
		...(isDemo ? { isDemo } : {}),
		canUseServerTools: canUseServerTools(model),
		codeInterpreter: tools.includes("code_interpreter"),
		browsing: tools.includes("browsing"),
		...(search ? { search: searchView(search) } : {}),
		...(suggestions.length > 0
			? { suggestions: suggestions.map(({ run: _, ...shown }) => shown) }
			: {}),
		choices: [...(settings.summary?.() ?? [])],
	};
}

function searchView({ isLooking, heading, found, way }: ModelSearch): ComposerView["search"] {
	return {
		isLooking,
		heading,
		found: found.map(({ id, name, detail }) => ({ id, name, detail })),
		...(way ? { way: { id: way.id, label: way.name } } : {}),
	};
}

/**
 * Returns the models for the next question. For a service: those of the interface, the user's own and the current one. For the local service: those
 * of the current model's server, and the user's own with a server. The demo isn't a model.
 */
function offeredModels(settings: ComposerSettings): string[] {
	const model = settings.get("chat.model");
	const own = settings.get("chat.models");
	const { serverModels = [] } = settings.surroundings ?? {};
	const offered =
		settings.get("endpoint") === ""
			? [...serverModels, ...own, model].filter(name => isAskedLocally(settings, name))
			: [...namedModels, ...own, model];
	return [...new Set(offered)];
}

/** Returns the standard parameters of a question: those in the settings, then the extra ones. docs/interface.md §4.4. */
export function chatParameters(settings: Pick<Settings, "get">): Readonly<Record<string, unknown>> {
	const standard = {
		temperature: settings.get("chat.temperature"),
		top_p: settings.get("chat.topP"),
		max_tokens: settings.get("chat.maxTokens"),
	};
	return {
		...settings.get("chat.extraParameters"),
		...Object.fromEntries(Object.entries(standard).filter(([, value]) => value !== null)),
	};
}
