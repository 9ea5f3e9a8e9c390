import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatSession } from "../../chat/chatSession.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import { continuationOf } from "../../chat/toolLoop/continuation.ts";
import { wasRefusedForFiles, hasContent, type Turn } from "../../chat/contract/turn.ts";
import { isWaitingForContinuation } from "../../chat/contract/answerDetail.ts";
import type { QueuedMessage } from "../../chat/queue/messageQueue.ts";
import { assertNever } from "../../common/errors.ts";
import type { TurnAction } from "../../shared/chat.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import { turnView } from "./chatViewModel.ts";
import type { QuestionSettings } from "./questionSettings.ts";
import { QuestionPreparation, startedTurn } from "./questionPreparation.ts";
import { randomUUID } from "node:crypto";

/** Dependencies of asking. `session` returns that of the shown chat. */
export interface ChatQuestionsDependencies {
	readonly session: () => ChatSession;
	readonly isLocal: () => boolean;
	readonly attachments: ChatAttachments;
	readonly options: QuestionSettings;
	readonly onSent: (chatId: string) => void;
	/** Called if a question was started but not sent. */
	readonly onNotAsked: () => void;
	readonly onEdit: (text: string) => void;
}

/** Returns a turn of a session. Throws an error with a message for the user if it doesn't exist. */
export function turnOf(session: ChatSession, turnId: string): Turn {
	const turn = session.turns.find(candidate => candidate.id === turnId);
	if (!turn) {
		throw new Error(l10n.t("This is no longer available."));
	}
	return turn;
}

type AgainMode = "retry" | "resume" | "version" | "continueAnswer";

/** Asks questions in the shown chat: new ones, existing ones again, and runs the actions of failed answers. */
export class ChatQuestions {
	private readonly dependencies: ChatQuestionsDependencies;
	private readonly preparation: QuestionPreparation;

	constructor(dependencies: ChatQuestionsDependencies) {
		this.dependencies = dependencies;
		this.preparation = new QuestionPreparation(dependencies.onNotAsked);
	}

	/** Whether a question's attachments are being read or uploaded, or its record is being written. */
	get isPreparing(): boolean {
		return this.preparation.isRunning;
	}

	/** Asks a question with the current attachments. Throws if it wasn't sent; the composer still has the attachments. */
	send(text: string): Promise<string> {
		const { attachments, options, onSent } = this.dependencies;
		const session = this.dependencies.session();
		const ask = async (signal: AbortSignal): Promise<string> => {
			await options.settled();
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const prepared = await attachments.prepare(earlier, signal);
			const turnId = startedTurn(await session.send(text, await options.settled(), prepared));
			attachments.clear();
			onSent(session.id);
			return turnId;
		};
		return this.preparation.run(session.isBusy, signal =>
			attachments.whileSending(() => ask(signal)),
		);
	}

	/** Sends a queued message with its original options. Throws with the reason if it wasn't sent. */
	sendQueued({ id, text, options, attachments }: QueuedMessage): Promise<string> {
		const session = this.dependencies.session();
		return this.preparation.run(session.isBusy, async signal => {
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const renewed =
				attachments.length + earlier.length === 0
					? attachments
					: await this.dependencies.attachments.renew(attachments, {
							earlier,
							areForgotten: false,
							signal,
						});
			const turnId = startedTurn(await session.send(text, options, renewed, id));
			this.dependencies.onSent(session.id);
			return turnId;
		});
	}

	/** Asks a question again, with the composer's current options and optionally another model. A previous answer is kept as another version. */
	retry(turnId: string, model?: string): Promise<void> {
		return this.askAgain(
			turnId,
			leavesNothing(this.dependencies.session(), turnId) ? "retry" : "version",
			model === undefined ? {} : { model },
		);
	}

	/** Asks an edited question as another version. `without` contains the indices of removed attachments, from 0. */
	edit(turnId: string, prompt: string, without: readonly number[]): Promise<void> {
		return this.askAgain(turnId, "version", { prompt, without });
	}

	/** Shows the previous (-1) or next (1) version of a question. Does nothing at the ends. */
	showVersion(turnId: string, step: 1 | -1): void {
		const session = this.dependencies.session();
		const { ids, index } = session.versionsOf(turnId);
		const id = index === -1 ? undefined : ids[index + step];
		if (id !== undefined && session.showVersion(id) === "busy") {
			throw new Error(l10n.t("An answer is still running. Stop it or wait until it's complete."));
		}
	}

	/** Runs an action that the turn's status offers. Rejects any other. */
	async runAction(turnId: string, action: TurnAction): Promise<void> {
		const { session, isLocal, attachments, onEdit } = this.dependencies;
		const turn = turnOf(session(), turnId);
		if (!turnView(turn, isLocal()).status.actions.includes(action)) {
			throw new Error(l10n.t("This is no longer available."));
		}
		switch (action) {
			case "tryAgain":
			case "sendAgain":
				if (isWaitingForContinuation(turn)) {
					return this.askAgain(turnId, "continueAnswer");
				}
				// Repeats only the failed request with the results of tools, not the tools themselves.
				return continuationOf(turn) ? this.askAgain(turnId, "resume") : this.retry(turnId);
			case "continue":
				return this.askAgain(turnId, "continueAnswer");
			case "showError":
				startedTurn(await session().showError(turnId));
				return;
			case "edit":
				onEdit(turn.prompt);
				await attachments.addAgain(turn.attachments);
				return;
			case "setApiKey":
			case "chooseModel":
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

	stopPreparing(): void {
		this.preparation.stop();
	}

	/** Asks a question again in place, or as another version. */
	private async askAgain(
		turnId: string,
		how: AgainMode,
		change: VersionChange = {},
	): Promise<void> {
		const { options } = this.dependencies;
		const session = this.dependencies.session();
		await this.preparation.run(session.isBusy, async signal => {
			const turn = turnOf(session, turnId);
			const { prompt = turn.prompt, model, without = [] } = change;
			const kept =
				without.length === 0
					? turn.attachments
					: turn.attachments.filter((_, index) => !without.includes(index));
			if (how === "continueAnswer") {
				startedTurn(await session.continueAnswer(turnId, await options.settled()));
				return;
			}
			const attachments = await this.renewed(turn, kept, signal);
			const again = { attachments, options: await options.settled(model) };
			startedTurn(
				how === "version"
					? await session.askVersion(turnId, { ...again, prompt })
					: await session[how](turnId, again.options, again.attachments),
			);
		});
	}

	/** Prepares the attachments of a question that is asked again. */
	private renewed(
		turn: Turn,
		sent: readonly TurnAttachment[],
		signal: AbortSignal,
	): Promise<readonly TurnAttachment[]> {
		const { turns } = this.dependencies.session();
		const before = turns.slice(0, turns.indexOf(turn));
		return this.dependencies.attachments.renew(sent, {
			earlier: before.flatMap(each => each.attachments),
			areForgotten: wasRefusedForFiles(turn),
			signal,
		});
	}
}

/** Whether a question can be asked again in place, because it has no answer. */
function leavesNothing(session: ChatSession, turnId: string): boolean {
	const last = session.turns.at(-1);
	return last?.id === turnId && !hasContent(last);
}

interface VersionChange {
	readonly prompt?: string;
	readonly model?: string;
	/** Indices of removed attachments, from 0. */
	readonly without?: readonly number[];
}

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
export function endOf(session: ChatSession, id: string): Promise<Turn> {
	const { promise, resolve } = Promise.withResolvers<Turn>();
	const look = (): void => {
		const turn = session.turns.find(each => each.id === id);
		if (turn && turn.progress.state !== "streaming") {
			resolve(turn);
		}
	};
	const listener = session.onDidChange(look);
	look();
	return promise.finally(() => listener.dispose());
}
