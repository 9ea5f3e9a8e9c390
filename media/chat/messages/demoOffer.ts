import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ComposerView, TurnView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";

/** End of the demo's answer that lists what it can do. */
const ending = "or run Python on a table.";

/** Whether the last answer is the demo's list of what it can do, and the demo is still selected. Its offers are then shown below. */
export function isDemoRefusal({ status, messages }: TurnView, { isDemo }: ComposerView): boolean {
	const isComplete = isDemo === true && status.state === "complete";
	return isComplete && messages.at(-1)?.text.endsWith(ending) === true;
}

/** Renders the way to a model, or the progress of its download and its Cancel, then the demo's suggestions. */
export function renderDemoOffer(
	{ search, suggestions = [] }: ComposerView,
	actions: Pick<ChatActions, "ask">,
): TemplateResult {
	const [best] = search?.found ?? [];
	const [program] = best?.detail.split(" · ") ?? [];
	const offer = best ?? search?.way;
	const offered = suggestions.filter(({ id }) => id !== "help");
	return html`<div class="ending-actions">
		${offer?.id === "cancel" ? html`<span>${search?.heading}</span>` : nothing}
		<button
			type="button"
			class=${offer?.id === "cancel" ? "button" : "button primary"}
			@click=${() => actions.ask("chooseModel", offer ? { id: offer.id } : {})}
		>
			${best ? l10n.t("Use {0}", `${best.name} (${program ?? ""})`) : (search?.way?.label ?? l10n.t("Choose Model…"))}
		</button>
		${offered.map(
			({ id, label }) =>
				html`<button
					type="button"
					class="button"
					@click=${() => actions.ask("runSuggestion", { id })}
				>
					${label}
				</button>`,
		)}
	</div>`;
}
