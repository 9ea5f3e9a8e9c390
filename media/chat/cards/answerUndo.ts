import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { TurnView } from "../../../src/shared/chat.ts";
import type { ToolCardView } from "../../../src/shared/tools.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";

/** Whether a card is about undoing an answer's changes. */
export function isUndoCard({ name }: Pick<ToolCardView, "name">): boolean {
	return name === "undo_answer";
}

/** Counts the changes by tools for a question that were not undone. */
export function countChanges({ tools = [] }: Pick<TurnView, "tools">): number {
	return tools.filter(
		card => !isUndoCard(card) && (card.change === "applied" || card.change === "appliedForGood"),
	).length;
}

/** Renders “Undo 3 changes” at the end of an answer, unless it is running, a request for that is open, or a single change has its own “Undo”. */
export function renderAnswerUndo(
	turn: TurnView,
	actions: Pick<ChatActions, "ask">,
): TemplateResult | typeof nothing {
	const count = countChanges(turn);
	const isAsked = turn.tools?.some(
		card => isUndoCard(card) && ["waiting", "asking", "running"].includes(card.state),
	);
	if (count < 2 || isAsked || turn.status.state === "streaming") {
		return nothing;
	}
	const hint = turn.tools?.some(({ change }) => change === "appliedForGood")
		? l10n.t("Files over 1 MiB weren't kept and can't be undone")
		: l10n.t("Shows the differences and asks first");
	return html`<div class="answer-undo">
		<button
			type="button"
			class="button"
			title=${hint}
			@click=${() => actions.ask("undoAnswer", { turnId: turn.id, isOnwards: false })}
		>
			${icon("discard")}<span>${l10n.t("Undo {0} changes", count)}</span>
		</button>
	</div>`;
}
