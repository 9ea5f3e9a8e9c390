import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";
import {
	demoName,
	nameWithServer,
	renderModelName,
	renderModelOption,
} from "../widgets/modelName.ts";

/** Renders the selection of the next question's model. The select element is invisible over the name, because its own text can't be truncated. */
export function renderModelPicker(composer: ComposerView, actions: ChatActions): TemplateResult {
	const models = composer.models.includes(composer.model)
		? composer.models
		: [composer.model, ...composer.models];
	const found = composer.search?.found ?? [];
	const all = [...models, ...found.map(({ id }) => id)];
	const onChange = (event: Event): void => {
		const list = event.currentTarget;
		if (list instanceof HTMLSelectElement && list.value === "") {
			list.value = composer.model;
			actions.ask("chooseModel", {});
		} else if (list instanceof HTMLSelectElement && found.some(({ id }) => id === list.value)) {
			actions.ask("chooseModel", { id: list.value });
		} else if (list instanceof HTMLSelectElement) {
			actions.ask("setModel", { model: list.value });
		}
	};
	const name = composer.isDemo ? demoName() : composer.model;
	const title = composer.isDemo ? name : nameWithServer(name);
	return html`<span class="model-picker">
		<span class="model-chosen" aria-hidden="true"
			>${composer.isDemo ? html`<span class="model-name">${name}</span>` : renderModelName(name)}${icon("chevron-down")}</span
		>
		<select aria-label=${l10n.t("Model")} title=${l10n.t("Model: {0}", title)} @change=${onChange}>
			${models.map(
				model =>
					html`<option value=${model} .selected=${model === composer.model}>
						${composer.isDemo && model === composer.model ? name : renderModelOption(model, all)}
					</option>`,
			)}
			${found.map(({ id }) => html`<option value=${id}>${renderModelOption(id, all)}</option>`)}
			<option value="">${chooseLabel(composer)}</option>
		</select>
	</span>`;
}

/** Returns the label of the last entry, which shows all models. */
export function chooseLabel({ models, search }: ComposerView): string {
	return models.length > 0 || (search?.found.length ?? 0) > 0
		? l10n.t("More models…")
		: l10n.t("Choose Model…");
}
