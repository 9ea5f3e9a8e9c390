import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { formatElapsed, formatDecimal } from "../../../src/shared/locale.ts";
import type { CardLocation, ToolCardView } from "../../../src/shared/tools.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";
import { isUndoCard } from "./answerUndo.ts";
import { renderApproval, renderModelQuestion } from "./toolApproval.ts";

const states: Readonly<
	Record<ToolCardView["state"], readonly [icon: string, words: () => string]>
> = {
	waiting: ["clock", () => l10n.t("Waiting")],
	asking: ["question", () => l10n.t("Your approval is needed")],
	running: ["loading codicon-modifier-spin", () => l10n.t("Running")],
	done: ["check", () => l10n.t("Done")],
	denied: ["circle-slash", () => l10n.t("Denied")],
	invalid: ["warning", () => l10n.t("Invalid request, not run")],
	refused: ["shield", () => l10n.t("Not allowed, not run")],
	missing: ["search-stop", () => l10n.t("Not found")],
	failed: ["error", () => l10n.t("Failed")],
	cancelled: ["debug-stop", () => l10n.t("Canceled")],
	notApproved: ["circle-slash", () => l10n.t("Not approved, not run")],
	stopped: ["debug-stop", () => l10n.t("Not run, or its result was lost")],
};

/** States shown to sighted users by the icon alone. */
const plainStates: ReadonlySet<string> = new Set(["done", "running"]);

/**
 * Renders a tool call: a line with its action and file, which expands to the details. All text except for arguments, result, reason and file names is
 * Cutaway's.
 */
export function renderToolCard(
	turnId: string,
	card: ToolCardView,
	actions: ChatActions,
): TemplateResult {
	// A group rather than a region, because landmarks need unique names, and a tool can have many cards.
	return html`<section
		role="group"
		class=${`tool-card tool-${card.state}`}
		aria-label=${l10n.t("Tool: {0}", card.title)}
	>
		${renderFold(card)}${renderLines(card, actions)}${renderOffers({ turnId, cardId: card.id }, card, actions)}
		${card.approval ? keyed(card.approval.requestId, renderApproval(card.approval, actions)) : nothing}
		${card.question ? keyed(card.question.requestId, renderModelQuestion(card.question, actions)) : nothing}
	</section>`;
}

/** Renders the line. It doesn't expand if there are no details, or none that aren't shown below. */
function renderFold(card: ToolCardView): TemplateResult {
	const facts = [
		// The title contains the name of a server's tool.
		card.name.startsWith("mcp_") ? "" : card.name,
		...(card.durationMs === undefined ? [] : [durationWords(card.durationMs)]),
	].filter(fact => fact !== "");
	const isEmpty = facts.length === 0 && card.argumentsText === "" && card.result === undefined;
	return isEmpty || card.approval?.external
		? html`<div class="call-line">${renderLine(card)}</div>`
		: html`<details class="tool-fold">
				<summary class="call-line">${renderLine(card)}${icon("chevron-right")}</summary>
				<div class="tool-inside">
					<span class="tool-facts">${facts.join(" · ")}</span>
					${card.argumentsText === "" ? nothing : renderText(l10n.t("Arguments"), card.argumentsText)}
					${card.result === undefined ? nothing : renderText(l10n.t("Result"), card.result)}
				</div>
			</details>`;
}

function renderLine(card: ToolCardView): TemplateResult {
	const { state, change, title } = card;
	// An open question is shown below.
	const line = (card.question ? undefined : card.line) ?? title;
	const [iconName] = states[state];
	const reason = card.note ?? card.reason;
	const isPlain = plainStates.has(state) && change !== "undone";
	return html`${icon(iconName)}<span class="tool-words"
			><span class="tool-title">${line}</span>${renderCounts(card)}
			<span class=${isPlain ? "screen-reader-only" : "tool-state"}
				>${stateWords(card)}${reason === undefined ? "" : ` · ${reason}`}</span
			></span
		>`;
}

/** Renders the lines that a call read as a link, at the end of the row. */
function renderLines(
	{ lines }: ToolCardView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (!lines) {
		return nothing;
	}
	const { path, first, last = first } = lines;
	return html`<button
		type="button"
		class="link-button tool-lines"
		title=${path}
		@click=${() => actions.ask("openFile", { label: path, line: first, endLine: last })}
	>
		${last > first ? l10n.t("lines {0} to {1}", first, last) : l10n.t("line {0}", first)}
	</button>`;
}

/** Renders the number of added and removed lines of a change that is proposed or in effect. */
function renderCounts(card: ToolCardView): TemplateResult | typeof nothing {
	const made = card.change === "undone" ? undefined : card.counts;
	const { added, removed } = card.approval?.counts ?? made ?? { added: 0, removed: 0 };
	if (added + removed === 0) {
		return nothing;
	}
	return html`<span class="tool-counts" aria-hidden="true"
			>${added > 0 ? html`<ins>+${added}</ins>` : nothing}${removed > 0 ? html`<del>−${removed}</del>` : nothing}</span
		><span class="screen-reader-only"
			>${l10n.t("Lines added: {0}, removed: {1}", added, removed)}</span
		>`;
}

/** Describes the call's state. */
function stateWords({ name, state, change, note, question }: ToolCardView): string {
	if (question) {
		return l10n.t("Your answer is needed");
	}
	if (change === "undone") {
		return isUndoCard({ name }) ? l10n.t("Redone") : l10n.t("Undone");
	}
	// A call with a note has its own label.
	return state === "stopped" && note !== undefined ? l10n.t("Result lost") : states[state][1]();
}

function durationWords(ms: number): string {
	const tenths = Math.round(ms / 100);
	return tenths < 1
		? l10n.t("under {0} s", formatDecimal(0.1, 1))
		: ms < 60_000
			? l10n.t("{0} s", formatDecimal(tenths / 10, tenths % 10 === 0 ? 0 : 1))
			: formatElapsed(ms);
}

/** Renders actions on a running call, or on the change it made. */
function renderOffers(
	place: CardLocation,
	{ name, state, change }: ToolCardView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	const undo = isUndoCard({ name }) ? l10n.t("Redo") : l10n.t("Undo");
	if (state === "running") {
		return renderOfferRow(renderOffer(l10n.t("Cancel"), () => actions.ask("cancelTool", place)));
	}
	return change === undefined || change === "undone"
		? nothing
		: renderOfferRow(
				change === "applied" ? renderOffer(undo, () => actions.ask("undoTool", place)) : nothing,
				isUndoCard({ name })
					? nothing
					: renderOffer(l10n.t("Changed files"), () => actions.ask("showChangedFiles", {})),
			);
}

function renderOfferRow(...offers: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
	return html`<div class="tool-offers">${offers}</div>`;
}

function renderOffer(words: string, onClick: () => void): TemplateResult {
	return html`<button type="button" class="tool-offer link-button" @click=${onClick}>
		${words}
	</button>`;
}

function renderText(title: string, text: string): TemplateResult {
	return html`<details class="tool-text" open>
		<summary>${title}</summary>
		<pre tabindex="0">${text}</pre>
	</details>`;
}
