import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { ChatSettingName } from "../../../src/shared/slash.ts";
import { locale } from "../../../src/shared/locale.ts";
import {
	chatSettingId,
	type ChatSettingsForm,
	type ChatSettingsPanel,
} from "./chatSettingsPanel.ts";
import { iconButton } from "../../shared/icon.ts";
import { nameAmong } from "../widgets/modelName.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

/** Renders the sheet with the chat's settings, above the composer. */
export function renderForm(form: ChatSettingsForm, panel: ChatSettingsPanel): TemplateResult {
	return html`<div
		class="chat-settings"
		role="dialog"
		aria-labelledby="chat-settings-title"
		aria-describedby="chat-settings-note"
		@keydown=${(event: KeyboardEvent) => onKeyDown(event, panel)}
		@focusin=${showWhole}
	>
		<div class="chat-settings-head">
			<h2 id="chat-settings-title">${l10n.t("Chat settings")}</h2>
			${iconButton("close", l10n.t("Close the chat settings"), () => panel.close(false))}
		</div>
		<p id="chat-settings-note" class="chat-settings-note">
			${l10n.t("Applies to this chat. Empty fields use service defaults.")}
		</p>
		<div class="chat-settings-fields">${renderFields(form, panel)}</div>
		<p class="chat-settings-failure" role="alert">${form.failure}</p>
		<div class="chat-settings-actions">
			<button
				type="button"
				class="button primary"
				?disabled=${form.isSaving}
				@click=${() => void panel.save()}
			>
				${l10n.t("Save")}
			</button>
			<button type="button" class="button" @click=${() => panel.close(true)}>
				${l10n.t("Cancel")}
			</button>
			<span class="spacer"></span>
			<button type="button" class="button" @click=${() => panel.resetAll()}>
				${l10n.t("Reset to defaults")}
			</button>
		</div>
	</div>`;
}

/** Scrolls to all of a field that gets the focus. Of a text area, the browser shows only the line with the cursor. */
function showWhole({ target }: FocusEvent): void {
	if (target instanceof HTMLTextAreaElement) {
		target.scrollIntoView({ block: "nearest" });
	}
}

function renderFields(form: ChatSettingsForm, panel: ChatSettingsPanel): readonly TemplateResult[] {
	const { maxSystemPrompt } = form.view;
	return [
		renderField(form, panel, {
			name: "systemPrompt",
			label: l10n.t("System prompt"),
			hint: l10n.t(
				"Sent with every message in this chat. Up to {0} characters.",
				maxSystemPrompt.toLocaleString(locale()),
			),
			before: renderLibrary(form, panel),
			lines: 4,
		}),
		renderField(form, panel, {
			name: "model",
			label: l10n.t("Model"),
			hint: form.typesModel
				? l10n.t("Any model id your service knows. New chats start with it, too.")
				: l10n.t("New chats start with it, too."),
		}),
		renderField(form, panel, {
			name: "temperature",
			label: l10n.t("Temperature"),
			hint: l10n.t("0 to 2"),
		}),
		renderField(form, panel, { name: "topP", label: l10n.t("Top P"), hint: l10n.t("0 to 1") }),
		renderField(form, panel, {
			name: "maxTokens",
			label: l10n.t("Max tokens"),
			hint: l10n.t("At least 1"),
		}),
		renderField(form, panel, {
			name: "extraParameters",
			label: l10n.t("Extra parameters"),
			hint: l10n.t("A JSON object, such as {0}. It's sent unchanged.", '{ "seed": 7 }'),
			lines: 3,
		}),
	];
}

/** Renders a selection of the user's library of system prompts, unless it is empty. */
function renderLibrary(
	{ view: { library }, values }: ChatSettingsForm,
	panel: ChatSettingsPanel,
): TemplateResult | typeof nothing {
	if (library.length === 0) {
		return nothing;
	}
	const chosen = library.findIndex(({ text }) => text === values.systemPrompt);
	const onChange = (event: Event): void => {
		if (event.currentTarget instanceof HTMLSelectElement) {
			const entry = library[Number(event.currentTarget.value)];
			panel.enter("systemPrompt", entry?.text ?? "");
		}
	};
	return html`<select
		class="chat-settings-library"
		aria-label=${l10n.t("System prompts of your library")}
		@change=${onChange}
	>
		<option value="-1" .selected=${chosen === -1}>
			${
				values.systemPrompt === ""
					? l10n.t({ message: "None", comment: "No system prompt" })
					: l10n.t("Custom text")
			}
		</option>
		${library.map(
			({ name }, index) =>
				html`<option value=${index} .selected=${index === chosen}>${name}</option>`,
		)}
	</select>`;
}

interface Field {
	readonly name: ChatSettingName;
	readonly label: string;
	readonly hint: string;
	/** Lines of a text box; defaults to one. */
	readonly lines?: number;
	readonly before?: TemplateResult | typeof nothing;
}

function renderField(
	form: ChatSettingsForm,
	panel: ChatSettingsPanel,
	{ name, label, hint, before = nothing, lines }: Field,
): TemplateResult {
	const { values, view, faults } = form;
	const fault = faults.find(candidate => candidate.name === name);
	const faultClass = fault ? "chat-setting-fault told" : "chat-setting-fault";
	const id = chatSettingId(name);
	const isOwn = values[name] !== view.defaults[name];
	return html`<div class=${`chat-setting chat-setting-${lines ? "wide" : name}`}>
		<div class="chat-setting-head">
			<label for=${id}>${label}</label>
			${
				isOwn
					? iconButton("discard", l10n.t("Reset {0} to its default", label), () =>
							panel.enter(name, view.defaults[name]),
						)
					: nothing
			}
		</div>
		${before} ${renderInput(form, panel, { name, lines, hasFault: fault !== undefined })}
		<p id=${`${id}-hint`} class="chat-setting-hint">${hint}</p>
		<p id=${`${id}-fault`} class=${faultClass} role="alert">${fault?.sentence ?? nothing}</p>
	</div>`;
}

function renderInput(
	form: ChatSettingsForm,
	panel: ChatSettingsPanel,
	field: {
		readonly name: ChatSettingName;
		readonly lines: number | undefined;
		readonly hasFault: boolean;
	},
): TemplateResult {
	const { values } = form;
	const { name, lines, hasFault } = field;
	const id = chatSettingId(name);
	if (name === "model" && !form.typesModel) {
		return renderModelList(form, panel);
	}
	const onInput = (event: Event): void => {
		const { currentTarget: input } = event;
		if (input instanceof HTMLTextAreaElement || input instanceof HTMLInputElement) {
			panel.enter(name, input.value);
		}
	};
	const describedBy = `${id}-hint ${id}-fault`;
	const invalid = hasFault ? "true" : "false";
	return lines === undefined
		? html`<input
				id=${id}
				type="text"
				dir="auto"
				autocomplete="off"
				spellcheck="false"
				aria-describedby=${describedBy}
				aria-invalid=${invalid}
				.value=${live(values[name])}
				@input=${onInput}
			/>`
		: html`<textarea
				id=${id}
				class=${name === "extraParameters" ? "code" : ""}
				dir="auto"
				rows=${lines}
				spellcheck=${name === "systemPrompt" ? "true" : "false"}
				aria-describedby=${describedBy}
				aria-invalid=${invalid}
				.value=${live(values[name])}
				@input=${onInput}
			></textarea>`;
}

/** Renders the models by name. The last entry leads to a field for any other id. */
function renderModelList(
	{ view, values }: ChatSettingsForm,
	panel: ChatSettingsPanel,
): TemplateResult {
	const onChange = ({ currentTarget: list }: Event): void => {
		if (list instanceof HTMLSelectElement && list.value === "") {
			panel.typeModel();
		} else if (list instanceof HTMLSelectElement) {
			panel.enter("model", list.value);
		}
	};
	const id = chatSettingId("model");
	return html`<select
		id=${id}
		aria-describedby=${`${id}-hint ${id}-fault`}
		.value=${live(values.model)}
		@change=${onChange}
	>
		${view.models.map(
			model =>
				html`<option value=${model} .selected=${model === values.model}>
					${nameAmong(model, view.models)}
				</option>`,
		)}
		<option value="">${l10n.t("Other model id…")}</option>
	</select>`;
}

/** Escape closes the form and keeps unsaved values. Enter in a single line, and Ctrl or Cmd with Enter anywhere, saves. */
function onKeyDown(event: KeyboardEvent, panel: ChatSettingsPanel): void {
	if (isOfInputMethod(event)) {
		return;
	}
	if (event.key === "Escape") {
		event.preventDefault();
		event.stopPropagation();
		panel.close(false);
	} else if (
		event.key === "Enter" &&
		(event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey)
	) {
		event.preventDefault();
		void panel.save();
	}
}
