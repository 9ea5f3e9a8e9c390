import { randomUUID } from "node:crypto";
import { Emitter, type Event } from "../common/emitter.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { TurnAttachment } from "../attachments/attachment/turnAttachment.ts";
import { canUseServerTools } from "../client/contract/schemas.ts";
import type { ServiceClient } from "../client/contract/serviceClient.ts";
import type { Clock } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import {
	attemptContinuedRecord,
	attemptResumedRecord,
	attemptStartedRecord,
	openingRecords,
	turnStartedRecord,
} from "./store/attemptRecord.ts";
import type { ChatStore, StoredChat } from "./store/chatStore.ts";
import { BlockCallLog } from "./blockCallLog.ts";
import { type ChatSessionChange, Conversation } from "./conversation.ts";
import { ChatRecorder } from "./log/chatRecorder.ts";
import type { ChatRecord } from "./log/chatRecord.ts";
import { titleOf } from "./library/chatTitle.ts";
import {
	type Continuation,
	continuationOf,
	continuationOfAnswer,
	resumeAttempt,
} from "./tools/continuation.ts";
import { hasFiles } from "./tools/toolMessages.ts";
import type { QueueFile } from "./queue/queueFile.ts";
import { type StoreError, toStoreError } from "../storage/storeError.ts";
import { isWaitingForContinuation, canContinue, continueAttempt } from "./turn/continuedAnswer.ts";
import { startAttempt, startTurn, type Turn, type TurnOptions } from "./turn/turn.ts";
import type { TurnVersions } from "./turn/turnTree.ts";
import { type ChatTools, runTurn } from "./turnRun.ts";

export type { ChatSessionChange } from "./conversation.ts";

/** Question, and its options. */
export type Question = Pick<Turn, "prompt" | "options" | "attachments">;

/** Dependencies of a session. Without `chat` it starts a chat of the store. */
export interface ChatSessionDependencies {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly chat?: StoredChat;
	/** Tools the model may call; none when left out. */
	readonly tools?: ChatTools;
}

/** One conversation. It shows nothing: it changes and says so. */
export class ChatSession implements IDisposable {
	readonly id: string;
	readonly onDidChange: Event<ChatSessionChange>;
	/** Where clicks on code blocks are kept. */
	readonly blockCalls: BlockCallLog;
	/** The messages that wait in it, on disk. */
	readonly queueFile: QueueFile;
	private readonly dependencies: ChatSessionDependencies;
	private readonly origin: Pick<StoredChat, "id" | "createdAt" | "workspace">;
	private readonly canRecord: boolean;
	private readonly recorder: ChatRecorder;
	private readonly conversation: Conversation;
	private readonly emitter: Emitter<ChatSessionChange>;
	private currentTitle: string | undefined;
	private running: RunningAttempt | undefined;
	private closing: Promise<void> | undefined;

	/** Makes a session; nothing is read, written or sent before it is asked to. */
	constructor(dependencies: ChatSessionDependencies) {
		const { store, clock, log, chat = store.create() } = dependencies;
		this.dependencies = dependencies;
		this.id = chat.id;
		this.origin = chat;
		this.currentTitle = chat.title;
		this.emitter = new Emitter(error =>
			log.error("A listener of a chat failed", { error: toError(error).message }),
		);
		this.onDidChange = this.emitter.event;
		const fire = (change: ChatSessionChange): void => this.emitter.fire(change);
		this.recorder = new ChatRecorder({
			writer: chat.writer,
			clock,
			onDidChangeError: error =>
				fire(error ? { type: "store-failed", error } : { type: "store-recovered" }),
		});
		this.queueFile = chat.queue;
		this.canRecord = chat.readOnly === undefined;
		const { tree } = chat;
		this.conversation = new Conversation({ tree, recorder: this.recorder, clock, fire });
		this.blockCalls = new BlockCallLog(this.conversation, () => this.closing !== undefined);
	}

	/** Empty before the first question. */
	get title(): string {
		return this.currentTitle ?? "";
	}

	/** The turns that are shown, of which only the last one changes. */
	get turns(): readonly Turn[] {
		return this.conversation.turns;
	}

	/** All turns, other versions of questions and what was asked behind them included. */
	get allTurns(): readonly Turn[] {
		return this.conversation.everyTurn;
	}

	/** Whether a question is being saved, asked or answered; only one is at a time (T10). */
	get isBusy(): boolean {
		return this.running !== undefined;
	}

	/** Why the chat cannot be saved, while it cannot: nothing new is sent meanwhile (L6). */
	get storeError(): StoreError | undefined {
		return this.recorder.error;
	}

	/**
	 * Asks a question: its record is on disk before its request leaves, and there is exactly one request. Its turn gets the id
	 * that is given, which must be none of the chat's.
	 */
	send(
		prompt: string,
		options: TurnOptions,
		attachments: readonly TurnAttachment[] = [],
		id: string = randomUUID(),
	): Promise<SendResult> {
		return this.ask({ prompt, options, attachments }, this.conversation.lastNumber, id);
	}

	/**
	 * Asks another version of a question that is shown: from then on it is shown in that one's place. The other version and
	 * all that was asked behind it stay in the chat, and are no part of requests while they are not shown.
	 */
	askVersion(turnId: string, question: Question): Promise<SendResult> {
		const isShown = this.turns.some(({ id }) => id === turnId);
		const after = isShown ? this.conversation.numberBefore(turnId) : undefined;
		return after === undefined
			? Promise.resolve({ type: "unavailable" })
			: this.ask(question, after);
	}

	/** The versions of a question, itself among them; none for one that is not in the chat. */
	versionsOf(turnId: string): TurnVersions {
		return this.conversation.versionsOf(turnId);
	}

	/** Shows a version of a question and what was shown behind it last. Nothing is sent. */
	showVersion(turnId: string): ShowResult {
		if (this.closing || this.versionsOf(turnId).index === -1) {
			return "unavailable";
		}
		if (this.running) {
			return "busy";
		}
		this.conversation.showVersion(turnId, this.canRecord);
		return "shown";
	}

	/** Ends the running answer, keeping its text; does nothing when none is running (S25). */
	stop(): void {
		this.running?.abort.abort();
	}

	/** Asks the last question again, with other options and attachments if given; its answer so far stays in the log only. */
	retry(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult> {
		return this.askAgain(turnId, true, options, attachments);
	}

	/**
	 * Goes on with the last question where its last request failed: results of tools stay, and no call runs twice. Unavailable
	 * without such results.
	 */
	resume(
		turnId: string,
		newOptions?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult> {
		const last = this.turns.at(-1);
		const from = last?.id === turnId ? continuationOf(last) : undefined;
		if (!last || !from) {
			return Promise.resolve({ type: "unavailable" });
		}
		const options = newOptions ?? last.options;
		const resumed = {
			options,
			keptMessages: from.keptMessages,
			attachments,
		};
		const record = attemptResumedRecord(this.conversation.place, last, resumed, attachments);
		const show = (): void => this.conversation.resume(resumed, from.missing);
		return this.attempt(resumeAttempt(last, resumed), [record], show, from);
	}

	/**
	 * Goes on with the answer of the last question where it was cut off; what came stays, and what comes is added to it.
	 * Unavailable for an answer that ended otherwise, or has no text.
	 */
	continueAnswer(turnId: string, newOptions?: TurnOptions): Promise<SendResult> {
		const last = this.turns.at(-1);
		if (last?.id !== turnId || !(canContinue(last) || isWaitingForContinuation(last))) {
			return Promise.resolve({ type: "unavailable" });
		}
		const turn = continueAttempt(last, newOptions ?? last.options);
		const record = attemptContinuedRecord(this.conversation.place, turn.options);
		const show = (): void => this.conversation.continue(turn.options);
		return this.attempt(turn, [record], show, continuationOfAnswer(turn));
	}

	/** «Show the error»: asks the last question without streaming. Its answer is used if it has one (S28). */
	showError(turnId: string): Promise<SendResult> {
		return this.askAgain(turnId, false);
	}

	/** Ends a running answer as interrupted; resolves once everything is on disk that can be. */
	close(): Promise<void> {
		this.closing ??= this.shutDown();
		return this.closing;
	}

	dispose(): void {
		this.close().catch((error: unknown) =>
			this.dependencies.log.warn("A chat could not be saved in full", {
				chat: this.id,
				error: toError(error).message,
			}),
		);
	}

	private ask(question: Question, after: number, id: string = randomUUID()): Promise<SendResult> {
		const at = this.dependencies.clock.now();
		const turn = startTurn({ id, createdAt: at, ...question });
		const title =
			this.currentTitle ??
			titleOf(turn.prompt, turn.attachments.find(each => each.kind === "text" && each.lines)?.name);
		const isFirst = this.currentTitle === undefined;
		const records: ChatRecord[] = [
			...(isFirst ? openingRecords(this.origin, { at, title }) : []),
			turnStartedRecord({ at, turn: this.conversation.nextTurn }, turn, after),
		];
		return this.attempt(turn, records, () => {
			this.conversation.addTurn(turn, after);
			if (isFirst) {
				this.currentTitle = title;
				this.emitter.fire({ type: "title", title });
			}
		});
	}

	private askAgain(
		turnId: string,
		isStreamed: boolean,
		newOptions?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult> {
		const last = this.turns.at(-1);
		if (last?.id !== turnId) {
			return Promise.resolve({ type: "unavailable" });
		}
		const options = newOptions ?? last.options;
		const turn = startAttempt(last, {
			isStreamed,
			options,
			attachments,
		});
		const record = attemptStartedRecord(this.conversation.place, last, turn, attachments);
		return this.attempt(turn, [record], () => this.conversation.addAttempt(turn));
	}

	/** The one way to a request: one at a time, and none whose record is not on disk (T8, T10, L6). */
	private async attempt(
		turn: Turn,
		records: readonly ChatRecord[],
		show: () => void,
		from?: Continuation,
	): Promise<SendResult> {
		if (this.closing) {
			return { type: "unavailable" };
		}
		if (this.running) {
			return { type: "busy" };
		}
		if (hasFiles(turn.attachments) && !canUseServerTools(turn.options.model)) {
			return { type: "needsTools" };
		}
		const running = createRunningAttempt();
		this.running = running;
		try {
			await this.recorder.commit(records);
		} catch (error) {
			this.running = undefined;
			running.settle();
			return { type: "notSaved", error: toStoreError(error, "") };
		}
		show();
		void this.run(turn.id, running, from);
		return { type: "started", turnId: turn.id };
	}

	private async run(turnId: string, running: RunningAttempt, from?: Continuation): Promise<void> {
		const { client, clock, log } = this.dependencies;
		const { conversation } = this;
		const outcome = await runTurn({
			client,
			clock,
			log,
			chatId: this.id,
			conversation,
			tools: this.dependencies.tools,
			from,
			options: {
				signal: running.abort.signal,
				onNotice: notice => this.emitter.fire({ type: "notice", turnId, notice }),
			},
			onCall: (call, state) => this.emitter.fire({ type: "tool-call", turnId, call, state }),
		});
		this.running = undefined;
		conversation.end(outcome.type === "stopped" ? { type: running.reason } : outcome);
		running.settle();
	}

	private async shutDown(): Promise<void> {
		const { running } = this;
		if (running && !running.abort.signal.aborted) {
			running.reason = "reload";
			running.abort.abort();
		}
		await running?.settled;
		await this.recorder.close();
		this.emitter.dispose();
	}
}

/** An attempt under way. */
interface RunningAttempt {
	readonly abort: AbortController;
	/** The meaning of an abort: the user stopped, or the window closed. */
	reason: "stopped" | "reload";
	readonly settled: Promise<void>;
	readonly settle: () => void;
}

/** Makes an attempt that nobody has ended yet. */
function createRunningAttempt(): RunningAttempt {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { abort: new AbortController(), reason: "stopped", settled: promise, settle: resolve };
}

/** Outcome of a click that asks for an answer. Only `started` means that a request leaves. */
export type SendResult =
	| { readonly type: "started"; readonly turnId: string }
	/** Another question is under way. */
	| { readonly type: "busy" }
	/** The question could not be recorded and was therefore not sent (L6, L7, L9); the words are the caller's to keep. */
	| { readonly type: "notSaved"; readonly error: StoreError }
	/** The model cannot use `code_interpreter`, which alone opens the files that go with it. Interface §4.4. */
	| { readonly type: "needsTools" }
	/** The turn is not where it would have to be for this (the last one, or among those shown), or the chat is closed. */
	| { readonly type: "unavailable" };

/** Outcome of showing another version of a question: while an answer runs, the turns stay as they are. */
export type ShowResult = "shown" | "busy" | "unavailable";
