import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { ChatViewState, MessageView, TurnView } from "../../../src/shared/chat.ts";
import { isDemoRefusal, renderDemoOffer } from "./demoOffer.ts";
import { iconButton } from "../../shared/icon.ts";
import {
	endsWithNotes,
	isLeftOut,
	type MessageDependencies,
	type MessagePosition,
	type QuestionPosition,
	renderAnswer,
	renderQuestion,
	renderThinking,
} from "./message.ts";
import { renderNotes, renderStatusLine } from "./statusLine.ts";
import { countChanges, renderAnswerUndo } from "../cards/answerUndo.ts";
import { renderCallGroups, groupCalls } from "../cards/callGroups.ts";
import { renderVideoCards } from "../cards/videoCard.ts";
import type { WindowPiece } from "../scroll/turnWindow.ts";

/** Renders the conversation from `pieces`. */
export function renderMessageList(
	state: ChatViewState,
	pieces: readonly WindowPiece[],
	dependencies: MessageDependencies,
): TemplateResult {
	const last = state.turns.length - 1;
	const places = placesOf(state.turns);
	const idOf = (index: number): string => state.turns[index]?.id ?? "";
	return html`${repeat(
		pieces,
		piece => (piece.kind === "gap" ? `before ${idOf(piece.to)}` : `turn ${idOf(piece.index)}`),
		piece => {
			const turn = piece.kind === "turn" ? state.turns[piece.index] : undefined;
			if (piece.kind === "gap" || !turn) {
				return piece.kind === "gap" ? renderGap(piece, idOf(piece.from), dependencies) : nothing;
			}
			const { index } = piece;
			const edit = dependencies.edits.of(turn.id);
			const hasChanges = edit !== undefined && state.turns.slice(index).some(countChanges);
			const position = places[index] ?? 1;
			const place = { position, total: (places.at(-1) ?? 1) - 1, hasChanges };
			const collapsed = dependencies.collapsed.of(turn.id);
			const isLast = index === last;
			const offer = isLast && isDemoRefusal(turn, state.composer) ? state.composer : undefined;
			const depends = [turn, isLast, ...Object.values(place), edit, collapsed, offer];
			return guard(depends, () => renderTurn(turn, isLast, place, dependencies, offer));
		},
	)}`;
}

/** Renders messages that aren't in the page. Scrolling renders them; a screen reader, which doesn't scroll, gets a button. */
function renderGap(
	{ from, pixels }: Extract<WindowPiece, { readonly kind: "gap" }>,
	firstId: string,
	{ actions }: MessageDependencies,
): TemplateResult {
	return html`<div class="gap" .style=${`block-size: ${pixels}px`}>
		<button
			type="button"
			class="screen-reader-only"
			tabindex="-1"
			@click=${() => actions.showMessages(firstId)}
		>
			${from === 0 ? l10n.t("Show earlier messages") : l10n.t("Show the messages in between")}
		</button>
	</div>`;
}

const placesOfTurns = new WeakMap<readonly TurnView[], readonly number[]>();

/** Returns the position of each turn's first message among all messages, counted from 1, and finally the next position. */
function placesOf(turns: readonly TurnView[]): readonly number[] {
	const known = placesOfTurns.get(turns);
	if (known) {
		return known;
	}
	let next = 1;
	const places = turns.map(turn => {
		const place = next;
		next += 1 + shownMessages(turn).length;
		return place;
	});
	places.push(next);
	placesOfTurns.set(turns, places);
	return places;
}

/** Returns the messages that have their own articles. */
function shownMessages(turn: TurnView): readonly MessageView[] {
	return turn.messages.filter(message => !isToolResult(message) && !isLeftOut(turn, message));
}

/** The result of a tool is shown on its card. */
function isToolResult({ role }: MessageView): boolean {
	return role === "tool" || role === "function";
}

/** Renders a turn: the question, the answer, its state and the videos. */
export function renderTurn(
	turn: TurnView,
	isLast: boolean,
	place: QuestionPosition,
	dependencies: MessageDependencies,
	offer?: ChatViewState["composer"],
): TemplateResult {
	const shown = shownMessages(turn);
	const positionOf = (message: MessageView): MessagePosition => ({
		position: place.position + 1 + shown.indexOf(message),
		total: place.total,
	});
	const groups = groupCalls(
		turn,
		message =>
			shown.includes(message) && (message === turn.messages[0] || message.text.trim() !== ""),
	);
	const renderCards = (after: number): unknown =>
		renderCallGroups(turn.id, groups.get(after), dependencies.actions);
	const canRetry = turn.status.state !== "streaming";
	// A turn without an answer has its own buttons for asking again.
	const isBare = turn.messages.length === 0 && turn.status.actions.length === 0;
	return html`<div class="turn" data-turn=${turn.id}>
		${renderQuestion(turn, place, dependencies)} ${renderCards(0)}
		${repeat(
			turn.messages,
			message => message.index,
			message =>
				html`${
					isToolResult(message)
						? nothing
						: renderAnswer(
								turn,
								message,
								canRetry && message === turn.messages.at(-1),
								positionOf(message),
								dependencies,
							)
				}${renderCards(message.index + 1)}`,
		)}
		${renderThinking(turn, dependencies.answers)}
		${endsWithNotes(turn) ? nothing : renderNotes(turn)}
		${renderStatusLine(turn, isLast, dependencies.actions)}
		${renderAnswerUndo(turn, dependencies.actions)}
		${offer ? renderDemoOffer(offer, dependencies.actions) : nothing}
		${
			canRetry && isLast && isBare
				? html`<div class="message-actions">
						${iconButton("refresh", l10n.t("Retry"), () => dependencies.actions.ask("retryTurn", { turnId: turn.id }))}
					</div>`
				: nothing
		}
		${renderVideoCards(turn.videos, dependencies.actions)}
	</div>`;
}
