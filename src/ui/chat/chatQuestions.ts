import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatSession } from "../../chat/index.ts";
import type { TurnAttachment } from "../../attachments/index.ts";
import { continuationOf } from "../../chat/tools/index.ts";
import {
	wasRefusedForFiles,
	isWaitingForContinuation,
	hasContent,
	type Turn,
} from "../../chat/turn/index.ts";
import type { QueuedMessage } from "../../chat/queue/index.ts";
import { assertNever } from "../../common/assertNever.ts";
import type { TurnAction } from "../../shared/index.ts";
import type { ChatAttachments } from "../attachments/index.ts";
import { turnView } from "./chatViewModel.ts";
import type { QuestionSettings } from "./questionSettings.ts";
import { QuestionPreparation } from "./questionPreparation.ts";
import { startedTurn } from "./startedTurn.ts";

/** Dependencies of asking; the session is the one that is shown at that moment. */
export interface ChatQuestionsDependencies {
	readonly session: () => ChatSession;
	readonly isLocal: () => boolean;
	readonly attachments: ChatAttachments;
	/** Options of the next question. */
	readonly options: QuestionSettings;
	/** Hears which chat a question was asked in. */
	readonly onSent: (chatId: string) => void;
	/** Hears that a question was started and not asked after all. */
	readonly onNotAsked: () => void;
	/** Takes words that go back into the composer. */
	readonly onEdit: (text: string) => void;
}

/** Asks questions: first ones, the same ones again, and what is below a failed answer. */
export interface ChatQuestions {
	/**
	 * Asks a question, with what is attached. Throws with the reason when it was not sent, so that the words can go back to the
	 * composer, where the attachments still are.
	 */
	send(text: string): Promise<string>;
	/**
	 * Asks a question again, with the switches of the composer as they are now and its model unless another is named. An
	 * answer it had stays as another version.
	 */
	retry(turnId: string, model?: string): Promise<void>;
	/** Asks a question in other words, as another version, without some of what it came with (counted from 0). */
	edit(turnId: string, text: string, without: readonly number[]): Promise<void>;
	/** Shows the version of a question before (-1) or behind (1) the one that is shown; does nothing at the ends. */
	showVersion(turnId: string, step: 1 | -1): void;
	/** Runs an action that the status of the turn offers now; any other is refused. */
	runAction(turnId: string, action: TurnAction): Promise<void>;
	/** Asks a message that waited, as it was when it was written. Throws with the reason when it was not sent. */
	sendQueued(message: QueuedMessage): Promise<string>;
	/** Whether a question's attachments are being read or uploaded, or its record is being written. */
	readonly isPreparing: boolean;
	/** Ends the reading and uploading of a question's attachments, while that is under way. */
	stopPreparing(): void;
}

/** A turn of a session. Throws the sentence for one that is not in it. */
export function turnOf(session: ChatSession, turnId: string): Turn {
	const turn = session.turns.find(candidate => candidate.id === turnId);
	if (!turn) {
		throw new Error(l10n.t("This message isn't in the open chat."));
	}
	return turn;
}

/** Makes what asks in the chat that is shown. */
export function createChatQuestions(dependencies: ChatQuestionsDependencies): ChatQuestions {
	const { attachments, options } = dependencies;
	const preparation = new QuestionPreparation(dependencies.onNotAsked);
	const send = (text: string): Promise<string> => {
		const session = dependencies.session();
		return preparation.run(session.isBusy, async signal => {
			await options.settled();
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const prepared = await attachments.prepare(earlier, signal);
			const turnId = startedTurn(await session.send(text, await options.settled(), prepared));
			attachments.clear();
			dependencies.onSent(session.id);
			return turnId;
		});
	};
	const askAgain = createAskAgain(dependencies, preparation);
	const retry = (turnId: string, model?: string): Promise<void> =>
		askAgain(
			turnId,
			leavesNothing(dependencies.session(), turnId) ? "retry" : "version",
			model === undefined ? {} : { model },
		);
	return {
		send,
		sendQueued: message => sendQueued(dependencies, preparation, message),
		get isPreparing() {
			return preparation.isRunning;
		},
		retry,
		edit: (turnId, prompt, without) => askAgain(turnId, "version", { prompt, without }),
		showVersion: (turnId, step) => showVersion(dependencies.session(), turnId, step),
		runAction: (turnId, action) => runAction(dependencies, { askAgain, retry }, turnId, action),
		stopPreparing: () => preparation.stop(),
	};
}

function sendQueued(
	dependencies: ChatQuestionsDependencies,
	preparation: QuestionPreparation,
	{ id, text, options, attachments }: QueuedMessage,
): Promise<string> {
	const session = dependencies.session();
	return preparation.run(session.isBusy, async signal => {
		const earlier = session.turns.flatMap(turn => turn.attachments);
		const renewed =
			attachments.length + earlier.length === 0
				? attachments
				: await dependencies.attachments.renew(attachments, {
						earlier,
						areForgotten: false,
						signal,
					});
		const turnId = startedTurn(await session.send(text, options, renewed, id));
		dependencies.onSent(session.id);
		return turnId;
	});
}

type AskAgain = (
	turnId: string,
	how: "retry" | "resume" | "version" | "continueAnswer",
	change?: VersionChange,
) => Promise<void>;

/** Makes what asks a question again, in its own place or as another version. */
function createAskAgain(
	dependencies: ChatQuestionsDependencies,
	preparation: QuestionPreparation,
): AskAgain {
	/** Text that is sent, and how it is asked. */
	const renewed = async (
		turn: Turn,
		signal: AbortSignal,
		sent: readonly TurnAttachment[],
		model: string | undefined,
	): Promise<Pick<Turn, "options" | "attachments">> => {
		const { turns } = dependencies.session();
		const before = turns.slice(0, turns.indexOf(turn));
		const attachments = await dependencies.attachments.renew(sent, {
			earlier: before.flatMap(each => each.attachments),
			areForgotten: wasRefusedForFiles(turn),
			signal,
		});
		return { attachments, options: await dependencies.options.settled(model) };
	};
	return async (turnId, how, change = {}) => {
		const session = dependencies.session();
		await preparation.run(session.isBusy, async signal => {
			const turn = turnOf(session, turnId);
			const { prompt = turn.prompt, model, without = [] } = change;
			const kept =
				without.length === 0
					? turn.attachments
					: turn.attachments.filter((_, index) => !without.includes(index));
			if (how === "continueAnswer") {
				startedTurn(await session.continueAnswer(turnId, await dependencies.options.settled()));
				return;
			}
			const again = await renewed(turn, signal, kept, model);
			startedTurn(
				how === "version"
					? await session.askVersion(turnId, { ...again, prompt })
					: await session[how](turnId, again.options, again.attachments),
			);
		});
	};
}

/** Whether a question can be asked again in its own place, because no answer would have to make room. */
function leavesNothing(session: ChatSession, turnId: string): boolean {
	const last = session.turns.at(-1);
	return last?.id === turnId && !hasContent(last);
}

/** Differences of another version of a question from the one before. */
interface VersionChange {
	readonly prompt?: string;
	readonly model?: string;
	/** The attachments it no longer comes with, counted from 0. */
	readonly without?: readonly number[];
}

function showVersion(session: ChatSession, turnId: string, step: 1 | -1): void {
	const { ids, index } = session.versionsOf(turnId);
	const id = index === -1 ? undefined : ids[index + step];
	if (id !== undefined && session.showVersion(id) === "busy") {
		throw new Error(
			l10n.t(
				"An answer is still running. Stop it or wait until it's complete to see another version.",
			),
		);
	}
}

async function runAction(
	{ session, isLocal, attachments, onEdit }: ChatQuestionsDependencies,
	{ askAgain, retry }: { readonly askAgain: AskAgain; readonly retry: ChatQuestions["retry"] },
	turnId: string,
	action: TurnAction,
): Promise<void> {
	const turn = turnOf(session(), turnId);
	if (!turnView(turn, isLocal()).status.actions.includes(action)) {
		throw new Error(l10n.t("This action is no longer available."));
	}
	switch (action) {
		case "tryAgain":
		case "sendAgain":
			if (isWaitingForContinuation(turn)) {
				return askAgain(turnId, "continueAnswer");
			}
			// What tools did is not done again; the request that failed is made again with their results.
			return continuationOf(turn) ? askAgain(turnId, "resume") : retry(turnId);
		case "continue":
			return askAgain(turnId, "continueAnswer");
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
		case "summarizeChat":
		case "showLog":
			await vscode.commands.executeCommand(`cutaway.${action}`);
			return;
		default:
			assertNever(action);
	}
}
