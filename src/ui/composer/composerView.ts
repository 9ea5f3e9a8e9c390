import { canUseServerTools } from "../../client/contract/schemas.ts";
import type { ComposerView } from "../../shared/chat.ts";
import type { ChatSettings, ModelSearch } from "./chatSettings.ts";
import { isAskedLocally, namedModels, type Settings } from "../base/settings.ts";

/** Settings, of a chat or without one. */
type ComposerSettings = Pick<Settings, "get"> &
	Partial<Pick<ChatSettings, "summary" | "surroundings">>;

/** What the composer shows of the settings and of what is around the chat. */
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
 * Models that the next question can be asked of. A service has those of the interface, the user's own and the one in use; the
 * local service those of the answering model's server, and the user's own that name a server. The demo is no model.
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

/** The standard parameters a question is asked with: those the user set, then the extra ones. Interface §4.4. */
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
