import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { ChatViewState, MessageView, TurnView } from "../../src/protocol/chat.ts";
import { iconButton } from "./icon.ts";
import { type MessageContext, renderAnswer, renderQuestion } from "./message.ts";
import { renderStatusLine } from "./statusLine.ts";
import { renderToolCard } from "./toolCard.ts";
import { renderVideoCards } from "./videoCard.ts";

/** The conversation, from turn number `first` on: what lies before is made when the reader comes near it. */
export function renderMessageList(
	state: ChatViewState,
	first: number,
	context: MessageContext,
): TemplateResult {
	const last = state.turns.at(-1);
	return html`${
		first > 0
			? html`<button type="button" class="show-earlier" @click=${context.actions.showEarlier}>
					${l10n.t("Show earlier messages")}
				</button>`
			: nothing
	}
	${repeat(
		state.turns.slice(first),
		turn => turn.id,
		turn => guard([turn, turn === last], () => renderTurn(turn, turn === last, context)),
	)}`;
}

/** The result of a tool is on its card. */
function isToolResult({ role }: MessageView): boolean {
	return role === "tool" || role === "function";
}

function renderCards(turn: TurnView, after: number, { actions }: MessageContext): unknown {
	const cards = (turn.tools ?? []).filter(card => card.after === after);
	return repeat(
		cards,
		card => card.id,
		card => renderToolCard(turn.id, card, actions),
	);
}

function renderTurn(turn: TurnView, isLast: boolean, context: MessageContext): TemplateResult {
	const canRetry = isLast && turn.status.state !== "streaming";
	// A turn without an answer has its own buttons to ask again where that makes sense.
	const isBare = turn.messages.length === 0 && turn.status.actions.length === 0;
	return html`<div class="turn" data-turn=${turn.id}>
		${renderQuestion(turn, context)} ${renderCards(turn, 0, context)}
		${repeat(
			turn.messages,
			message => message.index,
			message =>
				html`${
					isToolResult(message)
						? nothing
						: renderAnswer(turn, message, canRetry && message === turn.messages.at(-1), context)
				}${renderCards(turn, message.index + 1, context)}`,
		)}
		${renderStatusLine(turn, context.actions)}
		${
			canRetry && isBare
				? html`<div class="message-actions">
						${iconButton("refresh", l10n.t("Retry"), () => context.actions.retry(turn.id))}
					</div>`
				: nothing
		}
		${renderVideoCards(turn.videos, context.actions)}
	</div>`;
}
