import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { MessageView, TurnView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import type { Answers } from "./answers.ts";
import type { Thoughts } from "./thoughts.ts";
import { icon, iconButton } from "../../shared/icon.ts";
import {
	type CollapsedAnswers,
	isLongAnswer,
	type LongAnswerView,
	renderCollapsible,
} from "./longAnswer.ts";
import { modelName } from "../widgets/modelName.ts";
import { renderNotes } from "./statusLine.ts";
import { renderQuestionEditor } from "./questionEditor.ts";
import type { QuestionEdits } from "./questionEdits.ts";
import { renderSentAttachments } from "./sentAttachments.ts";
import { describeToolRun, renderToolRun } from "../cards/toolRun.ts";
import { renderVersions } from "./versions.ts";

export interface MessageElements extends Pick<Answers, "elementOf"> {
	readonly thoughts: Pick<Thoughts, "elementOf">;
}

export interface MessageDependencies {
	readonly answers: MessageElements;
	readonly actions: ChatActions;
	readonly edits: Pick<QuestionEdits, "of">;
	readonly collapsed: CollapsedAnswers;
}

/** Position of a message in the chat, counted from 1, because the others may not be rendered. */
export interface MessagePosition {
	readonly position: number;
	readonly total: number;
}

/** Position of a question, and whether tools changed files for it or later ones. */
export interface QuestionPosition extends MessagePosition {
	readonly hasChanges: boolean;
}

/** Renders a question: plain text in a bubble, or its editor. */
export function renderQuestion(
	turn: TurnView,
	place: QuestionPosition,
	dependencies: MessageDependencies,
): TemplateResult {
	const edit = dependencies.edits.of(turn.id);
	return html`<article
		class="message question"
		aria-label=${l10n.t("You")}
		aria-posinset=${place.position}
		aria-setsize=${place.total}
	>
		${edit ? renderQuestionEditor(turn, edit, place.hasChanges, dependencies.actions) : renderAsked(turn, dependencies)}
	</article>`;
}

function renderAsked(turn: TurnView, { actions }: MessageDependencies): TemplateResult {
	return html`
		<div class="bubble">
			<div class="prompt">${turn.prompt.slice(0, turn.shownLength)}</div>
			${turn.shownLength === undefined ? nothing : renderRest(turn.prompt.slice(turn.shownLength))}
			${renderSentAttachments(turn.attachments, actions)}
		</div>
		<div class="message-actions">
			${iconButton("copy", l10n.t("Copy"), () => actions.ask("copyMessage", { turnId: turn.id, index: -1 }), "copy-message")}
			${iconButton("edit", l10n.t("Edit"), () => actions.beginEdit(turn.id), "edit-question")}
			${renderVersions(turn, actions)}
		</div>
	`;
}

/** Renders the rest of a prompt, collapsed. */
function renderRest(rest: string): TemplateResult {
	return html`<details class="prompt-rest">
		<summary>${l10n.t("Instruction")}</summary>
		<div class="prompt">${rest.trim()}</div>
	</details>`;
}

function renderActions(
	turn: TurnView,
	message: MessageView,
	canRetry: boolean,
	actions: ChatActions,
): TemplateResult {
	return html`<div class="message-actions">
		${
			message.text.trim() === ""
				? nothing
				: html`${iconButton("copy", l10n.t("Copy"), () => actions.ask("copyMessage", { turnId: turn.id, index: message.index }), "copy-message")}
					${iconButton("device-camera-video", l10n.t("Make clip"), () =>
						actions.ask("generateVideo", { turnId: turn.id, text: message.text }),
					)}`
		}
		${
			message === turn.messages.at(-1)
				? iconButton("repo-forked", l10n.t("Duplicate from here"), () =>
						actions.ask("duplicateChat", { turnId: turn.id }),
					)
				: nothing
		}
		${canRetry ? renderRetry(turn.id, actions) : nothing}
		${message === turn.messages.at(-1) ? renderUsage(turn) : nothing}
	</div>`;
}

/** Renders how many findings a review has, and the button that shows them in the editor. */
function renderFindings(
	{ id, status: { findings = 0 } }: TurnView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return findings === 0
		? nothing
		: html`<p class="findings">
				${icon("comment-discussion")}<span
					>${findings === 1 ? l10n.t("1 finding") : l10n.t("{0} findings", findings)}</span
				>
				·
				<button
					type="button"
					class="link-button"
					aria-label=${l10n.t("Show findings in the editor")}
					title=${l10n.t("Show findings in the editor")}
					@click=${() => actions.ask("showFindings", { turnId: id })}
				>
					${l10n.t("Show")}
				</button>
			</p>`;
}

/** Renders an answer's model and tokens on hover, and for the keyboard and screen readers. */
function renderUsage({ model, isDemo, usage = "" }: TurnView): TemplateResult | typeof nothing {
	const words = [isDemo ? "" : modelName(model), usage].filter(part => part !== "").join(" · ");
	return words === ""
		? nothing
		: html`<span class="usage" role="img" tabindex="0" aria-label=${words} title=${words}
				>${icon("info")}</span
			>`;
}

/** Renders the retry button, with the composer's model or, from a menu, with another one. */
function renderRetry(turnId: string, actions: ChatActions): TemplateResult {
	const name = l10n.t("Retry with another model");
	const open = (event: Event): void => {
		if (event.currentTarget instanceof HTMLElement) {
			actions.openRetryMenu(turnId, event.currentTarget);
		}
	};
	return html`${iconButton("refresh", l10n.t("Retry"), () => actions.ask("retryTurn", { turnId }))}
		<button
			type="button"
			class="icon-button retry-menu"
			aria-label=${name}
			aria-haspopup="menu"
			aria-expanded="false"
			title=${name}
			@click=${open}
		>
			${icon("chevron-down")}
		</button>`;
}

/** Whether a message in the middle of an answer is omitted, because its cards show everything. */
export function isLeftOut(turn: TurnView, message: MessageView): boolean {
	const { messages } = turn;
	return message !== messages[0] && message !== messages.at(-1) && onlyCalls(turn, message);
}

/** Whether a message has only calls, which are on cards. */
function onlyCalls({ tools = [] }: TurnView, { index, text, toolNames }: MessageView): boolean {
	const hasCards = tools.some(({ after }) => after === index + 1);
	return toolNames.length > 0 && hasCards && text.trim() === "";
}

/** Whether the answer's last message has the turn's notes above its actions. They are below what else the answer ends with. */
export function endsWithNotes(turn: TurnView, message = turn.messages.at(-1)): boolean {
	const { messages, tools, thoughts } = turn;
	const isEnd = ({ after }: { readonly after: number }): boolean => after === messages.length;
	return (
		message !== undefined &&
		message === messages.at(-1) &&
		!onlyCalls(turn, message) &&
		!tools?.some(isEnd) &&
		!thoughts?.some(isEnd) &&
		describeToolRun(turn, message) === undefined
	);
}

/** Returns how a finished long answer is shown. */
function longViewOf(
	{ id }: TurnView,
	{ index, text }: MessageView,
	collapsed: CollapsedAnswers,
): LongAnswerView | undefined {
	return isLongAnswer(text)
		? {
				isCollapsed: collapsed.is(id, index),
				onToggle: button => collapsed.toggle(id, index, button),
			}
		: undefined;
}

/** Renders a message of the answer. Its name can't be changed by the service. */
export function renderAnswer(
	turn: TurnView,
	message: MessageView,
	canRetry: boolean,
	place: MessagePosition,
	{ answers, actions, collapsed }: MessageDependencies,
): TemplateResult {
	const isFinished = message.isFinished || turn.status.state !== "streaming";
	const isFirst = message === turn.messages[0];
	const isSilent = isFinished && !canRetry && onlyCalls(turn, message);
	const thoughts = thoughtsOf(turn, message.index, answers);
	if (isSilent && !isFirst) {
		return html`${thoughts}`;
	}
	const text = answers.elementOf(turn.id, message, isFinished);
	const run = describeToolRun(turn, message);
	const actionRow = renderActions(turn, message, canRetry, actions);
	const long = isFinished ? longViewOf(turn, message, collapsed) : undefined;
	return html`<article
		class=${run === undefined || isSilent ? "message answer" : "message answer with-run"}
		aria-label=${l10n.t("Assistant")}
		aria-posinset=${place.position}
		aria-setsize=${place.total}
	>
		${isFirst ? renderHead(turn) : nothing}${thoughts}
		${
			message.toolNames.length > 0 && !turn.tools
				? html`<p class="tool-names">
						${icon("tools")}<span>${l10n.t("Requested: {0}", message.toolNames.join(" · "))}</span>
					</p>`
				: nothing
		}
		${
			isSilent
				? nothing
				: run === undefined
					? html`${renderCollapsible(text, long)}${endsWithNotes(turn, message) ? renderNotes(turn) : nothing}${message === turn.messages.at(-1) ? renderFindings(turn, actions) : nothing}${isFinished ? actionRow : nothing}`
					: renderToolRun(run, text, isFinished ? actionRow : nothing)
		}
	</article>`;
}

/** Renders the answer's heading. The model's name is in the composer, and after the answer. */
function renderHead({ isDemo }: TurnView): TemplateResult {
	return html`<div class="answer-head">
		${icon("sparkle")}<span class="answer-name"
			>${isDemo ? l10n.t("Demo") : l10n.t("Assistant")}</span
		>
	</div>`;
}

/** Returns the thinking before a message, as persistent elements. */
function thoughtsOf({ id, thoughts }: TurnView, before: number, answers: MessageElements): unknown {
	return thoughts
		?.filter(({ after }) => after === before)
		.map(thought => answers.thoughts.elementOf(id, thought));
}

/** Renders the thinking before a message that hasn't started. */
export function renderThinking(
	turn: TurnView,
	answers: MessageElements,
): TemplateResult | typeof nothing {
	const thoughts = thoughtsOf(turn, turn.messages.length, answers);
	return turn.thoughts?.some(({ after }) => after === turn.messages.length)
		? html`<div class="message answer">
				${turn.messages.length === 0 ? renderHead(turn) : nothing}${thoughts}
			</div>`
		: nothing;
}
