import { canUseServerTools } from "../../client/index.ts";
import type { ComposerView } from "../../shared/index.ts";
import type { ChatSettings } from "./chatSettings.ts";
import { namedModels, type Settings } from "../base/settings.ts";

/** Settings, of a chat or without one. */
type ComposerSettings = Pick<Settings, "get"> & Partial<Pick<ChatSettings, "summary" | "offers">>;

/** Models the composer offers: the named models, the user's own, and the one in use even when it is neither. */
export function composerView(settings: ComposerSettings): ComposerView {
	const model = settings.get("chat.model");
	const tools = settings.get("chat.serverTools");
	const { offers = [] } = settings;
	return {
		model,
		models: [...new Set([...namedModels, ...settings.get("chat.models"), model])],
		canUseServerTools: canUseServerTools(model),
		codeInterpreter: tools.includes("code_interpreter"),
		browsing: tools.includes("browsing"),
		...(offers.length > 0 ? { offers: offers.map(({ id, label }) => ({ id, label })) } : {}),
		choices: [...(settings.summary?.() ?? [])],
	};
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
