import { randomUUID } from "node:crypto";
import { Emitter, type Event, type IDisposable } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { TurnAttachment } from "../attachments/contract/turnAttachment.ts";
import { canUseServerTools } from "../client/contract/schemas.ts";
import type { ServiceClient } from "../client/contract/serviceClient.ts";
import type { Clock } from "../common/async.ts";
import { changedAttachments, openingRecords, turnStartedRecord } from "./store/attemptRecord.ts";
import type { ChatStore, StoredChat } from "./store/chatStore.ts";
import { type ChatSessionChange, Conversation } from "./conversation.ts";
import { ChatRecorder } from "./log/chatRecorder.ts";
import type { ChatRecord } from "./log/chatRecord.ts";
import { titleOf } from "./library/chatTexts.ts";
import {
	type Continuation,
	continuationOf,
	continuationOfAnswer,
	resumeAttempt,
} from "./toolLoop/continuation.ts";
import { hasFiles } from "./toolLoop/toolMessages.ts";
import type { QueueFile } from "./queue/queueFile.ts";
import { type StoreError, toStoreError } from "../storage/fileSystem.ts";
import { isWaitingForContinuation, canContinue, continueAttempt } from "./contract/answerDetail.ts";
import { startAttempt, startTurn, type Turn, type TurnOptions } from "./contract/turn.ts";
import type { TurnVersions } from "./contract/turnTree.ts";
import { type ChatTools, runTurn } from "./turnRun.ts";
import type { LedgerEntry, ToolLedger } from "../tools/contract/tool.ts";
import type { BlockCall, ToolEnd } from "./contract/toolRecord.ts";

/** Records the user's actions on code blocks, so that their cards remain after a reload. Ignores clicks and ends once the chat is closed. */
export class CodeBlockCalls implements ToolLedger {
	private readonly conversation: Conversation;
	private readonly isClosed: () => boolean;

	constructor(conversation: Conversation, isClosed: () => boolean) {
		this.conversation = conversation;
		this.isClosed = isClosed;
	}

	/** Records a click. Its call hasn't been checked yet. */
	add(call: BlockCall): void {
		if (!this.isClosed()) {
			this.conversation.addBlockCall(call);
		}
	}

	begin(entry: LedgerEntry): Promise<void> {
		return this.conversation.beginTool(entry);
	}

	end(end: ToolEnd): void {
		if (!this.isClosed()) {
			this.conversation.endTool(end);
		}
	}
}

export type { ChatSessionChange } from "./conversation.ts";

export type Question = Pick<Turn, "prompt" | "options" | "attachments">;

/** Dependencies of a session. Without `chat`, the store creates one. */
interface ChatSessionDependencies {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly chat?: StoredChat;
	readonly tools?: ChatTools;
}

/** A conversation. Emits change events and has no UI. */
export class ChatSession implements IDisposable {
	readonly id: string;
	readonly onDidChange: Event<ChatSessionChange>;
	readonly blockCalls: CodeBlockCalls;
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

	/** Reads, writes and sends nothing before the first call. */
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
		this.blockCalls = new CodeBlockCalls(this.conversation, () => this.closing !== undefined);
	}

	/** Empty before the first question. */
	get title(): string {
		return this.currentTitle ?? "";
	}

	/** The shown turns. Only the last one changes. */
	get turns(): readonly Turn[] {
		return this.conversation.turns;
	}

	/** All turns, including those of hidden branches. */
	get allTurns(): readonly Turn[] {
		return this.conversation.everyTurn;
	}

	/** Whether a question is being saved, sent or answered; only one at a time. */
	get isBusy(): boolean {
		return this.running !== undefined;
	}

	/** The error while the chat can't be saved. Nothing new is sent meanwhile. */
	get storeError(): StoreError | undefined {
		return this.recorder.error;
	}

	/** Whether this window had the right to write the chat and another window has seized it. */
	isTaken(): Promise<boolean> {
		return this.recorder.isTaken();
	}

	/** Asks a question with exactly one request, after its record is on disk. The turn gets the given id, which must be new in the chat. */
	send(
		prompt: string,
		options: TurnOptions,
		attachments: readonly TurnAttachment[] = [],
		id: string = randomUUID(),
	): Promise<SendResult> {
		return this.ask({ prompt, options, attachments }, this.conversation.lastNumber, id);
	}

	/** Asks another version of a shown question. The previous one and all turns after it are kept, but hidden and not sent. */
	askVersion(turnId: string, question: Question): Promise<SendResult> {
		const isShown = this.turns.some(({ id }) => id === turnId);
		const after = isShown ? this.conversation.numberBefore(turnId) : undefined;
		return after === undefined
			? Promise.resolve({ type: "unavailable" })
			: this.ask(question, after);
	}

	/** Returns the versions of a question including itself; none if it isn't in the chat. */
	versionsOf(turnId: string): TurnVersions {
		return this.conversation.versionsOf(turnId);
	}

	/** Shows a version of a question and the turns last shown after it, unless an answer runs. Sends nothing. */
	showVersion(turnId: string): "shown" | "busy" | "unavailable" {
		if (this.closing || this.versionsOf(turnId).index === -1) {
			return "unavailable";
		}
		if (this.running) {
			return "busy";
		}
		this.conversation.showVersion(turnId, this.canRecord);
		return "shown";
	}

	/** Stops the running answer and keeps its text. Does nothing if none is running. */
	stop(): void {
		this.running?.abort.abort();
	}

	/** Asks the last question again, with other options and attachments if given. Its answer so far remains in the log only. */
	retry(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult> {
		return this.askAgain(turnId, true, options, attachments);
	}

	/** Continues the last turn after a failed request. Keeps tool results, and runs no call twice. `unavailable` without such results. */
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
		const resumed = { options, keptMessages: from.keptMessages, attachments };
		const record: ChatRecord = {
			type: "attempt-resumed",
			...this.conversation.place,
			options,
			keptMessages: from.keptMessages,
			...changedAttachments(last, attachments),
		};
		const show = (): void => this.conversation.resume(resumed, from.missing);
		return this.attempt(resumeAttempt(last, resumed), [record], show, from);
	}

	/** Continues the last turn's truncated answer; new text is appended. `unavailable` if the answer ended differently or has no text. */
	continueAnswer(turnId: string, newOptions?: TurnOptions): Promise<SendResult> {
		const last = this.turns.at(-1);
		if (last?.id !== turnId || !(canContinue(last) || isWaitingForContinuation(last))) {
			return Promise.resolve({ type: "unavailable" });
		}
		const turn = continueAttempt(last, newOptions ?? last.options);
		const { options } = turn;
		const record: ChatRecord = { type: "attempt-continued", ...this.conversation.place, options };
		const show = (): void => this.conversation.continue(options);
		return this.attempt(turn, [record], show, continuationOfAnswer(turn));
	}

	/** Asks the last question without streaming, for “Show the error”. Uses the answer if there is one. */
	showError(turnId: string): Promise<SendResult> {
		return this.askAgain(turnId, false);
	}

	/** Ends a running answer as interrupted. Resolves once everything possible is on disk. */
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
		const turn = startAttempt(last, { isStreamed, options, attachments });
		const record: ChatRecord = {
			type: "attempt-started",
			...this.conversation.place,
			isStreamed,
			options,
			...changedAttachments(last, attachments),
		};
		return this.attempt(turn, [record], () => this.conversation.addAttempt(turn));
	}

	/** Starts an attempt. The only way to a request: one at a time, and only after its record is on disk. */
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
		const running: RunningAttempt = {
			abort: new AbortController(),
			reason: "stopped",
			ended: Promise.withResolvers(),
		};
		this.running = running;
		try {
			await this.recorder.commit(records);
		} catch (error) {
			this.running = undefined;
			running.ended.resolve();
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
		running.ended.resolve();
	}

	private async shutDown(): Promise<void> {
		const { running } = this;
		if (running && !running.abort.signal.aborted) {
			running.reason = "reload";
			running.abort.abort();
		}
		await running?.ended.promise;
		await this.recorder.close();
		this.emitter.dispose();
	}
}

interface RunningAttempt {
	readonly abort: AbortController;
	/** Why it is aborted: the user stopped it, or the window closed. */
	reason: "stopped" | "reload";
	readonly ended: PromiseWithResolvers<void>;
}

/** Result of asking for an answer. A request is sent only for `started`. */
export type SendResult =
	| { readonly type: "started"; readonly turnId: string }
	| { readonly type: "busy" }
	/** The question couldn't be recorded, so it wasn't sent. The caller keeps the text. */
	| { readonly type: "notSaved"; readonly error: StoreError }
	/** The model can't use `code_interpreter`, which the attached files require. docs/interface.md §4.4. */
	| { readonly type: "needsTools" }
	/** The turn isn't the last one or isn't shown, as required, or the chat is closed. */
	| { readonly type: "unavailable" };
