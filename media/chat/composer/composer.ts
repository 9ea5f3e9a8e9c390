import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { AttachmentsView } from "../../../src/shared/attachments.ts";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { renderAttachments } from "./attachmentChips.ts";
import { noToolsSentence, renderComposerBar } from "./composerBar.ts";
import { renderInstructions } from "./instructions.ts";
import { renderChoices } from "../settings/chatSettings.ts";
import type { ChatSettingsPanel } from "../settings/chatSettingsPanel.ts";
import type { CompletionList } from "./completion.ts";
import { activeOptionId, completionListId, renderCompletion } from "./completionList.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

export interface ComposerState {
	readonly composer: ComposerView;
	readonly attachments: AttachmentsView;
	readonly completion: CompletionList | undefined;
	readonly draft: string;
	/** Whether a message sent now is queued. */
	readonly isBusy: boolean;
	/** Why the chat is read-only. The draft stays readable. */
	readonly readOnly: string | undefined;
	readonly settings: ChatSettingsPanel;
	/** Why something failed, as a sentence below the text. */
	readonly hint: string;
}

/** Renders the composer: attachments, the text, the model, the server tools, and Send or Stop. */
export function renderComposer(state: ComposerState, actions: ChatActions): TemplateResult {
	const { composer, attachments, completion, draft, hint, settings, readOnly } = state;
	const canSend = readOnly === undefined && draft.trim() !== "";
	return html`<div class="composer">
			${renderCompletion(completion, actions)} ${renderInstructions(composer, actions)}
			${renderAttachments(attachments, composer.model, actions)}
			<textarea
				class="composer-text"
				aria-label=${l10n.t("Message")}
				aria-describedby="composer-hint composer-help"
				aria-autocomplete="list"
				aria-haspopup="listbox"
				aria-controls=${completion ? completionListId : nothing}
				aria-activedescendant=${activeOptionId(completion) ?? nothing}
				placeholder=${readOnly ?? l10n.t("Ask anything (@ files, / commands)")}
				?readonly=${readOnly !== undefined}
				rows="1"
				.value=${live(draft)}
				@input=${(event: Event) => followCursor(event, actions)}
				@click=${(event: Event) => followCursor(event, actions)}
				@keyup=${(event: KeyboardEvent) => onKeyUp(event, actions)}
				@keydown=${(event: KeyboardEvent) => onKeyDown(event, completion, actions)}
				@blur=${actions.dismissCompletion}
			></textarea>
			${renderChoices(composer, settings)} ${renderComposerBar(state, canSend, actions)}
		</div>
		<p id="composer-hint" class="composer-hint" role="status">
			${hint !== "" ? hint : composer.canUseServerTools ? nothing : noToolsSentence(composer)}
		</p>
		<p id="composer-help" hidden>${l10n.t("Press Alt+F1 for accessibility help.")}</p>`;
}

function followCursor(event: Event, actions: ChatActions): void {
	if (event.currentTarget instanceof HTMLTextAreaElement && !event.currentTarget.readOnly) {
		const { value, selectionEnd } = event.currentTarget;
		actions.draftChanged(value, selectionEnd);
	}
}

/** Keys that only move the cursor. */
const cursorKeys: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

function onKeyUp(event: KeyboardEvent, actions: ChatActions): void {
	if (cursorKeys.has(event.key)) {
		followCursor(event, actions);
	}
}

/**
 * Enter sends and Shift+Enter breaks the line. During a composition, Enter belongs to the input method. While completions are shown, the arrow keys,
 * Enter, Tab and Escape belong to the list.
 */
function onKeyDown(
	event: KeyboardEvent,
	completion: CompletionList | undefined,
	actions: ChatActions,
): void {
	if (isOfInputMethod(event)) {
		return;
	}
	if (completion && !event.shiftKey && takeListKey(event.key, completion, actions)) {
		event.preventDefault();
		event.stopPropagation();
	} else if (event.key === "Enter" && !event.shiftKey) {
		event.preventDefault();
		actions.send();
	} else if (recall(event, actions)) {
		event.preventDefault();
	}
}

/** ↑ at the start of the text recalls earlier questions, ↓ goes back. */
function recall(event: KeyboardEvent, actions: ChatActions): boolean {
	const { key, currentTarget: text } = event;
	const isArrow = key === "ArrowUp" || key === "ArrowDown";
	const isPlain = !(event.shiftKey || event.altKey || event.ctrlKey || event.metaKey);
	return (
		isArrow &&
		isPlain &&
		text instanceof HTMLTextAreaElement &&
		!text.readOnly &&
		text.selectionStart === text.selectionEnd &&
		actions.recallQuestion(key === "ArrowUp" ? -1 : 1, text.selectionStart)
	);
}

/**
 * Whether the list's first command is for an earlier query and doesn't match the text. A quick Enter then runs the typed command rather than the
 * shown one.
 */
function isOfferedForLess({ mention, offers, active, isChosen }: CompletionList): boolean {
	const { trigger, query } = mention;
	const label = offers[active]?.label.toLowerCase() ?? "";
	let found = 0;
	for (const letter of query.toLowerCase()) {
		found = label.indexOf(letter, found) + 1;
		if (found === 0) {
			return trigger === "/" && !isChosen && !/\s/.test(query);
		}
	}
	return false;
}

/** Handles a key for the list. Returns whether it did. */
function takeListKey(key: string, list: CompletionList, actions: ChatActions): boolean {
	const { active, offers, mention } = list;
	// Enter on an empty list closes it. A message is sent by the next one, because it may cost money.
	const isEmptied = key === "Enter" && offers.length === 0 && mention.trigger === "@";
	if (key === "Escape" || isEmptied) {
		actions.dismissCompletion();
		return true;
	}
	if (offers.length > 0 && (key === "ArrowDown" || key === "ArrowUp")) {
		actions.moveCompletion(key === "ArrowDown" ? 1 : -1);
		return true;
	}
	if (active === -1) {
		return false;
	}
	if (key === "Enter" && isOfferedForLess(list)) {
		return false;
	}
	if (key === "Enter" || key === "Tab") {
		actions.acceptCompletion(undefined, key === "Tab");
		return true;
	}
	return false;
}
