import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import {
	addMessage,
	startSending,
	nextMessage,
	editMessage,
	foundQueue,
	holdMessage,
	type MessageQueue,
	messageAsked,
	moveMessage,
	pauseQueue,
	type QueuePauseReason,
	type QueueChange,
	type QueuedMessage,
	removeMessage,
	restoreMessage,
	resumeQueue,
	sendingFailed,
	emptyQueue,
	type QueueRefusal,
} from "../../chat/queue/messageQueue.ts";
import type { StoredChat } from "../../chat/store/chatStore.ts";
import type { TurnProgress } from "../../chat/contract/turn.ts";
import { Disposable, type IDisposable, Emitter, type Event } from "../../common/disposable.ts";
import { toError, assertNever } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { emptyQueueView, type QueueView, type QueuedMessageView } from "../../shared/queue.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ChatQuestions } from "./chatQuestions.ts";
import type { CurrentChat } from "./openChat.ts";
import type { QuestionSettings } from "./questionSettings.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import { SerialQueue } from "../../common/async.ts";
import { toStoreError } from "../../storage/fileSystem.ts";
import { storeErrorMessage } from "../base/failureAdvice.ts";

export interface ChatQueueDependencies {
	readonly questions: Pick<ChatQuestions, "sendQueued" | "isPreparing">;
	readonly attachments: Pick<
		ChatAttachments,
		"prepare" | "clear" | "going" | "isReading" | "view" | "whileSending"
	>;
	readonly options: Pick<QuestionSettings, "settled">;
	/** Whether another window writes the chat, and whether it was deleted. */
	readonly chatState: {
		readonly sharing: { readonly isReading: boolean };
		readonly metadata: { readonly banner: unknown };
	};
	readonly service: () => string;
	/** Stores the current chat, which may have queued messages but no question yet. */
	readonly currentChat: Pick<CurrentChat, "set">;
	readonly log: Log;
}

/**
 * The queued messages of the shown chat. Sends the next one when an answer is complete; any other ending pauses the queue until the user resumes it.
 * Changes are on disk before they are shown.
 */
export class ChatQueue extends Disposable {
	private readonly changed = this.register(new Emitter<QueueView>());
	private readonly dependencies: ChatQueueDependencies;
	private shown: ShownQueue | undefined;
	private listener: IDisposable | undefined;
	readonly onDidChange: Event<QueueView> = this.changed.event;

	constructor(dependencies: ChatQueueDependencies) {
		super();
		this.dependencies = dependencies;
		this.register({ dispose: () => this.leave() });
	}

	/** Called when a chat is shown. Its existing messages are paused. A read-only chat shows none. */
	follow(session: ChatSession, chat: Pick<StoredChat, "readOnly"> | undefined): void {
		this.leave();
		const shown = createShownQueue(session);
		this.shown = shown;
		this.listener = session.onDidChange(change => {
			if (change.type === "turn-progress") {
				this.answered(shown, change.progress.state);
			}
		});
		shown.loaded = chat?.readOnly ? Promise.reject(chat.readOnly) : this.load(shown);
		// Changes of the queue report the error; until then nothing needs it.
		shown.loaded.catch((error: unknown) =>
			this.dependencies.log.info("What waits in a chat is not shown", {
				error: toError(error).message,
			}),
		);
	}

	view(): QueueView {
		return this.shown && !this.isReading ? queueView(this.shown.state) : emptyQueueView;
	}

	/**
	 * Throws an error with a message for the user if this chat must stay open, because it has queued messages but no question, so no list would contain
	 * it.
	 */
	requireReachable({ turns, isBusy }: Pick<ChatSession, "turns" | "isBusy">): void {
		const isWaiting = (this.shown?.state.items ?? []).length > 0;
		if (isWaiting && turns.length === 0 && !isBusy) {
			throw new Error(
				l10n.t("This chat has queued messages and no sent ones. Send or remove them first."),
			);
		}
	}

	/**
	 * Queues a message with the composer's attachments. Resolves when it would survive a power cut. Otherwise throws an error with a message for the
	 * user, and the caller keeps the text.
	 */
	async add(text: string): Promise<void> {
		const shown = this.current();
		const { signal } = shown.abort;
		const { attachments, options } = this.dependencies;
		const asking = options.settled();
		const keep = async (attached: readonly TurnAttachment[]): Promise<void> => {
			const item = { id: randomUUID(), text, options: await asking, attachments: attached };
			this.dependencies.currentChat.set(shown.session.id);
			if (shown.state.items.length === 0) {
				shown.service = this.dependencies.service();
			}
			await this.change(shown, addMessage(item));
			if (attached.length > 0) {
				attachments.clear();
			}
		};
		await shown.adding.run(() => withAttachments(attachments, signal, keep));
		const ending = shown.session.turns.at(-1)?.progress.state;
		if (this.isIdle(shown) && ending !== "streaming" && ending !== "complete") {
			// The answer has ended meanwhile.
			this.pause(shown, ending ? { type: "ended", state: ending } : { type: "notAsked" });
		}
		this.pump(shown);
	}

	edit(id: string, text: string): Promise<void> {
		return this.changeAndGoOn(editMessage(id, text));
	}

	/** Marks the message being edited, which is held back; undefined clears the mark. */
	async hold(id: string | undefined): Promise<void> {
		const shown = this.current();
		await shown.loaded;
		this.show(shown, changedBy(holdMessage(id), shown.state));
		this.pump(shown);
	}

	move(id: string, step: 1 | -1): Promise<void> {
		return this.changeAndGoOn(moveMessage(id, step));
	}

	remove(id: string): Promise<void> {
		return this.changeAndGoOn(removeMessage(id));
	}

	restore(): Promise<void> {
		return this.changeAndGoOn(restoreMessage());
	}

	/** Resumes the queue when the user requests it. Sends the next message at once, or after the running answer. */
	async resume(): Promise<void> {
		const shown = this.current();
		await shown.loaded;
		shown.service = this.dependencies.service();
		this.show(shown, resumeQueue(shown.state));
		this.pump(shown, true);
	}

	/** Stops the running answer with `stop` and sends the first message, when the user requests it. */
	async sendNow(stop: () => void): Promise<void> {
		const shown = this.current();
		await shown.loaded;
		shown.isGoingOn = shown.session.isBusy;
		await (shown.isGoingOn ? stop() : this.resume());
	}

	/** Stops the uploads of messages not queued yet. Their text is restored in the composer. */
	stopAdding(): void {
		this.shown?.abort.abort();
		if (this.shown) {
			this.shown.abort = new AbortController();
		}
	}

	/** Pauses the queue after a question wasn't sent. */
	questionFailed(): void {
		if (this.shown && this.shown.state.sending === undefined) {
			this.pause(this.shown, { type: "notAsked" });
		}
	}

	private get isReading(): boolean {
		return this.dependencies.chatState.sharing.isReading;
	}

	private current(): ShownQueue {
		if (!this.shown || this.isReading) {
			throw new Error(refusalMessage("gone"));
		}
		return this.shown;
	}

	private async load(shown: ShownQueue): Promise<void> {
		const { session } = shown;
		const items = await session.queueFile.read();
		this.show(
			shown,
			foundQueue(items, id => session.allTurns.some(turn => turn.id === id)),
		);
	}

	private leave(): void {
		this.stopAdding();
		this.listener?.dispose();
		this.shown = undefined;
	}

	private async changeAndGoOn(change: QueueChange): Promise<void> {
		const shown = this.current();
		await this.change(shown, change);
		this.pump(shown);
	}

	private change(shown: ShownQueue, change: QueueChange): Promise<void> {
		return keepChange(shown, change, state => this.show(shown, state));
	}

	private answered(shown: ShownQueue, state: TurnProgress["state"]): void {
		if (state === "complete") {
			this.pump(shown);
		} else if (state !== "streaming") {
			this.pause(shown, { type: "ended", state });
		}
		if (state !== "streaming" && shown.isGoingOn) {
			shown.isGoingOn = false;
			this.resume().catch(() => undefined);
		}
	}

	private pause(shown: ShownQueue, reason: QueuePauseReason): void {
		if (shown.state.mode.type === "waiting" && shown.state.items.length > 0) {
			this.show(shown, pauseQueue(shown.state, reason));
		}
	}

	private isIdle({ session, state }: ShownQueue): boolean {
		return (
			!session.isBusy && state.sending === undefined && !this.dependencies.questions.isPreparing
		);
	}

	/** Sends the next message if it is due; in a deleted chat only if `isAskedFor`. */
	private pump(shown: ShownQueue, isAskedFor = false): void {
		const due = nextMessage(shown.state);
		if (!due || shown !== this.shown || !this.isIdle(shown) || this.isReading) {
			return;
		}
		if (this.dependencies.chatState.metadata.banner !== undefined && !isAskedFor) {
			// A deleted chat sends nothing by itself.
			this.pause(shown, { type: "deleted" });
		} else if (shown.service !== this.dependencies.service()) {
			// Messages written for one service aren't sent to another, which may charge for them, without the user's consent.
			this.pause(shown, { type: "otherService" });
		} else {
			this.show(shown, startSending(shown.state, due.id));
			void this.ask(shown, due);
		}
	}

	private async ask(shown: ShownQueue, item: QueuedMessage): Promise<void> {
		try {
			await this.dependencies.questions.sendQueued(item);
		} catch (error) {
			this.show(shown, sendingFailed(shown.state, toError(error).message));
			return;
		}
		this.show(shown, messageAsked(shown.state, item.id));
		try {
			await shown.inTurn.run(() => shown.session.queueFile.write(shown.state.items));
		} catch (error) {
			// The chat's log contains the same id, so it isn't sent again.
			this.dependencies.log.warn("A message that was asked is still kept as waiting", {
				error: toError(error).message,
			});
		}
		// Its answer may have arrived while this was written.
		this.pump(shown);
	}

	private show(shown: ShownQueue, state: MessageQueue): void {
		const isChange = state !== shown.state;
		shown.state = state;
		if (isChange && shown === this.shown && !this.isDisposed) {
			this.changed.fire(this.view());
		}
	}
}

/**
 * Reads and uploads a message's attachments, all except those being sent with another question, and passes them to `keep`. Throws an error with a
 * message for the user if that fails.
 */
async function withAttachments(
	attachments: Pick<ChatAttachments, "prepare" | "going" | "isReading" | "view" | "whileSending">,
	signal: AbortSignal,
	keep: (attached: readonly TurnAttachment[]) => Promise<void>,
): Promise<void> {
	const { items, isSending } = attachments.view();
	const isNew = ({ id }: { readonly id: string }): boolean => !attachments.going.includes(id);
	if (!attachments.isReading && !items.some(item => !isSending || isNew(item))) {
		return keep([]);
	}
	if (isSending) {
		throw new Error(
			l10n.t("Files of another message are still uploading. Queue this message after it."),
		);
	}
	try {
		await attachments.whileSending(async () => keep(await attachments.prepare([], signal)));
	} catch (error) {
		throw signal.aborted ? new Error(l10n.t("Stopped. The message wasn't queued.")) : error;
	}
}

interface ShownQueue {
	readonly session: ChatSession;
	/** Serializes changes on disk. */
	readonly inTurn: SerialQueue;
	/** Keeps messages in order although some wait for uploads. */
	readonly adding: SerialQueue;
	/** Cancels the uploads of messages not queued yet. */
	abort: AbortController;
	/** Resolves when the stored messages are loaded. Rejects if they can't be read. */
	loaded: Promise<void>;
	/** The service for which the first message was written or the queue was resumed. */
	service: string;
	/** Whether the running answer was stopped for the next message. */
	isGoingOn: boolean;
	state: MessageQueue;
}

function createShownQueue(session: ChatSession): ShownQueue {
	return {
		session,
		inTurn: new SerialQueue(),
		adding: new SerialQueue(),
		abort: new AbortController(),
		loaded: Promise.resolve(),
		service: "",
		isGoingOn: false,
		state: emptyQueue,
	};
}

/** Writes a change to disk, then shows it. Throws an error with a message for the user if that fails; then nothing changed. */
function keepChange(
	shown: ShownQueue,
	change: QueueChange,
	show: (state: MessageQueue) => void,
): Promise<void> {
	return shown.inTurn.run(async () => {
		try {
			await shown.loaded;
			await shown.session.queueFile.write(changedBy(change, shown.state).items);
		} catch (error) {
			throw error instanceof RefusedError ? error : new Error(notKeptSentence(error));
		}
		// Meanwhile the queue may have been paused, or its first message may be sending.
		show(changedBy(change, shown.state));
	});
}

/** Applies a change to a queue. Throws an error with a message for the user if it isn't allowed. */
function changedBy(change: QueueChange, state: MessageQueue): MessageQueue {
	const next = change(state);
	if (typeof next === "string") {
		throw new RefusedError(refusalMessage(next));
	}
	return next;
}

class RefusedError extends Error {}

function notKeptSentence(error: unknown): string {
	return `${storeErrorMessage(toStoreError(error, ""))} ${l10n.t("The queue is unchanged.")}`;
}

function queueView({ items, mode, sending, held, removed }: MessageQueue): QueueView {
	return {
		items: items.map(item => itemView(item, item.id === sending)),
		paused: mode.type === "paused" ? pauseSentence(mode.reason) : null,
		held: held ?? null,
		removed: removed?.item.text ?? null,
	};
}

function itemView(item: QueuedMessage, isSending: boolean): QueuedMessageView {
	const { id, text, options, attachments } = item;
	return { id, text, model: options.model, files: attachments.map(({ name }) => name), isSending };
}

/** Explains why the queue is paused, and so what the user may want to check. */
function pauseSentence(reason: QueuePauseReason): string {
	switch (reason.type) {
		case "ended":
			return reason.state === "stopped"
				? l10n.t("Paused: the answer was stopped.")
				: l10n.t("Paused: the last message has no complete answer.");
		case "notAsked":
			return l10n.t("Paused: the previous message wasn't sent.");
		case "failed":
			return reason.sentence;
		case "deleted":
			return l10n.t("Paused: this chat was deleted.");
		case "otherService":
			return l10n.t("Paused: another service answers now.");
		case "kept":
			return l10n.t("Paused. These messages are from an earlier session.");
		default:
			return assertNever(reason);
	}
}

/** Returns why a change of the queue was refused. */
function refusalMessage(refusal: QueueRefusal): string {
	const messages: Record<QueueRefusal, string> = {
		gone: l10n.t("This message is no longer queued."),
		sending: l10n.t("This message is being sent and can't be changed."),
		full: l10n.t("Queue full. Wait until some are sent."),
	};
	return messages[refusal];
}
