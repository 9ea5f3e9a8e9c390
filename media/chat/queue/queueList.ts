import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { QueuedMessageView, QueueView } from "../../../src/shared/queue.ts";
import { icon } from "../../shared/icon.ts";
import { openPopupMenu } from "../../shared/popupMenu.ts";
import { renderModelName } from "../widgets/modelName.ts";
import type { QueueActions } from "./queueActions.ts";
import type { QueueEdit } from "./queueEdit.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

export interface QueueState {
	readonly queue: QueueView;
	readonly queueEdit: QueueEdit | undefined;
	/** The composer's current model; a message shows its own if it differs. */
	readonly model: string;
	/** Whether an answer is running, so a resumed queue waits for its end. */
	readonly isAnswering: boolean;
}

/** The most characters in a message's accessible name and tooltip; the editor shows all. */
const maxSpoken = 300;
const maxTooltip = 1000;

/** Renders the queued messages between the conversation and the composer, if there are any. */
export function renderQueue(
	state: QueueState,
	actions: QueueActions,
): TemplateResult | typeof nothing {
	const { items, removed } = state.queue;
	return items.length === 0 && removed === null
		? nothing
		: html`<section class="queue" aria-label=${l10n.t("Queue")}>
				${items.length === 0 ? nothing : renderHead(state, actions)}
				${items.length === 0 ? nothing : renderRows(state, actions)}
				${removed === null ? nothing : renderRemoved(removed, actions)}
			</section>`;
}

function renderHead({ queue, isAnswering }: QueueState, actions: QueueActions): TemplateResult {
	const { items, paused } = queue;
	return html`<div class="queue-head">
		<p class="queue-title">
			<b>${l10n.t("Queued")}</b> <span class="queue-count">${items.length}</span>
			${paused === null ? nothing : html`<span class="queue-pause">${paused}</span>`}
		</p>
		${paused === null ? nothing : renderResume(isAnswering, actions)}
	</div>`;
}

function renderResume(isAnswering: boolean, actions: QueueActions): TemplateResult {
	return html`<button
		type="button"
		class="button queue-resume"
		title=${
			isAnswering
				? l10n.t("Send the next message when the answer is complete")
				: l10n.t("Send the next message now, the others as answers are complete")
		}
		@click=${actions.resumeQueue}
	>
		${icon("play")}${isAnswering ? l10n.t("Resume") : l10n.t("Send next")}
	</button>`;
}

function renderRows(state: QueueState, actions: QueueActions): TemplateResult {
	const { queue, queueEdit } = state;
	const { items } = queue;
	return html`<ul class="queue-list" role="list" aria-label=${l10n.t("Queued messages")}>
		${repeat(
			items,
			({ id }) => id,
			(item, index) =>
				queueEdit?.id === item.id
					? renderEditor(queueEdit, actions)
					: renderRow(item, index, state, actions),
		)}
	</ul>`;
}

function renderRow(
	item: QueuedMessageView,
	index: number,
	{ queue, model, isAnswering }: QueueState,
	actions: QueueActions,
): TemplateResult {
	const { id, text, isSending } = item;
	const { items } = queue;
	const isFirst = index === 0 || items[index - 1]?.isSending === true;
	const isLast = index === items.length - 1;
	return html`<li
		class="queue-row"
		data-queued=${id}
		tabindex="0"
		aria-label=${l10n.t("{0} of {1}: {2}", index + 1, items.length, text.slice(0, maxSpoken))}
		aria-keyshortcuts="Enter Delete Alt+ArrowUp Alt+ArrowDown"
		@keydown=${(event: KeyboardEvent) => onRowKey(event, item, actions)}
	>
		<span class="queue-words">
			<span class="queue-text" dir="auto" title=${text.slice(0, maxTooltip)}>${text}</span>
			${renderWith(item, model)}
		</span>
		${
			isSending
				? nothing
				: html`<span class="queue-buttons">
						${isFirst && isAnswering ? rowButton("send", l10n.t("Stop and send now"), actions.sendNow) : nothing}
						${rowButton("edit", l10n.t("Edit"), () => actions.beginQueueEdit(id), l10n.t("{0} (Enter)", l10n.t("Edit")))}
						<button
							type="button"
							class="icon-button"
							aria-label=${l10n.t("More actions")}
							title=${l10n.t("More actions")}
							aria-haspopup="menu"
							aria-expanded="false"
							@click=${(event: Event) => openRowMenu(event, id, { isFirst, isLast }, actions)}
						>
							${icon("ellipsis")}
						</button>
					</span>`
		}
	</li>`;
}

/** Renders a message's model, if it differs from the current one, and its attachments. */
function renderWith(
	{ model, files, isSending }: QueuedMessageView,
	current: string,
): TemplateResult | typeof nothing {
	if (isSending) {
		return html`<span class="queue-with">${l10n.t("Sending…")}</span>`;
	}
	return model === current && files.length === 0
		? nothing
		: html`<span class="queue-with">
				${model === current ? nothing : html`<span title=${model}>${renderModelName(model)}</span>`}
				${files.length === 0 ? nothing : renderFiles(files)}
			</span>`;
}

function renderFiles(files: readonly string[]): TemplateResult {
	return html`<span title=${files.join("\n")}>
		${icon("attach")} ${files.length === 1 ? files[0] : l10n.t("{0} files", files.length)}
	</span>`;
}

function rowButton(
	name: string,
	label: string,
	onClick: () => void,
	title = label,
): TemplateResult {
	return html`<button
		type="button"
		class="icon-button"
		aria-label=${label}
		title=${title}
		@click=${onClick}
	>
		${icon(name)}
	</button>`;
}

/** Opens the menu of a message at its button. */
function openRowMenu(
	{ currentTarget }: Event,
	id: string,
	place: { readonly isFirst: boolean; readonly isLast: boolean },
	actions: QueueActions,
): void {
	const up = {
		label: l10n.t("Move up"),
		detail: "Alt+↑",
		onPick: () => actions.moveQueued(id, -1),
	};
	const down = {
		label: l10n.t("Move down"),
		detail: "Alt+↓",
		onPick: () => actions.moveQueued(id, 1),
	};
	const remove = {
		label: l10n.t("Remove"),
		detail: l10n.t("Delete"),
		onPick: () => actions.removeQueued(id),
	};
	if (currentTarget instanceof HTMLElement) {
		openPopupMenu(currentTarget, l10n.t("More actions"), [
			...(place.isFirst ? [] : [up]),
			...(place.isLast ? [] : [down]),
			remove,
		]);
	}
}

/** Enter edits a message, Delete removes it, the arrow keys move the focus, and with Alt they move the message. */
function onRowKey(
	event: KeyboardEvent,
	{ id, isSending }: QueuedMessageView,
	actions: QueueActions,
): void {
	const { key, altKey, target, currentTarget } = event;
	const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : undefined;
	const isPlain = !(altKey || event.shiftKey || event.ctrlKey || event.metaKey);
	if (step !== undefined && altKey) {
		event.preventDefault();
		if (!isSending) {
			actions.moveQueued(id, step);
		}
	} else if (step !== undefined && isPlain) {
		event.preventDefault();
		actions.stepInQueue(id, step);
	} else if (isPlain && target === currentTarget && !isSending) {
		takeRowKey(event, id, actions);
	}
}

function takeRowKey(event: KeyboardEvent, id: string, actions: QueueActions): void {
	if (event.key === "Enter") {
		event.preventDefault();
		actions.beginQueueEdit(id);
	} else if (event.key === "Delete") {
		event.preventDefault();
		actions.removeQueued(id);
	}
}

/** Renders a message being edited: Enter saves, Shift+Enter breaks the line, Escape cancels. */
function renderEditor(
	{ id, text, isKeeping, hint }: QueueEdit,
	actions: QueueActions,
): TemplateResult {
	const hintId = "queue-edit-hint";
	const onInput = (event: Event): void => {
		if (event.currentTarget instanceof HTMLTextAreaElement) {
			actions.changeQueueEdit(event.currentTarget.value);
		}
	};
	return html`<li class="queue-row queue-editor" data-queued=${id}>
		<textarea
			class="queue-editor-text"
			aria-label=${l10n.t("Edit queued message")}
			aria-describedby=${hintId}
			rows="1"
			dir="auto"
			?readonly=${isKeeping}
			.value=${live(text)}
			@input=${onInput}
			@keydown=${(event: KeyboardEvent) => onEditorKey(event, actions)}
		></textarea>
		<span class="queue-editor-foot">
			<button
				type="button"
				class="button primary"
				title=${l10n.t("{0} (Enter)", l10n.t("Keep"))}
				?disabled=${text.trim() === "" || isKeeping}
				@click=${actions.keepQueueEdit}
			>
				${l10n.t("Keep")}
			</button>
			<button
				type="button"
				class="button"
				title=${l10n.t("{0} (Escape)", l10n.t("Cancel"))}
				@click=${actions.leaveQueueEdit}
			>
				${l10n.t("Cancel")}
			</button>
			<span id=${hintId} class="queue-editor-hint" role="status">
				${hint !== "" ? hint : l10n.t("Not sent while you change it.")}
			</span>
		</span>
	</li>`;
}

function onEditorKey(event: KeyboardEvent, actions: QueueActions): void {
	if (isOfInputMethod(event)) {
		return;
	}
	if (event.key === "Enter" && !event.shiftKey) {
		event.preventDefault();
		actions.keepQueueEdit();
	} else if (event.key === "Escape") {
		// Escape must not also stop a running answer.
		event.preventDefault();
		event.stopPropagation();
		actions.leaveQueueEdit();
	}
}

function renderRemoved(text: string, actions: QueueActions): TemplateResult {
	return html`<p class="queue-removed">
		<span>${l10n.t("Removed:")}</span> <span class="queue-removed-text" dir="auto">${text}</span>
		<button type="button" class="button" @click=${actions.restoreQueued}>${l10n.t("Undo")}</button>
	</p>`;
}

/** Keeps the focus on a control of a queued message while `draw` changes its position in the list. */
export function keepRowFocus(draw: () => void): void {
	const { activeElement } = document;
	const row = activeElement?.closest<HTMLElement>("[data-queued]");
	draw();
	const hasMoved = document.activeElement !== activeElement;
	if (row && hasMoved && activeElement instanceof HTMLElement && activeElement.isConnected) {
		activeElement.focus({ preventScroll: true });
		row.scrollIntoView({ block: "nearest" });
	}
}

/** Focuses a queued message, or the part that `selector` matches, with the cursor at its end. */
export function focusRow(footer: HTMLElement, id: string, selector: string | undefined): void {
	const rows = [...footer.querySelectorAll<HTMLElement>("[data-queued]")];
	const row = rows.find(({ dataset }) => dataset["queued"] === id);
	const element = selector === undefined ? row : row?.querySelector<HTMLElement>(selector);
	element?.focus();
	element?.scrollIntoView({ block: "nearest" });
	if (element instanceof HTMLTextAreaElement) {
		element.setSelectionRange(element.value.length, element.value.length);
	}
}
