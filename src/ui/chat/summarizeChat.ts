import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import { hasContent, type Turn } from "../../chat/turn/turn.ts";
import type { ChatQuestions } from "./chatQuestions.ts";
import type { QuestionSettings } from "./questionSettings.ts";

/** Dependencies of summarizing the chat that is shown. */
export interface SummaryDependencies {
	readonly session: ChatSession;
	readonly questions: Pick<ChatQuestions, "sendQueued">;
	readonly options: Pick<QuestionSettings, "settled">;
}

/**
 * Asks for a summary of a chat, as a message of its own; what is attached or written in the composer stays there. Resolves with
 * the words a chat that goes on from it begins with, or undefined where the answer did not come whole. Throws the sentence when
 * nothing was asked.
 */
export async function summarizeChat({
	session,
	questions,
	options,
}: SummaryDependencies): Promise<string | undefined> {
	if (!session.turns.some(hasContent)) {
		throw new Error(l10n.t("This chat has no answers to summarize."));
	}
	const chosen = await options.settled();
	if (chosen.isDemo) {
		throw new Error(l10n.t("The demo can't summarize. Choose a model first."));
	}
	const id = await questions.sendQueued({
		id: randomUUID(),
		text: l10n.t(
			"Summarize this chat so that another one can go on from the summary: the goal, what was decided and why, the state of the work with the names of files, and what is still open. Use no tools.",
		),
		options: { ...chosen, serverTools: [] },
		attachments: [],
	});
	const { progress, messages } = await endOf(session, id);
	const summary = messages.findLast(({ role, text }) => role === "assistant" && text !== "")?.text;
	return progress.state === "complete" && summary !== undefined
		? `${l10n.t("Summary of an earlier chat:")}\n\n${summary.trim()}\n\n`
		: undefined;
}

/** The turn once its answer is over; a chat that is left ends its answer, too. */
function endOf(session: ChatSession, id: string): Promise<Turn> {
	return new Promise(resolve => {
		const look = (): boolean => {
			const turn = session.turns.find(each => each.id === id);
			const isOver = turn !== undefined && turn.progress.state !== "streaming";
			if (isOver) {
				resolve(turn);
			}
			return isOver;
		};
		const listener = session.onDidChange(() => {
			if (look()) {
				listener.dispose();
			}
		});
		if (look()) {
			listener.dispose();
		}
	});
}
