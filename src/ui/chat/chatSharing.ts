import * as l10n from "@vscode/l10n";
import type { ChatSession } from "../../chat/chatSession.ts";
import type { ChatStore, StoredChat } from "../../chat/store/chatStore.ts";
import { type Clock, every } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Banner } from "../../shared/chat.ts";
import { type OpenChat, openChat } from "./openChat.ts";
import type { SessionViewChange } from "./sessionView.ts";

export interface ChatSharingDependencies {
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	/** Called if everything may have changed. */
	readonly onChange: (change: SessionViewChange) => void;
	/** Shows a chat that was opened again, for writing if possible. */
	readonly show: (opened: OpenChat) => Promise<void>;
}

/** How often to check which window has the chat, in milliseconds. */
const checkMs = 5_000;

/** How often in a row a chat must be free before it is opened for writing without a click: its window may just be reloading. */
const freeChecks = 3;

/** Shares the chat with other windows: one writes it, the others show what was saved, and any of them can become the one that writes. */
export class ChatSharing extends Disposable {
	private readonly dependencies: ChatSharingDependencies;
	private isElsewhere = false;
	private check: IDisposable | undefined;
	/** Incremented with each shown chat, to cancel work for a previous one. */
	private shown = 0;
	private session: ChatSession | undefined;

	constructor(dependencies: ChatSharingDependencies) {
		super();
		this.dependencies = dependencies;
		this.register({ dispose: () => this.check?.dispose() });
	}

	/** Whether another window writes the chat. */
	get isReading(): boolean {
		return this.isElsewhere;
	}

	/** The banner while another window writes the chat. */
	get banner(): Banner | undefined {
		return this.isElsewhere
			? {
					kind: "info",
					text: l10n.t(
						"This chat is open in another window, and what was saved is shown here. Using it here stops an answer that runs there.",
					),
					readOnly: l10n.t("Read-only: in use in another window"),
					action: "useHere",
				}
			: undefined;
	}

	/** Called when a chat is shown, with the session that would write it. */
	begin(session: ChatSession, chat: StoredChat | undefined): void {
		this.shown += 1;
		this.session = session;
		this.isElsewhere = chat?.readOnly?.kind === "heldElsewhere";
		this.check?.dispose();
		const { clock, log } = this.dependencies;
		const look = this.isElsewhere ? this.lookFree(session.id) : () => this.lookTaken(session);
		const check = every(
			checkMs,
			() => {
				look().catch((error: unknown) =>
					log.warn("Which window has a chat could not be read", { error: toError(error).message }),
				);
			},
			clock,
		);
		this.check = check;
	}

	/** Opens the chat for writing. The window that writes it loses that right, which stops an answer that runs there. */
	async useHere(): Promise<void> {
		const { session, shown } = this;
		if (!session || !this.isElsewhere) {
			return;
		}
		await this.dependencies.store.seize(session.id);
		if (shown === this.shown) {
			await this.reopen(session.id, true);
		}
	}

	/** Stops writing once another window has seized the chat. Keeps the shown conversation. */
	private async lookTaken(session: ChatSession): Promise<void> {
		const { shown } = this;
		if (!(await session.isTaken()) || shown !== this.shown) {
			return;
		}
		this.check?.dispose();
		this.isElsewhere = true;
		this.dependencies.onChange({ type: "banner" });
		await session.close();
	}

	/** Returns a check that opens the chat for writing once its window is gone. */
	private lookFree(id: string): () => Promise<void> {
		const { shown } = this;
		let free = 0;
		return async () => {
			free = (await this.dependencies.store.isHeld(id)) ? 0 : free + 1;
			if (free === freeChecks && shown === this.shown) {
				await this.reopen(id, false);
			}
		};
	}

	/** Opens the chat again, for writing if possible, unless another is shown by then. Without a click, a chat that can't be opened stays as read. */
	private async reopen(id: string, isAsked: boolean): Promise<void> {
		const { store, log, show } = this.dependencies;
		const { shown } = this;
		const opened = await openChat(store, log, id);
		const chat = opened.chat ?? opened.queuedOnly;
		if (shown === this.shown && (isAsked || chat)) {
			await show(opened);
		} else {
			await chat?.writer.close();
		}
	}
}
