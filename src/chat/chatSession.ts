import { randomUUID } from "node:crypto";
import type { Clock } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import { createEmitter, type Emitter, type Event } from "../common/emitter.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { TurnAttachment } from "../attachments/index.ts";
import { canUseServerTools, type ServiceClient } from "../client/index.ts";
import {
	attemptResumedRecord,
	attemptStartedRecord,
	openingRecords,
	turnStartedRecord,
} from "./attemptRecord.ts";
import { type BlockCallLog, createBlockCallLog } from "./blockCallLog.ts";
import type { ChatSessionChange } from "./chatChange.ts";
import { ChatRecorder } from "./chatRecorder.ts";
import type { ChatRecord } from "./chatRecord.ts";
import type { ChatStore, StoredChat } from "./chatStore.ts";
import { titleOf } from "./chatTitle.ts";
import { Conversation } from "./conversation.ts";
import { type Continuation, continuationOf, resumeAttempt } from "./continuation.ts";
import { hasFiles } from "./prompt.ts";
import { createRunningAttempt, type RunningAttempt } from "./runningAttempt.ts";
import type { SendResult } from "./sendResult.ts";
import { type StoreError, toStoreError } from "./storeError.ts";
import { startAttempt, startTurn, type Turn, type TurnOptions } from "./turn.ts";
import { type ChatTools, runTurn } from "./turnRun.ts";

export type { ChatSessionChange } from "./chatChange.ts";
export type { SendResult } from "./sendResult.ts";

/** One conversation. It shows nothing: it changes and says so. */
export interface ChatSession extends IDisposable {
	readonly id: string;
	/** Empty before the first question. */
	readonly title: string;
	readonly turns: readonly Turn[];
	/** Whether a question is being saved, asked or answered; only one is at a time (T10). */
	readonly isBusy: boolean;
	/** Why the chat cannot be saved, while it cannot: nothing new is sent meanwhile (L6). */
	readonly storeError: StoreError | undefined;
	/** Where clicks on code blocks are kept. */
	readonly blockCalls: BlockCallLog;
	readonly onDidChange: Event<ChatSessionChange>;
	/** Asks a question: its record is on disk before its request leaves, and there is exactly one request. */
	send(
		prompt: string,
		options: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult>;
	/** Ends the running answer, keeping its text; does nothing when none is running (S25). */
	stop(): void;
	/**
	 * Asks the last question again, with other options and attachments if given; its answer so far stays in the log only.
	 */
	retry(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult>;
	/**
	 * Goes on with the last question where its last request failed: results of tools stay, and no call runs twice. Unavailable
	 * without such results.
	 */
	resume(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult>;
	/** «Show the error»: asks the last question without streaming. Its answer is used if it has one (S28). */
	showError(turnId: string): Promise<SendResult>;
	/** Ends a running answer as interrupted; resolves once everything is on disk that can be. */
	close(): Promise<void>;
}

/** What a session is made from. Without `chat` it begins a chat of the store. */
export interface ChatSessionOptions {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly chat?: StoredChat;
	/** What the model may call; nothing when left out. */
	readonly tools?: ChatTools;
}

/** Makes a session; nothing is read, written or sent before it is asked to. */
export function createChatSession(options: ChatSessionOptions): ChatSession {
	return new Session(options);
}

class Session implements ChatSession {
	readonly id: string;
	readonly onDidChange: Event<ChatSessionChange>;
	readonly blockCalls: BlockCallLog;
	private readonly options: ChatSessionOptions;
	private readonly begun: Pick<StoredChat, "id" | "createdAt" | "workspace">;
	private readonly recorder: ChatRecorder;
	private readonly conversation: Conversation;
	private readonly emitter: Emitter<ChatSessionChange>;
	private currentTitle: string | undefined;
	private running: RunningAttempt | undefined;
	private closing: Promise<void> | undefined;

	constructor(options: ChatSessionOptions) {
		const { store, clock, log, chat = store.create() } = options;
		this.options = options;
		this.id = chat.id;
		this.begun = chat;
		this.currentTitle = chat.title;
		this.emitter = createEmitter(error =>
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
		const { turns, nextTurn } = chat;
		this.conversation = new Conversation({ turns, nextTurn, recorder: this.recorder, clock, fire });
		this.blockCalls = createBlockCallLog(this.conversation, () => this.closing !== undefined);
	}

	get title(): string {
		return this.currentTitle ?? "";
	}

	get turns(): readonly Turn[] {
		return this.conversation.turns;
	}

	get isBusy(): boolean {
		return this.running !== undefined;
	}

	get storeError(): StoreError | undefined {
		return this.recorder.error;
	}

	send(
		prompt: string,
		options: TurnOptions,
		attachments: readonly TurnAttachment[] = [],
	): Promise<SendResult> {
		const at = this.options.clock.now();
		const turn = startTurn({ id: randomUUID(), prompt, createdAt: at, options, attachments });
		const title = this.currentTitle ?? titleOf(prompt);
		const isFirst = this.currentTitle === undefined;
		const records: ChatRecord[] = [
			...(isFirst ? openingRecords(this.begun, { at, title }) : []),
			turnStartedRecord({ at, turn: this.conversation.nextTurn }, turn),
		];
		return this.attempt(turn, records, () => {
			this.conversation.addTurn(turn);
			if (isFirst) {
				this.currentTitle = title;
				this.emitter.fire({ type: "title", title });
			}
		});
	}

	stop(): void {
		this.running?.abort.abort();
	}

	retry(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult> {
		return this.askAgain(turnId, true, options, attachments);
	}

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
			...(attachments ? { attachments } : {}),
		};
		const record = attemptResumedRecord(this.conversation.place, last, resumed, attachments);
		const show = (): void => this.conversation.resume(resumed, from.missing);
		return this.attempt(resumeAttempt(last, resumed), [record], show, from);
	}

	showError(turnId: string): Promise<SendResult> {
		return this.askAgain(turnId, false);
	}

	close(): Promise<void> {
		this.closing ??= this.shutDown();
		return this.closing;
	}

	dispose(): void {
		this.close().catch((error: unknown) =>
			this.options.log.warn("A chat could not be saved in full", {
				chat: this.id,
				error: toError(error).message,
			}),
		);
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
			...(attachments ? { attachments } : {}),
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
		const { client, clock, log } = this.options;
		const { conversation } = this;
		const outcome = await runTurn({
			client,
			clock,
			log,
			chatId: this.id,
			conversation,
			tools: this.options.tools,
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
