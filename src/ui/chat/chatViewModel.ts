import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import { continuationOf } from "../../chat/tools/continuation.ts";
import { clickRound, placeOfCall } from "../../chat/turn/toolRecord.ts";
import { isWaitingForContinuation, canContinue } from "../../chat/turn/continuedAnswer.ts";
import type { Thought, Turn } from "../../chat/turn/turn.ts";
import { formatCount } from "../../shared/locale.ts";
import type { MessageView, ThoughtView, TurnStatus, TurnView } from "../../shared/chat.ts";
import type { ToolCardView } from "../../shared/tools.ts";
import type { VideoCard } from "../../shared/video.ts";
import { formatWait } from "../base/failureAdvice.ts";
import { sentAttachment } from "../attachments/attachmentView.ts";
import type { ToolCardStore } from "../tools/toolCardStore.ts";
import { turnStatus } from "./turnStatus.ts";

/** A turn as the view shows it, without the videos that belong to it: those are known elsewhere. */
export function turnView(
	turn: Turn,
	isLocal: boolean,
	tools: readonly ToolCardView[] = [],
): TurnView {
	return {
		...(tools.length > 0 ? { tools: [...tools] } : {}),
		id: turn.id,
		prompt: turn.prompt,
		attachments: turn.attachments.map(sentAttachment),
		...answererView(turn),
		createdAt: turn.createdAt,
		messages: turn.messages.map(messageView),
		...(turn.thoughts ? { thoughts: turn.thoughts.map(each => thoughtView(each, turn)) } : {}),
		...usageView(turn),
		status: statusView(turn, isLocal),
		videos: [],
	};
}

/** Who answers the attempt under way, or answered the last one. */
export function answererView({
	options: { model, isDemo },
}: Pick<Turn, "options">): Pick<TurnView, "model" | "isDemo"> {
	return { model, ...(isDemo ? { isDemo: true } : {}) };
}

/** Dependencies of showing turns. */
interface ShownTurnsDependencies {
	readonly session: Pick<ChatSession, "turns" | "versionsOf">;
	readonly isLocal: boolean;
	readonly cards: Pick<ToolCardStore, "cardsOf">;
	/** The videos of the chat. */
	readonly videos: readonly VideoCard[];
}

/** The turns of a chat as the view shows them, or those behind one of them. */
export function shownTurns(dependencies: ShownTurnsDependencies, after?: string): TurnView[] {
	const { turns } = dependencies.session;
	const first = after === undefined ? 0 : turns.findLastIndex(({ id }) => id === after) + 1;
	return turns.slice(first).map(turn => shownTurn(dependencies, turn));
}

function shownTurn(
	{ session, isLocal, cards, videos }: ShownTurnsDependencies,
	turn: Turn,
): TurnView {
	const { ids, index } = session.versionsOf(turn.id);
	return {
		...turnView(turn, isLocal, cards.cardsOf(turn)),
		...(ids.length > 1 ? { version: { number: index + 1, count: ids.length } } : {}),
		videos: videos.filter(({ turnId }) => turnId === turn.id),
	};
}

/** The Markdown of a message, or the question's text for `index` -1. Throws the sentence for a message that is not there. */
export function sourceOf(turn: Turn, index: number): string {
	const text = index === -1 ? turn.prompt : turn.messages[index]?.text;
	if (text === undefined) {
		throw new Error(l10n.t("This message doesn't exist."));
	}
	return text;
}

/** A message of an answer as the view shows it. */
export function messageView(message: Turn["messages"][number], index: number): MessageView {
	return {
		index,
		role: message.role,
		text: message.text,
		isFinished: message.isFinished,
		toolNames: [...message.toolNames],
	};
}

/** Thoughts of the model as the view shows them; in a step, the text that came. */
export function thoughtView(
	{ after, text, durationMs }: Thought,
	{ progress }: Pick<Turn, "progress">,
): ThoughtView {
	const isOver = durationMs !== undefined || progress.state !== "streaming";
	const done =
		durationMs === undefined
			? l10n.t("Thought")
			: l10n.t("Thought for {0}", formatWait(durationMs));
	return { after, text, label: isOver ? done : l10n.t("Thinking…"), isOver };
}

/** The tokens of an answer in words, as far as the model's server reported them, and the project's instructions that were sent for it. */
export function usageView({ usage = {}, options }: Pick<Turn, "usage" | "options">): {
	usage?: string;
} {
	const { input, output, perSecond } = usage;
	const names = options.instructions?.map(({ name }) => name) ?? [];
	const parts = [
		...(input === undefined ? [] : [l10n.t("{0} tokens in", inWords(input))]),
		...(output === undefined ? [] : [l10n.t("{0} tokens out", inWords(output))]),
		...(perSecond === undefined ? [] : [l10n.t("{0} tokens per second", inWords(perSecond))]),
		...(names.length === 0
			? []
			: [
					options.isClaimed
						? l10n.t("Sent with {0}, according to the imported file", names.join(", "))
						: l10n.t("Sent with {0}", names.join(", ")),
				]),
	];
	return parts.length === 0 ? {} : { usage: parts.join(" · ") };
}

function inWords(count: number): string {
	return formatCount(count < 10 ? Math.round(count * 10) / 10 : Math.round(count));
}

/**
 * A turn's state. An answer that was cut off can go on. Once a tool has answered or was about to change something, or the
 * answer went on once, «Show the error» is not offered, because asking the same question once more would ask for all of it again (row U18); going on from the results is.
 */
export function statusView(turn: Turn, isLocal: boolean): TurnStatus {
	const bare = turnStatus(turn.progress, hasText(turn), isLocal);
	const status = canContinue(turn) ? withContinue(bare, turn) : bare;
	const keepsWork = hasToolWork(turn) || turn.continuedAt !== undefined;
	if (!status.actions.includes("showError") || !keepsWork) {
		return status;
	}
	const others = status.actions.filter(action => action !== "showError");
	const again = isLocal ? "tryAgain" : "sendAgain";
	return { ...status, actions: others.includes(again) ? others : [...others, again] };
}

/**
 * An answer that was cut off can go on first of all: that loses nothing and asks for the least. Where nothing came of going
 * on, trying that again is what «Try again» does.
 */
function withContinue(status: TurnStatus, turn: Turn): TurnStatus {
	const isAgain = status.actions.some(action => action === "tryAgain" || action === "sendAgain");
	return isWaitingForContinuation(turn) && isAgain
		? status
		: { ...status, actions: ["continue", ...status.actions] };
}

/** Whether tools did something for the answer that is not to be done again. */
function hasToolWork(turn: Turn): boolean {
	const hasStarted = turn.startedTools?.some(
		({ callId }) => placeOfCall(callId).round !== clickRound,
	);
	return hasStarted === true || continuationOf(turn) !== undefined;
}

/** Whether any text of the answer has come. */
function hasText(turn: Turn): boolean {
	return turn.messages.some(message => message.text !== "");
}
