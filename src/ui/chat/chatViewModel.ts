import * as l10n from "@vscode/l10n";
import { continuationOf } from "../../chat/tools/index.ts";
import {
	clickRound,
	placeOfCall,
	isWaitingForContinuation,
	canContinue,
	type Turn,
} from "../../chat/turn/index.ts";
import type { ToolCardView, MessageView, TurnStatus, TurnView } from "../../shared/index.ts";
import { sentAttachment } from "../attachments/index.ts";
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
		model: turn.options.model,
		createdAt: turn.createdAt,
		messages: turn.messages.map(messageView),
		status: statusView(turn, isLocal),
		videos: [],
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

/**
 * A turn's state. An answer that was cut off can go on. Once a tool has answered or was about to change something, or the answer went on once, «Show the error» is not offered, because asking
 * the same question once more would ask for all of it again (row U18); going on from the results is.
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
