import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../shared/icon.ts";

/** Names of the models of the interface (§4.4), by their id. */
const names: ReadonlyMap<string, string> = new Map([
	["llm-4-turbo-tools", "LLM 4 Turbo"],
	["llm-3.5-turbo-tools", "LLM 3.5 Turbo"],
	["llm-4-turbo", "LLM 4 Turbo"],
	["llm-3.5-turbo", "LLM 3.5 Turbo"],
]);

/** Shown in place of a model's name while the demo answers. */
export function demoName(): string {
	return l10n.t("Demo (no model)");
}

/** Name of a model; one that runs on this machine is called as its file, and an id without a name is its own. */
export function modelName(id: string): string {
	return names.get(id) ?? /^embedded\/(.+)\.gguf$/.exec(id)?.[1] ?? id;
}

/** The name of a model, with a badge where it may use the service's tools; an id without a name is shown as it is. */
export function renderModelName(id: string): TemplateResult {
	return html`<span class="model-name">${modelName(id)}</span
		>${names.has(id) && id.includes("tools") ? renderBadge() : nothing}`;
}

/** A model in a list, in which names alone do not tell which one it is: the name, the badge and the id. */
export function renderModelOption(id: string): TemplateResult {
	return html`<span class="model-entry"
		><span class="model-title">${renderModelName(id)}</span> ${
			names.has(id) ? html`<span class="model-id">${id}</span>` : nothing
		}</span
	>`;
}

function renderBadge(): TemplateResult {
	const label = l10n.t("Can use Code interpreter and Browsing");
	return html`<span class="model-badge" title=${label}>${icon("tools")}</span>`;
}
