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
} from "../../chat/queue/messageQueue.ts";
import type { StoredChat } from "../../chat/store/chatStore.ts";
import type { TurnProgress } from "../../chat/turn/turn.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { emptyQueueView, type QueueView } from "../../shared/queue.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ChatQuestions } from "./chatQuestions.ts";
import type { CurrentChat } from "./openChat.ts";
import type { QuestionSettings } from "./questionSettings.ts";
import { queueView, refusalMessage } from "./queueSentences.ts";
import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import { SerialQueue } from "../../storage/serialQueue.ts";
import { toStoreError } from "../../storage/storeError.ts";
import { storeErrorMessage } from "../base/storeErrorMessage.ts";

/** Dependencies of the queue of the shown chat. */
export interface ChatQueueDependencies {
	readonly questions: Pick<ChatQuestions, "sendQueued" | "isPreparing">;
	readonly attachments: Pick<ChatAttachments, "prepare" | "clear" | "going" | "view">;
	readonly options: Pick<QuestionSettings, "settled">;
	/** The chat's state: read along while another window writes it, or deleted by any window, of which a banner tells. */
	readonly chatState: {
		readonly sharing: { readonly read: unknown };
		readonly metadata: { readonly banner: unknown };
	};
	/** Identifies the service that answers now. */
	readonly service: () => string;
	/** Remembers a chat in which something waits: it may not have a question yet. */
	readonly currentChat: Pick<CurrentChat, "set">;
	readonly log: Log;
}

/**
 * The messages that wait in the chat that is shown. When an answer is complete the next one is asked; whatever else happens
 * pauses the queue, and then nothing goes out before a user says so. What waits is on disk before anything says that it does.
 */
export class ChatQueue extends Disposable {
	private readonly changed = this.register(new Emitter<QueueView>());
	private readonly dependencies: ChatQueueDependencies;
	private shown: ShownQueue | undefined;
	private listener: IDisposable | undefined;
	/** The queue after every change. */
	readonly onDidChange: Event<QueueView> = this.changed.event;

	constructor(dependencies: ChatQueueDependencies) {
		super();
		this.dependencies = dependencies;
		this.register({ dispose: () => this.leave() });
	}

	/** A chat is shown from now on. What waits in it from before is paused; one that cannot be written shows none. */
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
		// Whoever changes the queue hears it; until then there is nobody to tell.
		shown.loaded.catch((error: unknown) =>
			this.dependencies.log.info("What waits in a chat is not shown", {
				error: toError(error).message,
			}),
		);
	}

	/** State that the view shows. */
	view(): QueueView {
		return this.shown && !this.isReading ? queueView(this.shown.state) : emptyQueueView;
	}

	/**
	 * Throws the sentence when another chat cannot be shown, because messages wait in one that is in no list: it has no question
	 * yet.
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
	 * Puts words behind those that wait, with what the composer holds. Resolves once that would survive a power cut; throws the
	 * sentence otherwise, and the words are the caller's to keep.
	 */
	async add(text: string): Promise<void> {
		const shown = this.current();
		const { signal } = shown.abort;
		const { attachments, options } = this.dependencies;
		const asking = options.settled();
		await shown.adding.run(async () => {
			const item: QueuedMessage = {
				id: randomUUID(),
				text,
				options: await asking,
				attachments: await attachedToMessage(attachments, signal),
			};
			this.dependencies.currentChat.set(shown.session.id);
			if (shown.state.items.length === 0) {
				shown.service = this.dependencies.service();
			}
			await this.change(shown, addMessage(item));
			if (item.attachments.length > 0) {
				attachments.clear();
			}
		});
		const ending = shown.session.turns.at(-1)?.progress.state;
		if (this.isIdle(shown) && ending !== "streaming" && ending !== "complete") {
			// The answer ended while this was on its way.
			this.pause(shown, ending ? { type: "ended", state: ending } : { type: "notAsked" });
		}
		this.pump(shown);
	}

	/** Gives a message other words. */
	edit(id: string, text: string): Promise<void> {
		return this.changeAndGoOn(editMessage(id, text));
	}

	/** Keeps a message from being asked while a user changes it; undefined when nobody changes any. */
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

	/** Puts back what was taken out last. */
	restore(): Promise<void> {
		return this.changeAndGoOn(restoreMessage());
	}

	/** A user lets the messages go out: the next one at once, or when the answer that runs has come. */
	async resume(): Promise<void> {
		const shown = this.current();
		await shown.loaded;
		shown.service = this.dependencies.service();
		this.show(shown, resumeQueue(shown.state));
		this.pump(shown, true);
	}

	/** A user has `stop` end the answer that runs, and the first message asked in its place. */
	async sendNow(stop: () => void): Promise<void> {
		const shown = this.current();
		await shown.loaded;
		shown.isGoingOn = shown.session.isBusy;
		await (shown.isGoingOn ? stop() : this.resume());
	}

	/** Ends the uploads for messages that are not in the queue yet; their words go back to the composer. */
	stopAdding(): void {
		this.shown?.abort.abort();
		if (this.shown) {
			this.shown.abort = new AbortController();
		}
	}

	/** A question was not asked after all, so what was to follow it waits for a user. */
	questionFailed(): void {
		if (this.shown && this.shown.state.sending === undefined) {
			this.pause(this.shown, { type: "notAsked" });
		}
	}

	private get isReading(): boolean {
		return this.dependencies.chatState.sharing.read !== undefined;
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

	/** Asks the next message, if one is due; in a deleted chat only because a user asked for it. */
	private pump(shown: ShownQueue, isAskedFor = false): void {
		const due = nextMessage(shown.state);
		if (!due || shown !== this.shown || !this.isIdle(shown) || this.isReading) {
			return;
		}
		if (this.dependencies.chatState.metadata.banner !== undefined && !isAskedFor) {
			// Who deletes a chat wants nothing more to be asked in it.
			this.pause(shown, { type: "deleted" });
		} else if (shown.service !== this.dependencies.service()) {
			// What was written for one service goes to no other, and costs nothing there, before a user says so.
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
			// The chat's log has it under the same id, so it is not asked again.
			this.dependencies.log.warn("A message that was asked is still kept as waiting", {
				error: toError(error).message,
			});
		}
		// Its answer may have come while this was being written.
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
 * Reads and uploads what is sent with a message that waits: everything attached that is not on its way with another question.
 * Throws the sentence when it cannot be sent.
 */
async function attachedToMessage(
	attachments: Pick<ChatAttachments, "prepare" | "going" | "view">,
	signal: AbortSignal,
): Promise<readonly TurnAttachment[]> {
	const { items, isSending } = attachments.view();
	const isNew = ({ id }: { readonly id: string }): boolean => !attachments.going.includes(id);
	if (items.length === 0 || (isSending && !items.some(isNew))) {
		return [];
	}
	if (isSending) {
		throw new Error(
			l10n.t("Files of another message are still uploading. Queue this message after it."),
		);
	}
	try {
		return await attachments.prepare([], signal);
	} catch (error) {
		throw signal.aborted ? new Error(l10n.t("Stopped. The message wasn't queued.")) : error;
	}
}

/** The queue of one chat, while that is shown. */
interface ShownQueue {
	readonly session: ChatSession;
	/** Changes that are kept on disk, one after the other. */
	readonly inTurn: SerialQueue;
	/** Messages in the order they were written, although some wait for uploads. */
	readonly adding: SerialQueue;
	/** Ends the uploads of messages that are not in the queue yet. */
	abort: AbortController;
	/** Resolves once what was kept is there; rejects when the disk did not say. */
	loaded: Promise<void>;
	/** The service that answered when the first of the messages was written, or when a user let them go out. */
	service: string;
	/** Whether the answer that runs was stopped for the next message. */
	isGoingOn: boolean;
	state: MessageQueue;
}

/** A chat's queue before anything is known of it. */
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

/** Keeps a change on disk, and then shows it. Throws the sentence when that failed; then nothing changed. */
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
		// Meanwhile the queue may have been paused, or its first message be on its way.
		show(changedBy(change, shown.state));
	});
}

/** Applies a change to a queue. Throws the sentence for one that the queue as it is does not allow. */
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
