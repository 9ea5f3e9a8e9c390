import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import { hasContent, type Turn } from "../../chat/turn/turn.ts";
import type { ChatQuestions } from "./chatQuestions.ts";
import type { QuestionSettings } from "./questionSettings.ts";

export interface SummaryDependencies {
	readonly session: ChatSession;
	readonly questions: Pick<ChatQuestions, "sendQueued">;
	readonly options: Pick<QuestionSettings, "settled">;
}

/**
 * Requests a summary of a chat as a separate message, without the composer's text and attachments. Resolves to the first text of a chat that
 * continues from it, or undefined if the answer is incomplete. Throws an error with a message for the user if nothing was sent.
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

/** Waits for the end of a turn's answer. Leaving the chat ends it, too. */
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
