import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { TurnView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import type { QuestionEdit } from "./questionEdits.ts";
import { renderSentAttachments } from "./sentAttachments.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

type QuestionEditorActions = Pick<
	ChatActions,
	"ask" | "changeEdit" | "setEditUndo" | "cancelEdit" | "sendEdit" | "leaveOutAttachment"
>;

/**
 * Renders a question being edited in place. Enter asks it as another version, Shift+Enter breaks the line, Escape cancels. The composer's draft isn't
 * affected.
 */
export function renderQuestionEditor(
	turn: TurnView,
	edit: QuestionEdit,
	hasChanges: boolean,
	actions: QuestionEditorActions,
): TemplateResult {
	const { id } = turn;
	const hintId = `edit-hint-${id}`;
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isOfInputMethod(event)) {
			return;
		}
		if (event.key === "Enter" && !event.shiftKey) {
			event.preventDefault();
			actions.sendEdit(id);
		} else if (event.key === "Escape" && !edit.isSending) {
			// Escape must not also stop a running answer.
			event.preventDefault();
			event.stopPropagation();
			actions.cancelEdit(id);
		}
	};
	const onInput = (event: Event): void => {
		if (event.currentTarget instanceof HTMLTextAreaElement) {
			actions.changeEdit(id, event.currentTarget.value);
		}
	};
	return html`<div class="bubble question-editor">
		<textarea
			class="question-editor-text"
			aria-label=${l10n.t("Edit message")}
			aria-describedby=${hintId}
			rows="1"
			dir="auto"
			?readonly=${edit.isSending}
			.value=${live(edit.text)}
			@input=${onInput}
			@keydown=${onKeyDown}
		></textarea>
		${renderSentAttachments(turn.attachments, actions, {
			without: edit.without,
			onRemove: index => actions.leaveOutAttachment(id, index),
		})}
		<p id=${hintId} class="question-editor-hint" role="status">
			${edit.hint !== "" ? edit.hint : l10n.t("The earlier answers are kept as another version.")}
		</p>
		${hasChanges ? renderUndoChoice(id, edit, actions) : nothing}${renderButtons(id, edit, actions)}
	</div>`;
}

/** Renders the option to undo changes of tools from this question on before it is asked again. */
function renderUndoChoice(
	id: string,
	edit: QuestionEdit,
	actions: QuestionEditorActions,
): TemplateResult {
	const onChange = (event: Event): void => {
		if (event.currentTarget instanceof HTMLInputElement) {
			actions.setEditUndo(id, event.currentTarget.checked);
		}
	};
	return html`<label class="question-editor-undo"
		><input
			type="checkbox"
			.checked=${live(edit.isUndoing)}
			?disabled=${edit.isSending}
			@change=${onChange}
		/><span>${l10n.t("Also undo what was changed after it")}</span></label
	>`;
}

function renderButtons(
	id: string,
	edit: QuestionEdit,
	actions: QuestionEditorActions,
): TemplateResult {
	return html`<div class="question-editor-actions">
		<button
			type="button"
			class="button primary"
			title=${l10n.t("{0} (Enter)", l10n.t("Resend"))}
			?disabled=${edit.text.trim() === "" || edit.isSending}
			@click=${() => actions.sendEdit(id)}
		>
			${l10n.t("Resend")}
		</button>
		<button
			type="button"
			class="button"
			title=${l10n.t("{0} (Escape)", l10n.t("Cancel"))}
			?disabled=${edit.isSending}
			@click=${() => actions.cancelEdit(id)}
		>
			${l10n.t("Cancel")}
		</button>
	</div>`;
}
