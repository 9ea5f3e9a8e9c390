import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatSettingsPanel } from "./chatSettingsPanel.ts";
import { icon } from "../../shared/icon.ts";

/** Class of the button that opens the form, for restoring the focus. */
export const chatSettingsButtonClass = "chat-settings-button";

/** Renders the button of the form; a dot and its description show that the chat has its own settings. */
export function renderChatSettingsButton(
	{ choices }: ComposerView,
	panel: ChatSettingsPanel,
): TemplateResult {
	const summary = choices.join(" · ");
	const name = l10n.t("Chat settings");
	return html`<button
		type="button"
		class=${`icon-button ${chatSettingsButtonClass}`}
		aria-label=${name}
		aria-haspopup="dialog"
		aria-expanded=${panel.form ? "true" : "false"}
		aria-description=${summary === "" ? nothing : summary}
		title=${summary === "" ? name : l10n.t("Chat settings: {0}", summary)}
		@click=${() => (panel.form ? panel.close(false) : void panel.open())}
	>
		${icon("settings")}${summary === "" ? nothing : html`<span class="own-choices"></span>`}
	</button>`;
}

/** Renders further options of the next question in one line; a click opens the form. */
export function renderChoices(
	{ choices }: ComposerView,
	panel: ChatSettingsPanel,
): TemplateResult | typeof nothing {
	return choices.length === 0 || panel.form
		? nothing
		: html`<button
				type="button"
				class="choices"
				title=${l10n.t("Change the chat settings")}
				@click=${() => void panel.open()}
			>
				${choices.map(choice => html`<span>${choice}</span>`)}
			</button>`;
}

let loaded: typeof import("./settingsForm.ts") | undefined;

/** Loads the form on first use. */
export async function loadChatSettings(): Promise<void> {
	loaded ??= await import("./settingsForm.ts");
}

/** Renders the form of the chat's settings above the composer, if it is open. */
export function renderChatSettings(panel: ChatSettingsPanel): TemplateResult | typeof nothing {
	return (panel.form && loaded?.renderForm(panel.form, panel)) ?? nothing;
}
