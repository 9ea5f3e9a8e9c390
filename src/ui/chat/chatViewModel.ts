import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import { continuationOf } from "../../chat/toolLoop/continuation.ts";
import { clickRound, placeOfCall } from "../../chat/contract/toolRecord.ts";
import { isWaitingForContinuation, canContinue } from "../../chat/contract/answerDetail.ts";
import type { AnswerNote } from "../../client/contract/schemas.ts";
import type { Thought, Turn } from "../../chat/contract/turn.ts";
import { formatCount } from "../../shared/locale.ts";
import type {
	MessageView,
	NoteView,
	ThoughtView,
	TurnStatus,
	TurnView,
} from "../../shared/chat.ts";
import type { ToolCardView } from "../../shared/tools.ts";
import type { VideoCard } from "../../shared/videoCard.ts";
import { formatWait } from "../../client/contract/failureSentence.ts";
import { sentAttachment } from "../attachments/attachmentView.ts";
import { type Finding, findingsIn } from "../tools/findings.ts";
import { describeRequests } from "../tools/toolCards.ts";
import type { ToolCardStore } from "../tools/toolCardStore.ts";
import { shownPromptLength } from "./reviewQuestion.ts";
import { turnStatus } from "./turnStatus.ts";

/** Converts a turn for the view, without its videos. */
export function turnView(
	turn: Turn,
	isLocal: boolean,
	tools: readonly ToolCardView[] = [],
): TurnView {
	const shownLength = shownPromptLength(turn.prompt);
	return {
		...(tools.length > 0 ? { tools: [...tools] } : {}),
		id: turn.id,
		prompt: turn.prompt,
		...(shownLength === undefined ? {} : { shownLength }),
		attachments: turn.attachments.map(sentAttachment),
		...answererView(turn),
		createdAt: turn.createdAt,
		messages: turn.messages.map(messageView),
		...(turn.thoughts ? { thoughts: turn.thoughts.map(each => thoughtView(each, turn)) } : {}),
		...usageView(turn),
		...notesView(turn),
		status: statusView(turn, isLocal),
		videos: [],
	};
}

/** Returns the model of the current or last attempt. */
export function answererView({
	options: { model, isDemo },
}: Pick<Turn, "options">): Pick<TurnView, "model" | "isDemo"> {
	return { model, ...(isDemo ? { isDemo: true } : {}) };
}

interface ShownTurnsDependencies {
	readonly session: Pick<ChatSession, "turns" | "versionsOf">;
	readonly isLocal: boolean;
	readonly cards: Pick<ToolCardStore, "cardsOf">;
	readonly videos: readonly VideoCard[];
}

/** Converts the turns of a chat for the view, or those after one of them. */
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

/** Returns the Markdown of a message, or the question's text for `index` -1. Throws an error with a message for the user if it doesn't exist. */
export function sourceOf(turn: Turn, index: number): string {
	const text = index === -1 ? turn.prompt : turn.messages[index]?.text;
	if (text === undefined) {
		throw new Error(l10n.t("This is no longer available."));
	}
	return text;
}

export function messageView(message: Turn["messages"][number], index: number): MessageView {
	return {
		index,
		role: message.role,
		text: message.text,
		isFinished: message.isFinished,
		toolNames: describeRequests(message, index),
	};
}

/** Converts thinking for the view. In a step, `text` is the new text. */
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

/** Describes the reported tokens of an answer and the project's instructions sent for it. */
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

/** Describes what the model was asked without, and what isn't shown. An empty list replaces the notes about another model. */
export function notesView({ notes = [] }: Pick<Turn, "notes">): Pick<TurnView, "notes"> {
	return { notes: notes.map(noteView) };
}

function noteView({ kind, names, text }: AnswerNote): NoteView {
	switch (kind) {
		case "unreadCall":
			return {
				text: l10n.t(
					"A tool call was not run: the model's server passed it on as text that can't be read. It needs the parser for this model, such as --tool-call-parser in vLLM or --jinja in llama.cpp.",
				),
				...(text === undefined ? {} : { more: text }),
			};
		case "noTools":
			return { text: l10n.t("Tools left out: this model can't use them") };
		case "noImages":
			return { text: l10n.t("Images left out: this model can't see them") };
		case "noThinking":
			return { text: l10n.t("Thinking left out: the model's server doesn't allow it with tools") };
		case "withoutParameter": {
			const name = names.join(", ");
			return { text: l10n.t("“{0}” left out: the model's server doesn't accept it", name) };
		}
		case "refusedTools": {
			const name = names.join(", ");
			return {
				text: l10n.t("{0} left out: the model's server doesn't accept its parameters", name),
			};
		}
		case "fewerTools":
			return {
				text:
					names.length === 1
						? l10n.t("1 tool left out: too many for this model")
						: l10n.t("{0} tools left out: too many for this model", names.length),
				more: names.join(", "),
			};
	}
}

function inWords(count: number): string {
	return formatCount(count < 10 ? Math.round(count * 10) / 10 : Math.round(count));
}

/**
 * Returns a turn's status. A truncated answer offers Continue. After a tool has answered or may have changed something, or the answer was continued,
 * “Show the error” isn't offered, because it would repeat all of that; continuing from the results is.
 */
export function statusView(turn: Turn, isLocal: boolean): TurnStatus {
	const findings = turn.progress.state === "streaming" ? 0 : findingsOf(turn).length;
	return { ...answerStatus(turn, isLocal), ...(findings === 0 ? {} : { findings }) };
}

/** Returns the findings in the answer to a question about a change. */
export function findingsOf({ attachments, messages }: Turn): readonly Finding[] {
	const isReview = attachments.some(each => each.kind === "text" && each.source === "changes");
	return isReview ? findingsIn(messages.map(({ text }) => text).join("\n\n")) : [];
}

function answerStatus(turn: Turn, isLocal: boolean): TurnStatus {
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

/** Offers Continue first for a truncated answer, which costs least. If that brought nothing, “Try again” repeats it. */
function withContinue(status: TurnStatus, turn: Turn): TurnStatus {
	const isAgain = status.actions.some(action => action === "tryAgain" || action === "sendAgain");
	return isWaitingForContinuation(turn) && isAgain
		? status
		: { ...status, actions: ["continue", ...status.actions] };
}

/** Whether tools did something for the answer that must not be repeated. */
function hasToolWork(turn: Turn): boolean {
	const hasStarted = turn.startedTools?.some(
		({ callId }) => placeOfCall(callId).round !== clickRound,
	);
	return hasStarted === true || continuationOf(turn) !== undefined;
}

function hasText(turn: Turn): boolean {
	return turn.messages.some(message => message.text !== "");
}
