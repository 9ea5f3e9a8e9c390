import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import type { ComposerView } from "../../../src/shared/index.ts";
import type { ChatActions } from "../base/index.ts";
import { icon } from "../../shared/icon.ts";
import { renderModelName, renderModelOption } from "../widgets/index.ts";

/**
 * Chooses the model of the next question. The list is invisibly over the name: what a closed list shows of its own
 * choice cannot be cut where the room ends.
 */
export function renderModelPicker(composer: ComposerView, actions: ChatActions): TemplateResult {
	const models = composer.models.includes(composer.model)
		? composer.models
		: [composer.model, ...composer.models];
	const onChange = (event: Event): void => {
		const list = event.currentTarget;
		if (list instanceof HTMLSelectElement && list.value === "") {
			list.value = composer.model;
			actions.ask("chooseModel", {});
		} else if (list instanceof HTMLSelectElement) {
			actions.ask("setModel", { model: list.value });
		}
	};
	return html`<span class="model-picker">
		<span class="model-chosen" aria-hidden="true"
			>${renderModelName(composer.model)}${icon("chevron-down")}</span
		>
		<select
			aria-label=${l10n.t("Model")}
			title=${l10n.t("Model: {0}", composer.model)}
			@change=${onChange}
		>
			${models.map(
				model =>
					html`<option value=${model} .selected=${model === composer.model}>
						${renderModelOption(model)}
					</option>`,
			)}
			<option value="">${l10n.t("Choose Model…")}</option>
		</select>
	</span>`;
}
