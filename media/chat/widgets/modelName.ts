import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../shared/icon.ts";

/** Names of the interface's models (docs/interface.md §4.4), by id. */
const names: ReadonlyMap<string, string> = new Map([
	["llm-4-turbo-tools", "LLM 4 Turbo"],
	["llm-3.5-turbo-tools", "LLM 3.5 Turbo"],
	["llm-4-turbo", "LLM 4 Turbo"],
	["llm-3.5-turbo", "LLM 3.5 Turbo"],
]);

/** Returns the name shown instead of a model's while the demo answers. */
export function demoName(): string {
	return l10n.t("Demo (no model)");
}

/** Returns a model's name: the file name for a model on this machine, or else the id. */
export function modelName(id: string): string {
	return names.get(id) ?? /^embedded\/(.+)\.gguf$/.exec(id)?.[1] ?? id;
}

/** Renders a model's name or id, with a badge if it can use the service's tools. */
export function renderModelName(id: string): TemplateResult {
	return html`<span class="model-name">${modelName(id)}</span
		>${names.has(id) && id.includes("tools") ? renderBadge() : nothing}`;
}

/** Renders a model in a list, where names are ambiguous: the name, the badge and the id. */
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
