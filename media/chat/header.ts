import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState } from "../../src/shared/chat.ts";
import type { ChatActions } from "./base/actions.ts";
import { icon, iconButton } from "../shared/icon.ts";
import { modelName, nameWithServer } from "./widgets/modelName.ts";

/** Renders the header above the conversation: the title, the files that tools changed, and the current service. Its other buttons are in the view's own title bar. */
export function renderHeader(state: ChatViewState, actions: ChatActions): TemplateResult {
	const { connection: service, composer } = state;
	const isLocal = service.kind === "local";
	const label = isLocal && !composer.isDemo ? modelName(composer.model) : service.label;
	const source = isLocal && !composer.isDemo ? nameWithServer(composer.model) : label;
	const connection = isLocal
		? l10n.t("Answers come from {0}. Choose another model…", source)
		: service.kind === "invalid"
			? l10n.t("Change Address…")
			: l10n.t("Answers come from {0}. Connect to another service…", label);
	return html`<div class="header">
		<h1 class="chat-title" title=${state.title}>${state.title || l10n.t("New chat")}</h1>
		${
			composer.hasChangedFiles
				? iconButton("diff-multiple", l10n.t("Changed files"), () =>
						actions.ask("showChangedFiles", {}),
					)
				: nothing
		}
		<button
			type="button"
			class="connection"
			aria-label=${connection}
			title=${connection}
			@click=${() => actions.ask(isLocal ? "chooseModel" : "connect", {})}
		>
			${icon(isLocal ? "device-desktop" : "cloud")}<span>${label}</span>
		</button>
	</div>`;
}
