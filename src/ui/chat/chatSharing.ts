import * as l10n from "@vscode/l10n";
import type { ChatFollower } from "../../chat/sharing/chatFollower.ts";
import type { ChatSession } from "../../chat/chatSession.ts";
import type { ChatStore, StoredChat } from "../../chat/store/chatStore.ts";
import { type Clock, every } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Banner } from "../../shared/chat.ts";
import { storeErrorMessage } from "../base/failureAdvice.ts";
import { type OpenChat, openChat } from "./openChat.ts";
import type { SessionViewChange } from "./sessionView.ts";

export interface ChatSharingDependencies {
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	/** Resolves once the window answers; stays pending while a remote window has lost its connection. */
	readonly reachWindow: () => PromiseLike<unknown>;
	/** Called for new text in a followed chat, or if everything may have changed. */
	readonly onChange: (change: SessionViewChange) => void;
	/** Shows a chat that was opened again, for writing if possible. */
	readonly show: (opened: OpenChat) => Promise<void>;
}

/**
 * How long a chat must be free before a window does what it was opened for and writes it, in milliseconds. A window that follows the
 * chat gives the one that wrote it the time to reload. The window that released it gives another the time to take it over.
 */
const freeMs = 15_000;
const ownFreeMs = 1_000;

/** How often to check whether the window answers, in milliseconds, and after how many checks without an answer it counts as gone. */
const reachMs = 10_000;
const maxMissed = 6;

type SharingRole =
	/** It writes the chat, or no window can. */
	| { readonly type: "writing" }
	/** Another window writes it or did; this one follows it. */
	| { readonly type: "reading"; readonly id: string; readonly follower: ChatFollower };

/** Result of the last takeover request, while it matters. */
type TakeoverState = "none" | "asking" | "busy" | "noAnswer";

/** Shares the chat with other windows: follows one written elsewhere, and releases its own when requested. */
export class ChatSharing extends Disposable {
	private readonly dependencies: ChatSharingDependencies;
	private role: SharingRole = { type: "writing" };
	private request: TakeoverState = "none";
	private answering: readonly IDisposable[] = [];
	/** Whether to write the chat once no window does, without a click. */
	private wantsFree = false;
	private freeTimer: IDisposable | undefined;
	/** Incremented with each shown chat, to cancel work for a previous one. */
	private shown = 0;

	constructor(dependencies: ChatSharingDependencies) {
		super();
		this.dependencies = dependencies;
		this.register({ dispose: () => this.leave() });
	}

	/** The chat as last written by the other window; undefined if this window writes. */
	get read(): Pick<ChatSession, "turns" | "versionsOf"> | undefined {
		return this.role.type === "reading"
			? { turns: this.role.follower.turns, versionsOf: id => ({ ids: [id], index: 0 }) }
			: undefined;
	}

	/** The banner while following; undefined if this window writes. */
	get banner(): Banner | undefined {
		if (this.role.type === "writing") {
			return undefined;
		}
		const text = sentenceOf(this.request, this.role.follower.hasWriter);
		const action = this.request === "busy" ? "takeOverNow" : "takeOver";
		const readOnly = this.role.follower.hasWriter
			? l10n.t("Read-only: in use in another window")
			: l10n.t("Read-only until you take it over");
		return { kind: "info", text, readOnly, ...(this.request === "asking" ? {} : { action }) };
	}

	/** Called when a chat is shown, with the session that would write it. */
	begin(session: ChatSession, chat: StoredChat | undefined): void {
		this.leave();
		const { store, clock } = this.dependencies;
		if (chat?.readOnly?.kind === "heldElsewhere") {
			this.wantsFree = true;
			void this.follow(session.id);
			return;
		}
		const { shown } = this;
		const letGo = async (): Promise<void> => {
			await session.close();
			if (shown !== this.shown) {
				return;
			}
			this.answering.forEach(each => each.dispose());
			await this.follow(session.id);
		};
		this.answering = [
			store.answerTakeOvers(session.id, { isBusy: () => session.isBusy, letGo }),
			every(reachMs, this.windowWatch(session, letGo), clock),
		];
	}

	/**
	 * Returns a function that releases a chat that is saved and idle once its window no longer answers, so that another window can write it, and
	 * continues it when the window is back.
	 */
	private windowWatch(session: ChatSession, letGo: () => Promise<void>): () => void {
		const { log, reachWindow } = this.dependencies;
		const { shown } = this;
		let missed = 0;
		let isWaiting = false;
		let isLetGo = false;
		const reached = (): void => {
			isWaiting = false;
			missed = 0;
			if (isLetGo && shown === this.shown) {
				this.wantsFree = true;
				this.lookFree(ownFreeMs);
			}
		};
		return () => {
			if (!isWaiting) {
				isWaiting = true;
				void reachWindow().then(reached, reached);
			}
			missed += 1;
			if (missed > maxMissed && !isLetGo && !session.isBusy && session.turns.length > 0) {
				isLetGo = true;
				letGo().catch((error: unknown) =>
					log.warn("A chat could not be let go of", { error: toError(error).message }),
				);
			}
		};
	}

	/** Asks the other window to release the chat and continues it here. `isInsisting` stops an answer that runs there. */
	async takeOver(isInsisting: boolean): Promise<void> {
		const { role, shown } = this;
		if (role.type === "writing" || this.request === "asking") {
			return;
		}
		this.say("asking");
		try {
			const result = await this.dependencies.store.takeOver(role.id, { isInsisting });
			if (shown !== this.shown) {
				return;
			}
			if (result === "free") {
				await this.reopen(role.id, true);
			} else {
				this.say(result);
			}
		} catch (error) {
			this.say("none");
			throw error;
		}
	}

	/** Opens the chat again, for writing if possible, unless another is shown by then. Without a click, a chat that can't be opened stays as read. */
	private async reopen(id: string, isAsked: boolean): Promise<void> {
		const { store, log, show } = this.dependencies;
		const { shown } = this;
		const opened = await openChat(store, log, id);
		const chat = opened.chat ?? opened.unasked;
		if (shown === this.shown && (isAsked || chat)) {
			await show(opened);
		} else {
			await chat?.writer.close();
		}
	}

	/** Continues a chat here that no window writes any more. */
	private lookFree(waitMs = freeMs): void {
		const { role } = this;
		const isFree = (): boolean =>
			this.role === role && role.type === "reading" && !role.follower.hasWriter;
		if (!isFree()) {
			this.freeTimer?.dispose();
			this.freeTimer = undefined;
			return;
		}
		if (!this.wantsFree || this.freeTimer || role.type === "writing") {
			return;
		}
		const { clock, log } = this.dependencies;
		this.freeTimer = clock.setTimer(waitMs, () => {
			this.freeTimer = undefined;
			if (isFree() && this.request !== "asking") {
				this.reopen(role.id, false).catch((error: unknown) =>
					log.warn("A chat could not be continued", { error: toError(error).message }),
				);
			}
		});
	}

	private say(request: TakeoverState): void {
		this.request = request;
		this.dependencies.onChange({ type: "banner" });
	}

	private async follow(id: string): Promise<void> {
		const { shown } = this;
		const { store, log, onChange } = this.dependencies;
		try {
			const follower = await store.follow(id);
			if (shown !== this.shown || this.isDisposed) {
				follower.dispose();
				return;
			}
			this.role = { type: "reading", id, follower };
			this.request = "none";
			follower.onDidChange(change => {
				onChange(change.type === "text" ? change : { type: "reset" });
				this.lookFree();
			});
			onChange({ type: "reset" });
			this.lookFree();
		} catch (error) {
			log.warn("A chat could not be followed", { chat: id, error: toError(error).message });
		}
	}

	private leave(): void {
		this.shown += 1;
		this.answering.forEach(each => each.dispose());
		this.answering = [];
		this.freeTimer?.dispose();
		this.freeTimer = undefined;
		this.wantsFree = false;
		if (this.role.type === "reading") {
			this.role.follower.dispose();
		}
		this.role = { type: "writing" };
		this.request = "none";
	}
}

function sentenceOf(request: TakeoverState, hasWriter: boolean): string {
	const sentences: Record<TakeoverState, string> = {
		asking: l10n.t("Asking the other window to release this chat…"),
		busy: l10n.t(
			"The other window is receiving an answer. Taking over stops it and keeps its text.",
		),
		noAnswer: l10n.t("The other window isn't responding. Close it, or try again in a minute."),
		none: hasWriter
			? storeErrorMessage({ kind: "heldElsewhere", path: "" })
			: l10n.t("No other window is using this chat. Take it over to continue here."),
	};
	return sentences[request];
}
