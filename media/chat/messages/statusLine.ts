import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type {
	NoteView,
	TurnAction,
	TurnState,
	TurnStatus,
	TurnView,
} from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";

/** Icons of endings (docs/faults.md). The sentence names the ending; a separate name would repeat it. */
const endingIcons: Readonly<Record<Exclude<TurnState, "streaming" | "complete">, string>> = {
	stopped: "debug-stop",
	interrupted: "debug-disconnect",
	endedEarly: "warning",
	partlyUnreadable: "warning",
	empty: "circle-slash",
	refused: "error",
	notSent: "error",
	chargeUnknown: "question",
};

/** The start of a sentence up to its first full stop or colon, in any of the languages, except inside a URL. */
const titleOf = /^.*?(?:[.:](?=\s|$)|[。：])/su;

const actionLabels: Readonly<Record<TurnAction, () => string>> = {
	tryAgain: () => l10n.t("Try again"),
	continue: () => l10n.t("Continue"),
	sendAgain: () => l10n.t("Send again (may be charged)"),
	showError: () => l10n.t("Show the error"),
	setApiKey: () => l10n.t("Set API Key…"),
	chooseModel: () => l10n.t("Choose Model…"),
	connect: () => l10n.t("Change Address…"),
	useLocalService: () => l10n.t("Use the Local Service"),
	edit: () => l10n.t("Edit and resend"),
	summarizeChat: () => l10n.t("Summarize and Go On"),
	showLog: () => l10n.t("Show Log"),
};

const actionHints: Partial<Record<TurnAction, () => string>> = {
	continue: () => l10n.t("Continues where the answer was cut off, with one request"),
	summarizeChat: () =>
		l10n.t("Asks the model for a summary and starts a new chat with it. This chat stays as it is."),
	showError: () => l10n.t("Show the error (asks again; may be charged)"),
};

/** Renders the turn's state: its progress while it streams, then its ending unless it simply completed. */
export function renderStatusLine(
	turn: TurnView,
	isLast: boolean,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	// Only the chat's last answer can be continued.
	const offered = turn.status.actions.filter(action => isLast || action !== "continue");
	const status = { ...turn.status, actions: offered };
	if (status.state === "streaming") {
		return status.packages === undefined
			? renderProgress(turn)
			: renderPackageQuestion(status.notice ?? "", status.packages, actions);
	}
	if (status.state === "complete") {
		return status.sentence === undefined && status.actions.length === 0
			? nothing
			: html`<div class="ending">
					<p>${status.sentence}</p>
					${renderDetails(turn.id, status, actions)}
				</div>`;
	}
	return html`<div class=${`ending ending-${status.state}`} data-state=${status.state}>
		<div class="ending-head">
			${icon(endingIcons[status.state])}${renderSentence(status.sentence)}
		</div>
		${renderDetails(turn.id, status, actions)}
	</div>`;
}

/** Renders what the model was asked without. */
export function renderNotes({ notes }: TurnView): unknown {
	return notes?.map(renderNote);
}

/** Renders a line that may expand to details. */
function renderNote({ text, more }: NoteView): TemplateResult {
	const line = html`${icon("circle-slash")}<span>${text}</span>`;
	return more === undefined
		? html`<p class="note call-line">${line}</p>`
		: html`<details class="note tool-fold">
				<summary class="call-line">${line}${icon("chevron-right")}</summary>
				<p class="tool-inside">${more}</p>
			</details>`;
}

/** Renders the ending's sentence, with its start as the title. */
function renderSentence(sentence = ""): TemplateResult {
	const title = titleOf.exec(sentence)?.[0] ?? sentence;
	return html`<p><strong>${title}</strong>${sentence.slice(title.length)}</p>`;
}

function renderProgress(turn: TurnView): TemplateResult {
	if (turn.tools?.some(({ state }) => state === "asking")) {
		return html`<p class="progress" data-state="streaming">
			${icon("question")}<span>${l10n.t("Waiting for you")}</span>
		</p>`;
	}
	const isWaiting = turn.messages.length === 0;
	return html`<p class="progress" data-state="streaming">
		${icon("loading codicon-modifier-spin")}
		<span
			>${turn.status.notice ?? (isWaiting ? l10n.t("Waiting for the answer…") : l10n.t("Answering…"))}</span
		>
	</p>`;
}

/** Renders the question whether to download packages that Python's code needs. */
function renderPackageQuestion(question: string, id: string, actions: ChatActions): TemplateResult {
	const answer = (isAccepted: boolean) => (): void =>
		actions.ask("answerPackages", { id, isAccepted });
	return html`<div class="ending package-question" role="group" aria-label=${question}>
		<div class="ending-head">
			${icon("package")}
			<p>${question}</p>
		</div>
		<div class="ending-actions">
			<button type="button" class="button primary" @click=${answer(true)}>
				${l10n.t("Get and Run")}
			</button>
			<button type="button" class="button" @click=${answer(false)}>${l10n.t("Run Without")}</button>
		</div>
	</div>`;
}

function renderDetails(id: string, status: TurnStatus, actions: ChatActions): TemplateResult {
	return html`${
		status.serviceMessage === undefined
			? nothing
			: html`<figure class="service-message">
					<figcaption>
						${status.isFromModelServer ? l10n.t("The model's server") : l10n.t("Service message:")}
					</figcaption>
					<pre tabindex="0">${status.serviceMessage}</pre>
				</figure>`
	}
	${
		status.actions.length === 0
			? nothing
			: html`<div class="ending-actions">
					${status.actions.map(
						(action, index) =>
							html`<button
								type="button"
								class=${index === 0 ? "button primary" : "button"}
								title=${actionHints[action]?.() ?? ""}
								@click=${() =>
									action === "edit"
										? actions.beginEdit(id)
										: actions.ask("runAction", { turnId: id, action })}
							>
								${actionLabels[action]()}
							</button>`,
					)}
				</div>`
	}`;
}
