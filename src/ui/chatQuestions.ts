import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatSession } from "../chat/chatSession.ts";
import { continuationOf } from "../chat/continuation.ts";
import { wasRefusedForFiles } from "../chat/fileRefusal.ts";
import type { Turn } from "../chat/turn.ts";
import { assertNever } from "../common/assertNever.ts";
import type { TurnAction } from "../protocol/chat.ts";
import type { ChatAttachments } from "./chatAttachments.ts";
import { turnView } from "./chatViewModel.ts";
import type { QuestionOptions } from "./questionOptions.ts";
import { createQuestionPreparation } from "./questionPreparation.ts";
import { startedTurn } from "./startedTurn.ts";

/** What asking works with; the session is the one that is shown at that moment. */
export interface ChatQuestionsContext {
	readonly session: () => ChatSession;
	readonly isLocal: () => boolean;
	readonly attachments: ChatAttachments;
	/** What the next question is asked with. */
	readonly options: QuestionOptions;
	/** Hears which chat a question was asked in. */
	readonly onSent: (chatId: string) => void;
	/** Takes words that go back into the composer. */
	readonly onEdit: (text: string) => void;
}

/** What asks: first questions, the same ones again, and what stands below a failed answer. */
export interface ChatQuestions {
	/**
	 * Asks a question, with what is attached. Throws with the reason when it was not sent, so that the words can go back to the
	 * composer, where the attachments still are.
	 */
	send(text: string): Promise<string>;
	/** Asks the last question again, with the composer's model and switches as they are now. */
	retry(turnId: string): Promise<void>;
	/** Runs an action that the status of the turn offers now; any other is refused. */
	runAction(turnId: string, action: TurnAction): Promise<void>;
	/** Ends the reading and uploading of a question's attachments, while that is under way. */
	stopPreparing(): void;
}

/** A turn of a session. Throws the sentence for one that is not in it. */
export function turnOf(session: ChatSession, turnId: string): Turn {
	const turn = session.turns.find(candidate => candidate.id === turnId);
	if (!turn) {
		throw new Error(l10n.t("This question is not in the chat that is shown."));
	}
	return turn;
}

/** Makes what asks in the chat that is shown. */
export function createChatQuestions(context: ChatQuestionsContext): ChatQuestions {
	const { attachments, options } = context;
	const preparation = createQuestionPreparation();
	const send = (text: string): Promise<string> => {
		const session = context.session();
		return preparation.run(session.isBusy, async signal => {
			await options.settled();
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const prepared = await attachments.prepare(earlier, signal);
			const turnId = startedTurn(await session.send(text, await options.settled(), prepared));
			attachments.clear();
			context.onSent(session.id);
			return turnId;
		});
	};
	const askAgain = async (turnId: string, how: "retry" | "resume"): Promise<void> => {
		const session = context.session();
		await preparation.run(session.isBusy, async signal => {
			const turn = turnOf(session, turnId);
			const before = session.turns.slice(0, session.turns.indexOf(turn));
			const renewed = await attachments.renew(turn.attachments, {
				earlier: before.flatMap(({ attachments: sent }) => sent),
				areForgotten: wasRefusedForFiles(turn),
				signal,
			});
			startedTurn(await session[how](turnId, await options.settled(), renewed));
		});
	};
	return {
		send,
		retry: turnId => askAgain(turnId, "retry"),
		runAction: (turnId, action) => runAction(context, askAgain, turnId, action),
		stopPreparing: () => preparation.stop(),
	};
}

async function runAction(
	{ session, isLocal, attachments, onEdit }: ChatQuestionsContext,
	askAgain: (turnId: string, how: "retry" | "resume") => Promise<void>,
	turnId: string,
	action: TurnAction,
): Promise<void> {
	const turn = turnOf(session(), turnId);
	if (!turnView(turn, isLocal()).status.actions.includes(action)) {
		throw new Error(l10n.t("This action is no longer offered."));
	}
	switch (action) {
		case "tryAgain":
		case "sendAgain":
			// What tools did is not done again; the request that failed is made again with their results.
			return askAgain(turnId, continuationOf(turn) ? "resume" : "retry");
		case "showError":
			startedTurn(await session().showError(turnId));
			return;
		case "edit":
			onEdit(turn.prompt);
			await attachments.addAgain(turn.attachments);
			return;
		case "setApiKey":
		case "connect":
		case "useLocalService":
		case "showLog":
			await vscode.commands.executeCommand(`cutaway.${action}`);
			return;
		default:
			assertNever(action);
	}
}
