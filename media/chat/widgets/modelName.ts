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

/** Matches the server or vendor before the name in a model's id. */
const serverPart = /^([\w.-]{1,40})\/(?=.)/;

/** Returns a model's name without its server: the file name for a model on this machine. */
export function modelName(id: string): string {
	return names.get(id) ?? /^embedded\/(.+)\.gguf$/.exec(id)?.[1] ?? id.replace(serverPart, "");
}

/** Returns the server in a model's id, or an empty string. A server named by its address has its port. */
function serverName(id: string): string {
	const [, server = ""] = serverPart.exec(id) ?? [];
	return server === "embedded" ? "" : server.replace(/^(localhost|.*\..*)-(\d{2,5})$/, "$1:$2");
}

/** Returns a model's name with its server, if it has one. */
export function nameWithServer(id: string): string {
	const server = serverName(id);
	return server === "" ? modelName(id) : `${modelName(id)} · ${server}`;
}

/** Returns a model's name, with its server if the models of a list have different ones. */
export function nameAmong(id: string, others: readonly string[]): string {
	const isAlone = new Set(others.map(serverName)).size <= 1;
	return isAlone ? modelName(id) : nameWithServer(id);
}

/** Renders a model's name or id, with a badge if it can use the service's tools. */
export function renderModelName(id: string): TemplateResult {
	return html`<span class="model-name">${modelName(id)}</span
		>${names.has(id) && id.includes("tools") ? renderBadge() : nothing}`;
}

/** Renders a model in a list, where names are ambiguous: the name, the badge and the id. */
export function renderModelOption(id: string, others: readonly string[]): TemplateResult {
	return html`<span class="model-entry"
		>${
			names.has(id)
				? html`<span class="model-title">${renderModelName(id)}</span>
						<span class="model-id">${id}</span>`
				: html`<span class="model-title">${nameAmong(id, others)}</span>`
		}</span
	>`;
}

function renderBadge(): TemplateResult {
	const label = l10n.t("Can use Code interpreter and Browsing");
	return html`<span class="model-badge" title=${label}>${icon("tools")}</span>`;
}
