import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { AttachmentsView } from "../../../src/shared/attachments.ts";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { renderAttachments } from "./attachmentChips.ts";
import { keepInOneRow, renderMore } from "./barOverflow.ts";
import { renderInstructions, renderInstructionsIcon } from "./instructions.ts";
import { renderChatSettingsButton, renderChoices } from "../settings/chatSettings.ts";
import type { ChatSettingsPanel } from "../settings/chatSettingsPanel.ts";
import type { CompletionList } from "./completion.ts";
import { activeOptionId, completionListId, renderCompletion } from "./completionList.ts";
import { icon } from "../../shared/icon.ts";
import { renderModelPicker } from "./modelPicker.ts";
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
	const { composer, attachments, completion, draft, isBusy, hint, settings, readOnly } = state;
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
			${renderChoices(composer, settings)}
			<div class="composer-bar" ${keepInOneRow}>
				${renderAttach(actions)} ${renderInstructionsIcon(composer, actions)}
				${renderModelPicker(composer, actions)} ${renderChatSettingsButton(composer, settings)}
				${renderTool("code_interpreter", l10n.t("Code interpreter"), "terminal", composer, actions)}
				${renderTool("browsing", l10n.t("Browsing"), "globe", composer, actions)}
				${renderExternalTools(composer, actions)} ${renderMore()}
				<span class="composer-end"
					>${renderContext(composer, actions)}${
						isBusy
							? html`${renderQueueButton(canSend, actions)}${renderStop(actions)}`
							: renderSend(canSend, actions)
					}</span
				>
			</div>
		</div>
		<p id="composer-hint" class="composer-hint" role="status">
			${hint !== "" ? hint : composer.canUseServerTools ? nothing : noToolsSentence(composer)}
		</p>
		<p id="composer-help" hidden>${l10n.t("Press Alt+F1 for accessibility help.")}</p>`;
}

/** Renders a ring that shows the share of the model's context, if its length is known. */
function renderContext(
	{ context }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return context === undefined
		? nothing
		: html`<button
				type="button"
				class=${`icon-button context-use ${context.percent >= 80 ? "nearly-full" : ""}`}
				.style=${`--used: ${context.percent}%`}
				aria-label=${context.label}
				title=${context.label}
				@click=${() => actions.ask("showContext", {})}
			>
				<span class="context-ring"></span>
			</button>`;
}

function switchTitle(name: string, isOn: boolean): string {
	return isOn ? l10n.t("{0}: on", name) : l10n.t("{0}: off", name);
}

function noToolsSentence({ model }: ComposerView): string {
	return l10n.t(
		"{0} has no tools. Code interpreter and Browsing need a model with “tools” in its id.",
		model,
	);
}

function renderSend(canSend: boolean, actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button send"
		aria-label=${l10n.t("Send")}
		title=${l10n.t("{0} (Enter)", l10n.t("Send"))}
		?disabled=${!canSend}
		@click=${actions.send}
	>
		${icon("send")}
	</button>`;
}

function renderStop(actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="stop"
		aria-label=${l10n.t("Stop")}
		title=${l10n.t("{0} (Escape)", l10n.t("Stop"))}
		@click=${() => actions.ask("stop", {})}
	>
		${icon("debug-stop")}<span>${l10n.t("Stop")}</span>
	</button>`;
}

/** Renders the button that queues the message while an answer runs. */
function renderQueueButton(canSend: boolean, actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button queue-button"
		aria-label=${l10n.t("Queue message")}
		title=${l10n.t("Queue: sent when the answer is complete (Enter)")}
		?disabled=${!canSend}
		@click=${actions.send}
	>
		${icon("list-ordered")}
	</button>`;
}

function renderTool(
	tool: "code_interpreter" | "browsing",
	name: string,
	iconName: string,
	composer: ComposerView,
	actions: ChatActions,
): TemplateResult {
	const isOn = tool === "browsing" ? composer.browsing : composer.codeInterpreter;
	const canUse = composer.canUseServerTools;
	const onClick = (): void => {
		if (canUse) {
			actions.ask("setServerTool", { tool, isOn: !isOn });
		}
	};
	return html`<button
		type="button"
		role="switch"
		class="tool-switch"
		aria-label=${name}
		aria-checked=${canUse && isOn ? "true" : "false"}
		aria-disabled=${canUse ? "false" : "true"}
		aria-describedby=${canUse ? nothing : "composer-hint"}
		title=${canUse ? switchTitle(name, isOn) : noToolsSentence(composer)}
		@click=${onClick}
	>
		${icon(iconName)}<span class="tool-name">${name}</span>
	</button>`;
}

/** Renders the button for tools of MCP servers and other extensions, if there are any. */
function renderExternalTools(
	{ externalTools }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return externalTools === undefined
		? nothing
		: html`<button
				type="button"
				class=${`icon-button external-tools ${externalTools.isAny ? "external-tools-on" : ""}`}
				aria-label=${externalTools.label}
				title=${externalTools.label}
				@click=${() => actions.ask("chooseTools", {})}
			>
				${icon("plug")}
			</button>`;
}

function renderAttach(actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button attach"
		aria-label=${l10n.t("Attach files")}
		title=${l10n.t("Attach files. To drop them here, hold Shift")}
		@click=${() => actions.ask("attachFiles", {})}
	>
		${icon("attach")}
	</button>`;
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
	const { active } = list;
	if (key === "Escape") {
		actions.dismissCompletion();
		return true;
	}
	if (list.offers.length > 0 && (key === "ArrowDown" || key === "ArrowUp")) {
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
