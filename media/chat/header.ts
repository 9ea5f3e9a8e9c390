import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState } from "../../src/shared/index.ts";
import type { ChatActions } from "./base/index.ts";
import { answererLabel } from "./modelOffers.ts";
import { icon, iconButton } from "../shared/icon.ts";

/** The bar above the conversation: its title, which service answers, a new chat, the kept ones. */
export function renderHeader(state: ChatViewState, actions: ChatActions): TemplateResult {
	const { kind } = state.connection;
	const label = answererLabel(state);
	const connection = l10n.t("Answers come from {0}. Connect to another service…", label);
	return html`<div class="header">
		<h1 class="chat-title" title=${state.title}>${state.title || l10n.t("New chat")}</h1>
		<button
			type="button"
			class="connection"
			aria-label=${connection}
			title=${connection}
			@click=${() => actions.ask("connect", {})}
		>
			${icon(kind === "local" ? "device-desktop" : "cloud")}<span>${label}</span>
		</button>
		${
			hasChangedFiles(state)
				? iconButton("diff-multiple", l10n.t("Changed files"), () =>
						actions.ask("showChangedFiles", {}),
					)
				: nothing
		}
		${iconButton("add", l10n.t("New chat"), actions.newChat)}
		${iconButton("history", l10n.t("History"), () => actions.ask("showHistory", {}))}
	</div>`;
}

/** Whether a tool changed a file in this chat and that was not taken back. */
function hasChangedFiles({ turns }: ChatViewState): boolean {
	return turns.some(({ tools }) =>
		tools?.some(({ change }) => change === "applied" || change === "appliedForGood"),
	);
}
