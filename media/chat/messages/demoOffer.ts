import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import type { ConnectionView, TurnView } from "../../../src/shared/index.ts";
import type { ChatActions } from "../base/index.ts";

/** How the sentence ends with which the local service's demo says that it has no model to answer with. */
const ending = "not a language model, so I cannot answer this.";

/** Whether the local service's demo could not answer, and what helps is a model or a service that can. */
export function isDemoRefusal({ status, messages }: TurnView, { kind }: ConnectionView): boolean {
	const isComplete = kind === "local" && status.state === "complete";
	return isComplete && messages.at(-1)?.text.endsWith(ending) === true;
}

/** The ways to an answer: a model for the local service, or another service. */
export function renderDemoOffer(actions: Pick<ChatActions, "ask">): TemplateResult {
	return html`<div class="ending-actions">
		<button type="button" class="button" @click=${() => actions.ask("chooseModel", {})}>
			${l10n.t("Choose Model…")}
		</button>
		<button type="button" class="button" @click=${() => actions.ask("connect", {})}>
			${l10n.t("Connect to a Service…")}
		</button>
	</div>`;
}
