import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatSession } from "../../chat/chatSession.ts";
import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import { continuationOf } from "../../chat/tools/continuation.ts";
import { wasRefusedForFiles } from "../../chat/turn/fileRefusal.ts";
import { isWaitingForContinuation } from "../../chat/turn/continuedAnswer.ts";
import { hasContent, type Turn } from "../../chat/turn/turn.ts";
import type { QueuedMessage } from "../../chat/queue/messageQueue.ts";
import { assertNever } from "../../common/assertNever.ts";
import type { TurnAction } from "../../shared/chat.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import { turnView } from "./chatViewModel.ts";
import type { QuestionSettings } from "./questionSettings.ts";
import { QuestionPreparation, startedTurn } from "./questionPreparation.ts";

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

/** A turn of a session. Throws the sentence for one that is not in it. */
export function turnOf(session: ChatSession, turnId: string): Turn {
	const turn = session.turns.find(candidate => candidate.id === turnId);
	if (!turn) {
		throw new Error(l10n.t("This message isn't in the open chat."));
	}
	return turn;
}

type AgainMode = "retry" | "resume" | "version" | "continueAnswer";

/** Asks questions in the chat that is shown: first ones, the same ones again, and what is below a failed answer. */
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

	/**
	 * Asks a question, with what is attached. Throws with the reason when it was not sent, so that the words can go back to the
	 * composer, where the attachments still are.
	 */
	send(text: string): Promise<string> {
		const { attachments, options, onSent } = this.dependencies;
		const session = this.dependencies.session();
		return this.preparation.run(session.isBusy, async signal => {
			await options.settled();
			const earlier = session.turns.flatMap(turn => turn.attachments);
			const prepared = await attachments.prepare(earlier, signal);
			const turnId = startedTurn(await session.send(text, await options.settled(), prepared));
			attachments.clear();
			onSent(session.id);
			return turnId;
		});
	}

	/** Asks a message that waited, as it was when it was written. Throws with the reason when it was not sent. */
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

	/**
	 * Asks a question again, with the switches of the composer as they are now and its model unless another is named. An
	 * answer it had stays as another version.
	 */
	retry(turnId: string, model?: string): Promise<void> {
		return this.askAgain(
			turnId,
			leavesNothing(this.dependencies.session(), turnId) ? "retry" : "version",
			model === undefined ? {} : { model },
		);
	}

	/** Asks a question in other words, as another version, without some of what it came with (counted from 0). */
	edit(turnId: string, prompt: string, without: readonly number[]): Promise<void> {
		return this.askAgain(turnId, "version", { prompt, without });
	}

	/** Shows the version of a question before (-1) or behind (1) the one that is shown; does nothing at the ends. */
	showVersion(turnId: string, step: 1 | -1): void {
		const session = this.dependencies.session();
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

	/** Runs an action that the status of the turn offers now; any other is refused. */
	async runAction(turnId: string, action: TurnAction): Promise<void> {
		const { session, isLocal, attachments, onEdit } = this.dependencies;
		const turn = turnOf(session(), turnId);
		if (!turnView(turn, isLocal()).status.actions.includes(action)) {
			throw new Error(l10n.t("This action is no longer available."));
		}
		switch (action) {
			case "tryAgain":
			case "sendAgain":
				if (isWaitingForContinuation(turn)) {
					return this.askAgain(turnId, "continueAnswer");
				}
				// What tools did is not done again; the request that failed is made again with their results.
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

	/** Ends the reading and uploading of a question's attachments, while that is under way. */
	stopPreparing(): void {
		this.preparation.stop();
	}

	/** Asks a question again, in its own place or as another version. */
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

	/** The attachments of a question that is asked again, as they are sent then. */
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
