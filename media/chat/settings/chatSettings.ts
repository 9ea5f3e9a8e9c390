import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatSettingsPanel } from "./chatSettingsPanel.ts";
import { icon } from "../../shared/icon.ts";

/** The class of the button that opens the form, for what gives the cursor back to it. */
export const chatSettingsButtonClass = "chat-settings-button";

/** Opens and closes the form; a dot and its description say that the chat goes its own ways. */
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

/** Options of the next question beyond the model and the switches, in one line; a click opens the form. */
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

/** Loads the form, with its first opening. */
export async function loadChatSettings(): Promise<void> {
	loaded ??= await import("./settingsForm.ts");
}

/** The form of the chat's settings, above the composer; nothing while it is closed. */
export function renderChatSettings(panel: ChatSettingsPanel): TemplateResult | typeof nothing {
	return (panel.form && loaded?.renderForm(panel.form, panel)) ?? nothing;
}
