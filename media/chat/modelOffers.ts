import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState, ComposerView } from "../../src/shared/index.ts";
import { icon } from "../shared/icon.ts";
import type { ChatActions } from "./base/index.ts";

/** The models that an empty chat offers, or the ways to get one, one click each, and the way to all of them. */
export function renderModelOffers(
	{ connection, composer }: ChatViewState,
	actions: Pick<ChatActions, "ask">,
): TemplateResult | typeof nothing {
	if (connection.kind !== "local") {
		return nothing;
	}
	const { offers = [] } = composer;
	return html`${offers.length > 0 ? renderOffers(offers, actions) : nothing}<button
			type="button"
			class="button"
			@click=${() => actions.ask("chooseModel", {})}
		>
			${l10n.t("Choose Model…")}
		</button>`;
}

function renderOffers(
	offers: NonNullable<ComposerView["offers"]>,
	actions: Pick<ChatActions, "ask">,
): TemplateResult {
	return html`<ul class="examples" aria-label=${l10n.t("Models")}>
		${offers.map(
			({ id, label }) =>
				html`<li>
					<button type="button" class="example" @click=${() => actions.ask("chooseModel", { id })}>
						${icon("chip")}<span>${label}</span>
					</button>
				</li>`,
		)}
	</ul>`;
}

/** Whether the built-in demo answers: the local service with no model behind it. */
export function isDemo({ connection, composer }: ChatViewState): boolean {
	return connection.kind === "local" && !composer.model.includes("/");
}

/** Who answers, for the header: the model behind the local service where one is chosen, the service otherwise. */
export function answererLabel(state: ChatViewState): string {
	const { connection, composer } = state;
	return connection.kind === "local" && !isDemo(state) ? composer.model : connection.label;
}
